// Finds the end of string literals.
#pragma once

#include <bit>
#include <cstdint>

#include "source/eight_bytes.h"

namespace onnxc::syntax {

/// Returns the first quote or backslash, or `end`. It tests eight bytes at once, because most strings are too short for
/// two calls of memchr.
[[nodiscard]] inline const char* FindQuoteOrBackslash(const char* at, const char* end) {
  // The high bit is set in each byte that is zero, and possibly in bytes after the first zero byte.
  const auto zeros = [](std::uint64_t bytes) { return (bytes - kEachByte) & ~bytes & kHighBits; };
  for (; end - at >= 8; at += 8) {
    const std::uint64_t bytes = LoadEight(at);
    const std::uint64_t found = zeros(bytes ^ kEachByte * '"') | zeros(bytes ^ kEachByte * '\\');
    if (found != 0) return at + std::countr_zero(found) / 8;
  }
  while (at != end && *at != '"' && *at != '\\') ++at;
  return at;
}

/// Returns the byte after the closing quote of the string whose opening quote is at `at`, or null if the string is not
/// closed.
[[nodiscard]] inline const char* FindStringEnd(const char* at, const char* end) {
  for (++at;; at += 2) {
    at = FindQuoteOrBackslash(at, end);
    if (end - at < 2) return at != end && *at == '"' ? end : nullptr;
    if (*at == '"') return at + 1;
  }
}

}  // namespace onnxc::syntax
