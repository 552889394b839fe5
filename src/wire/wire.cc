#include "wire/wire.h"

#include <google/protobuf/io/coded_stream.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "source/report.h"

namespace onnxc::wire {
namespace {

enum class WireType { kVarint = 0, kFixed64 = 1, kLengthDelimited = 2, kFixed32 = 5 };

/// Removes a tag or a length and returns it. It is a varint that usually has one byte. It has at most five bytes,
/// because protobuf accepts no more.
std::optional<std::uint64_t> TakeSmall(std::string_view* bytes) {
  constexpr std::size_t kLongest = 5;
  if (!bytes->empty() && static_cast<unsigned char>(bytes->front()) < 0x80) {
    const auto value = static_cast<unsigned char>(bytes->front());
    bytes->remove_prefix(1);
    return value;
  }
  const std::size_t size = bytes->size();
  const std::optional<std::uint64_t> value = TakeVarint(bytes);
  return size - bytes->size() > kLongest ? std::nullopt : value;
}

/// Returns the size of a field's value after its tag, or nothing if it cannot be determined. Groups, which ONNX does
/// not use, are not supported.
std::optional<std::uint64_t> ValueSize(WireType type, std::string_view* bytes) {
  switch (type) {
    case WireType::kVarint: return TakeVarint(bytes) ? std::optional<std::uint64_t>(0) : std::nullopt;
    case WireType::kFixed64: return 8;
    case WireType::kLengthDelimited: return TakeSmall(bytes);
    case WireType::kFixed32: return 4;
  }
  return std::nullopt;
}

}  // namespace

WireField TakeField(std::string_view* bytes) {
  const std::optional<std::uint64_t> tag = TakeSmall(bytes);
  if (!tag || *tag < 8 || *tag > UINT32_MAX) return {};
  const std::optional<std::uint64_t> size = ValueSize(static_cast<WireType>(*tag & 7), bytes);
  if (!size || *size > bytes->size()) return {};
  const bool is_delimited = static_cast<WireType>(*tag & 7) == WireType::kLengthDelimited;
  const WireField field{static_cast<int>(*tag >> 3), is_delimited, bytes->substr(0, static_cast<std::size_t>(*size))};
  bytes->remove_prefix(field.value.size());
  return field;
}

std::uint8_t* WriteTag(int field, std::size_t length, std::uint8_t* at) {
  using google::protobuf::io::CodedOutputStream;
  const std::uint32_t type = static_cast<std::uint32_t>(WireType::kLengthDelimited);
  at = CodedOutputStream::WriteVarint32ToArray(static_cast<std::uint32_t>(field) << 3 | type, at);
  return CodedOutputStream::WriteVarint64ToArray(length, at);
}

std::string Tag(int field, std::size_t length) {
  std::array<std::uint8_t, kLongestTag> tag = {};
  return {tag.data(), WriteTag(field, length, tag.data())};
}

bool IsWireFormat(std::string_view bytes) {
  while (!bytes.empty()) {
    if (TakeField(&bytes).number == 0) return false;
  }
  return true;
}

Diagnostic TooLargeToWrite(std::uint64_t size) {
  return MakeDiagnostic(diag::kTooLarge, kNowhere, size, "; --save-as-external stores the weights in a separate file");
}

}  // namespace onnxc::wire
