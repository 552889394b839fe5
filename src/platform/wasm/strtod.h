// Reads floating-point numbers with the C library. Emscripten's strtod() rounds correctly, and its decimal point is
// always `.`. This is a header so that a test on another platform can compare the function with std::from_chars().
#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>

namespace onnxc::wasm {

inline bool IsDecimal(char c) { return c >= '0' && c <= '9'; }
inline char ToLower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
inline const char* SkipDecimals(const char* at, const char* end) { return std::find_if_not(at, end, IsDecimal); }

/// Returns the end of the word at `at`, in upper or lower case, or null if there is another text.
inline const char* SkipWord(const char* at, const char* end, std::string_view word) {
  for (const char c : word) {
    if (at == end || ToLower(*at) != c) return nullptr;
    ++at;
  }
  return at;
}

/// Reads `inf`, `infinity`, `nan` and `nan(LETTERS)`, whose sign is at `begin`.
template <typename Number>
std::from_chars_result ReadFloatWord(const char* begin, const char* end, Number* value) {
  const bool is_negative = begin != end && *begin == '-';
  const char* const word = begin + (is_negative ? 1 : 0);
  const Number sign = is_negative ? -1 : 1;
  if (const char* const nan = SkipWord(word, end, "nan")) {
    *value = std::copysign(std::numeric_limits<Number>::quiet_NaN(), sign);
    if (nan == end || *nan != '(') return {nan, std::errc()};
    const char* const closing = std::find_if_not(
        nan + 1, end, [](char c) { return IsDecimal(c) || (ToLower(c) >= 'a' && ToLower(c) <= 'z') || c == '_'; });
    return {closing != end && *closing == ')' ? closing + 1 : nan, std::errc()};
  }
  const char* const inf = SkipWord(word, end, "inf");
  if (inf == nullptr) return {begin, std::errc::invalid_argument};
  *value = std::copysign(std::numeric_limits<Number>::infinity(), sign);
  const char* const infinity = SkipWord(inf, end, "inity");
  return {infinity != nullptr ? infinity : inf, std::errc()};
}

/// Does the same as std::from_chars(), but after an error the value has no meaning.
template <typename Number>
std::from_chars_result FromCharsByStrtod(const char* begin, const char* end, Number* value) {
  const char* const digits = begin + (begin != end && *begin == '-' ? 1 : 0);
  const char* at = SkipDecimals(digits, end);
  bool has_digits = at != digits;
  if (at != end && *at == '.') {
    const char* const fraction = at + 1;
    at = SkipDecimals(fraction, end);
    has_digits |= at != fraction;
  }
  if (!has_digits) return ReadFloatWord(begin, end, value);
  const bool is_zero = std::none_of(digits, at, [](char c) { return c >= '1' && c <= '9'; });
  if (at != end && ToLower(*at) == 'e') {
    const char* exponent = at + 1;
    if (exponent != end && (*exponent == '-' || *exponent == '+')) ++exponent;
    if (const char* const last = SkipDecimals(exponent, end); last != exponent) at = last;
  }
  const std::string literal(begin, at);  // strtod() would read more, such as the rest of `0x10`
  if constexpr (std::is_same_v<Number, float>) {
    *value = std::strtof(literal.c_str(), nullptr);
  } else {
    *value = std::strtod(literal.c_str(), nullptr);
  }
  const bool is_in_range = std::isfinite(*value) && (*value != 0 || is_zero);
  return {at, is_in_range ? std::errc() : std::errc::result_out_of_range};
}

}  // namespace onnxc::wasm
