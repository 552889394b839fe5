// Protobuf's wire format, seen from outside.
#pragma once

#include <onnxc/diagnostic.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace onnxc {

/// The bytes are a sequence of complete fields. Says nothing about which, and does not look into them.
[[nodiscard]] bool IsWireFormat(std::string_view bytes);

/// The error about a message that no file can hold.
[[nodiscard]] Diagnostic TooLargeToWrite(std::uint64_t size);

/// Takes the first varint off the bytes. Nothing where there is none.
[[nodiscard]] inline std::optional<std::uint64_t> TakeVarint(std::string_view* bytes) {
  std::uint32_t four = 0;
  if (bytes->size() >= sizeof(four)) {
    // Most have four bytes at most, but how many is hard to foresee: their bits are put together without a branch.
    std::memcpy(&four, bytes->data(), sizeof(four));
    if constexpr (std::endian::native == std::endian::big) four = __builtin_bswap32(four);
    const std::uint32_t ends = ~four & 0x80808080u;
    if (ends != 0) {
      const std::uint32_t bits = four & (ends ^ (ends - 1)) & 0x7F7F7F7Fu;  // up to the first byte that ends one
      bytes->remove_prefix(static_cast<std::size_t>(std::countr_zero(ends)) / 8 + 1);
      return (bits & 0x7Fu) | (bits >> 1 & 0x3F80u) | (bits >> 2 & 0x1FC000u) | (bits >> 3 & 0xFE00000u);
    }
  }
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 70 && !bytes->empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes->front());
    bytes->remove_prefix(1);
    if (shift < 64) value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) return value;
  }
  return std::nullopt;
}

struct WireField {
  int number = 0;  ///< 0: the bytes are no complete field
  bool is_delimited = false;
  std::string_view value;  ///< of a length-delimited field: what is inside
};

/// Takes the first field off the bytes.
WireField TakeField(std::string_view* bytes);

/// What stands before a length-delimited field's value: its number and wire type, and the value's length in bytes.
inline constexpr std::size_t kLongestTag = 5 + 10;
/// Writes it at `at`, and returns its end.
std::uint8_t* WriteTag(int field, std::size_t length, std::uint8_t* at);
[[nodiscard]] std::string Tag(int field, std::size_t length);

}  // namespace onnxc
