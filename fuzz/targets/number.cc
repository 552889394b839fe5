#include "lower/number.h"

#include <bit>
#include <type_traits>
#include <vector>

#include "fuzz/targets/target.h"

namespace onnxc::fuzz {
namespace {

using lower::Convert;
using lower::ConvertAny;
using lower::ConvertCommon;
using lower::kLongestCommon;

/// Floating-point numbers are compared by their bits, because 0 and -0 are different.
template <typename Number>
auto Bits(Number number) {
  if constexpr (std::is_integral_v<Number>) {
    return number;
  } else {
    return std::bit_cast<std::conditional_t<sizeof(Number) == 4, std::uint32_t, std::uint64_t>>(number);
  }
}

/// Checks that a fast conversion reads as many characters as the standard library and returns the same bits.
template <typename Number>
bool Agrees(std::string_view text) {
  const char* const end = text.data() + text.size();
  Number expected{};
  Number number{};
  const char* const expected_end = ConvertAny(text.data(), end, &expected);
  if (Convert(text.data(), end, &number) != expected_end) return false;
  if (expected_end != nullptr && Bits(number) != Bits(expected)) return false;
  if (end - text.data() <= kLongestCommon) return true;
  const char* const common_end = ConvertCommon(text.data(), &number);
  if (common_end == nullptr || *common_end != ',') return true;
  return common_end == expected_end && Bits(number) == Bits(expected);
}

}  // namespace

// The kind and the variant are ignored.
std::optional<Fault> RunNumber(const Input& input) {
  // The text is at the end of a buffer, so that AddressSanitizer notices if too many bytes are read.
  const std::vector<char> copy(input.bytes.begin(), input.bytes.end());
  const std::string_view text(copy.data(), copy.size());
  if (!Agrees<float>(text)) return Fault{"another float"};
  if (!Agrees<double>(text)) return Fault{"another double"};
  if (!Agrees<std::int32_t>(text)) return Fault{"another int32"};
  if (!Agrees<std::int64_t>(text)) return Fault{"another int64"};
  if (!Agrees<std::uint64_t>(text)) return Fault{"another uint64"};
  return std::nullopt;
}

}  // namespace onnxc::fuzz
