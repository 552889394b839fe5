#include "print/lossless/numbers.h"

#include <fmt/format.h>

namespace onnxc {

char* WriteNumber(float value, char* at) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if (value == value || (bits & 0x7fffffffu) == 0x7fc00000u) return std::to_chars(at, at + kLongestNumber, value).ptr;
  return fmt::format_to(at, "nan0x{:08x}", bits);
}

char* WriteNumber(double value, char* at) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const bool is_plain = value == value || (bits & 0x7fffffffffffffffu) == 0x7ff8000000000000u;
  if (is_plain) return std::to_chars(at, at + kLongestNumber, value).ptr;
  return fmt::format_to(at, "nan0x{:016x}", bits);
}

}  // namespace onnxc
