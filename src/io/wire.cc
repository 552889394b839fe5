#include "io/wire.h"

#include <google/protobuf/io/coded_stream.h>

#include <array>
#include <optional>

#include "source/report.h"

namespace onnxc {
namespace {

enum class WireType { kVarint = 0, kFixed64 = 1, kLengthDelimited = 2, kFixed32 = 5 };

std::optional<std::uint64_t> TakeVarint(std::string_view* bytes) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 70 && !bytes->empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes->front());
    bytes->remove_prefix(1);
    if (shift < 64) value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) return value;
  }
  return std::nullopt;
}

/// The size of a field's value behind its tag, or nothing where it cannot be told. Groups count as nothing: ONNX has
/// none.
std::optional<std::uint64_t> ValueSize(WireType type, std::string_view* bytes) {
  switch (type) {
    case WireType::kVarint: return TakeVarint(bytes) ? std::optional<std::uint64_t>(0) : std::nullopt;
    case WireType::kFixed64: return 8;
    case WireType::kLengthDelimited: return TakeVarint(bytes);
    case WireType::kFixed32: return 4;
  }
  return std::nullopt;
}

}  // namespace

WireField TakeField(std::string_view* bytes) {
  const std::optional<std::uint64_t> tag = TakeVarint(bytes);
  if (!tag || *tag < 8 || *tag > UINT32_MAX) return {};
  const std::optional<std::uint64_t> size = ValueSize(static_cast<WireType>(*tag & 7), bytes);
  if (!size || *size > bytes->size()) return {};
  const WireField field{static_cast<int>(*tag >> 3), bytes->substr(0, *size)};
  bytes->remove_prefix(*size);
  return field;
}

std::uint8_t* WriteTag(int field, std::size_t length, std::uint8_t* at) {
  using google::protobuf::io::CodedOutputStream;
  const auto type = static_cast<std::uint32_t>(WireType::kLengthDelimited);
  at = CodedOutputStream::WriteVarint32ToArray(static_cast<std::uint32_t>(field) << 3 | type, at);
  return CodedOutputStream::WriteVarint64ToArray(length, at);
}

void AppendTag(int field, std::size_t length, std::string* bytes) {
  std::array<std::uint8_t, kLongestTag> tag;
  const std::uint8_t* const end = WriteTag(field, length, tag.data());
  bytes->append(reinterpret_cast<const char*>(tag.data()), static_cast<std::size_t>(end - tag.data()));
}

bool IsWireFormat(std::string_view bytes) {
  while (!bytes.empty()) {
    if (TakeField(&bytes).number == 0) return false;
  }
  return true;
}

Diagnostic TooLargeToWrite(std::uint64_t size) {
  return MakeDiagnostic(DiagnosticKind::kTooLarge, kNowhere, size,
                        "; --save-as-external keeps the weights in a file beside it");
}

}  // namespace onnxc
