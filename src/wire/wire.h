// Reads and writes protobuf's wire format without messages.
#pragma once

#include <google/protobuf/message.h>
#include <onnxc/diagnostic.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "source/eight_bytes.h"

namespace onnxc::wire {

/// Returns whether the bytes are a sequence of complete fields. Their numbers and contents are not checked.
[[nodiscard]] bool IsWireFormat(std::string_view bytes);

/// Returns the error about a message that is too large for a file.
[[nodiscard]] Diagnostic TooLargeToWrite(std::uint64_t size);

/// The number of bytes of the longest varint.
inline constexpr std::size_t kLongestVarint = 10;

/// Removes the first varint and returns it. Returns nothing if there is none.
[[nodiscard]] inline std::optional<std::uint64_t> TakeVarint(std::string_view* bytes) {
  if (bytes->size() >= kLongestVarint) {
    // No branch depends on the length, which is hard to predict: most varints have one byte, and negative numbers have
    // ten.
    const std::uint64_t eight = LoadEight(bytes->data());
    const std::uint64_t ends = ~eight & kHighBits;  // candidates for the last byte
    std::uint64_t value = eight & (ends ^ (ends - 1)) & 0x7F7F7F7F7F7F7F7F;
    value = (value & 0x007F007F007F007F) | (value & 0x7F007F007F007F00) >> 1;
    value = (value & 0x00003FFF00003FFF) | (value & 0x3FFF00003FFF0000) >> 2;
    value = (value & 0x000000000FFFFFFF) | (value & 0x0FFFFFFF00000000) >> 4;
    const std::uint64_t ninth = static_cast<unsigned char>((*bytes)[8]);
    const std::uint64_t tenth = static_cast<unsigned char>((*bytes)[9]);
    const std::uint64_t has_ninth = std::uint64_t{ends == 0};
    const std::uint64_t has_tenth = has_ninth & ninth >> 7;
    if ((has_tenth & tenth >> 7) != 0) return std::nullopt;
    value |= (0 - has_ninth) & (ninth & 0x7F) << 56;
    value |= (0 - has_tenth) & tenth << 63;
    const int last = std::countr_zero(ends | std::uint64_t{1} << 63) / 8;
    bytes->remove_prefix(static_cast<std::size_t>(last) + 1 + static_cast<std::size_t>(has_ninth + has_tenth));
    return value;
  }
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 7 * kLongestVarint && !bytes->empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes->front());
    bytes->remove_prefix(1);
    if (shift < 64) value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) return value;
  }
  return std::nullopt;
}

struct WireField {
  int number = 0;  ///< 0 if the bytes are not a complete field
  bool is_delimited = false;
  std::string_view value;  ///< for a length-delimited field: its contents
};

/// Removes the first field and returns it.
WireField TakeField(std::string_view* bytes);

/// The maximum size of what precedes the value of a length-delimited field: its number and wire type, and the length of
/// the value.
inline constexpr std::size_t kLongestTag = 5 + 10;
/// Writes this prefix at `at`, and returns its end.
std::uint8_t* WriteTag(int field, std::size_t length, std::uint8_t* at);
[[nodiscard]] std::string Tag(int field, std::size_t length);

}  // namespace onnxc::wire
