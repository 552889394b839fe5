#include "io/wire.h"

#include <cstddef>
#include <cstdint>
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
