// Compiles the library {fmt} from its headers, for static programs, because Debian's package has no static library. All
// other files are compiled as for the shared library, so that their objects come from the compiler cache.
#include <fmt/format-inl.h>

FMT_BEGIN_NAMESPACE
namespace detail {
// Instantiates the templates that the headers declare as `extern`.
template FMT_API auto dragonbox::to_decimal(float x) noexcept -> dragonbox::decimal_fp<float>;
template FMT_API auto dragonbox::to_decimal(double x) noexcept -> dragonbox::decimal_fp<double>;
template FMT_API auto thousands_sep_impl(locale_ref) -> thousands_sep_result<char>;
template FMT_API auto decimal_point_impl(locale_ref) -> char;
template FMT_API void buffer<char>::append(const char*, const char*);
template FMT_API void vformat_to(buffer<char>&, string_view, format_args, locale_ref);
}  // namespace detail
FMT_END_NAMESPACE
