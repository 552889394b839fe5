// The inside of string literals.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace onnxc {

/// The first quote or backslash, or `end`: where the plain bytes of a string literal end. Eight bytes at a time, since
/// most strings are too short for two calls of memchr to pay.
[[nodiscard]] inline const char* FindQuoteOrBackslash(const char* at, const char* end) {
  constexpr std::uint64_t kEach = 0x0101010101010101;
  // The high bit of each byte that is zero, and maybe of others behind the first such.
  const auto zeros = [](std::uint64_t bytes) { return (bytes - kEach) & ~bytes & (kEach << 7); };
  for (; end - at >= 8; at += 8) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, at, sizeof(bytes));
    const std::uint64_t found = zeros(bytes ^ kEach * '"') | zeros(bytes ^ kEach * '\\');
    if (found == 0) continue;
    if constexpr (std::endian::native == std::endian::little) return at + std::countr_zero(found) / 8;
    break;
  }
  while (at != end && *at != '"' && *at != '\\') ++at;
  return at;
}

/// The byte behind the quote that closes the string whose opening quote is at `at`; null where there is none.
[[nodiscard]] inline const char* FindStringEnd(const char* at, const char* end) {
  for (++at;; at += 2) {
    at = FindQuoteOrBackslash(at, end);
    if (end - at < 2) return at != end && *at == '"' ? end : nullptr;
    if (*at == '"') return at + 1;
  }
}

}  // namespace onnxc
