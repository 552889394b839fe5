// The inside of string literals.
#pragma once

#include <bit>
#include <cstdint>

#include "source/eight_bytes.h"

namespace onnxc::syntax {

/// The first quote or backslash, or `end`: where the plain bytes of a string literal end. Eight bytes at a time, since
/// most strings are too short for two calls of memchr to pay.
[[nodiscard]] inline const char* FindQuoteOrBackslash(const char* at, const char* end) {
  // The high bit of each byte that is zero, and maybe of others behind the first such.
  const auto zeros = [](std::uint64_t bytes) { return (bytes - kEachByte) & ~bytes & kHighBits; };
  for (; end - at >= 8; at += 8) {
    const std::uint64_t bytes = LoadEight(at);
    const std::uint64_t found = zeros(bytes ^ kEachByte * '"') | zeros(bytes ^ kEachByte * '\\');
    if (found != 0) return at + std::countr_zero(found) / 8;
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

}  // namespace onnxc::syntax
