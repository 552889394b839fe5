// Reads numbers.
#pragma once

#include <charconv>
#include <concepts>

namespace onnxc {

// Each function does the same as std::from_chars(), which reads no floating-point numbers in some standard libraries.
// After an error, the value has no meaning.

[[nodiscard]] std::from_chars_result FromChars(const char* begin, const char* end, float* value);
[[nodiscard]] std::from_chars_result FromChars(const char* begin, const char* end, double* value);

template <std::integral Number>
[[nodiscard]] std::from_chars_result FromChars(const char* begin, const char* end, Number* value) {
  return std::from_chars(begin, end, *value);
}

}  // namespace onnxc
