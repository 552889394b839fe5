#include "weights/elided.h"

#include <fmt/format.h>
#include <onnxc/external_data.h>

#include <algorithm>

#include "source/report.h"
#include "weights/external_entries.h"
#include "weights/tensors.h"

namespace onnxc {
namespace {

using google::protobuf::Message;

bool HasData(const onnx::TensorProto& tensor) {
  return IsExternal(tensor) || !tensor.raw_data().empty() || !tensor.float_data().empty() ||
         !tensor.int32_data().empty() || !tensor.string_data().empty() || !tensor.int64_data().empty() ||
         !tensor.double_data().empty() || !tensor.uint64_data().empty();
}

}  // namespace

bool IsElided(const onnx::TensorProto& tensor) {
  const auto& entries = tensor.external_data();
  return IsExternal(tensor) &&
         std::any_of(entries.begin(), entries.end(), [](const auto& entry) { return entry.key() == kElidedKey; });
}

std::string ChecksumOf(const onnx::TensorProto& tensor, const Place& place, DataReader& reader) {
  Checksum checksum;
  if (!IsExternal(tensor)) {
    std::string scratch;
    const auto bytes = RawBytes(tensor, &scratch);
    if (!bytes.has_value()) return {};
    checksum.Add(*bytes);
    return checksum.Finish();
  }
  const auto range = reader.Find(tensor, place);
  if (!range.has_value()) return {};
  const int error = reader.ForEachPiece(*range, [&](std::string_view piece) {
    checksum.Add(piece);
    return 0;
  });
  if (error == 0) return checksum.Finish();
  reader.Report(DiagnosticKind::kExternalFile, place,
                fmt::format("'{}' cannot be read: {}", Quoted(range->location), Reason(error)));
  return {};
}

std::string TensorLabel(const onnx::TensorProto& tensor) {
  return tensor.name().empty() ? "this tensor" : fmt::format("the tensor '{}'", Quoted(tensor.name()));
}

Diagnostic ElidedError(const onnx::TensorProto& tensor, const Place& place) {
  Diagnostic error = MakeDiagnostic(DiagnosticKind::kExternalElided, kNowhere, TensorLabel(tensor));
  error.path = PathOf(place);
  return error;
}

Diagnostics ElideWeights(Message* message, Elision elision, std::uint64_t size_threshold,
                         const ExternalDataOptions& options) {
  Diagnostics found;
  DataReader reader(options, &found);
  ForEachTensor(message, [&](onnx::TensorProto* tensor, const Place& place) {
    if (IsElided(*tensor) || IsPartOfSparse(place) || !HasData(*tensor)) return;
    const std::optional<std::uint64_t> size = DataSize(*tensor);
    if (elision == Elision::kNothing) {
      const bool is_string = tensor->data_type() == onnx::TensorProto::STRING;
      if (is_string ? tensor->ByteSizeLong() >= size_threshold : size.value_or(0) >= size_threshold) {
        SetElided("", tensor);
      }
      return;
    }
    if (!size.has_value() || *size < size_threshold) return;
    const std::string checksum = ChecksumOf(*tensor, place, reader);
    if (!checksum.empty()) SetElided(checksum, tensor);
  });
  return found;
}

Diagnostics FindElided(const Message& message) {
  Diagnostics found;
  // The visitor changes nothing.
  ForEachTensor(const_cast<Message*>(&message), [&](onnx::TensorProto* tensor, const Place& place) {
    if (IsElided(*tensor)) found.Add(ElidedError(*tensor, place));
  });
  return found;
}

std::string FirstLocation(const Message& message) {
  std::string location;
  ForEachTensor(const_cast<Message*>(&message), [&](onnx::TensorProto* tensor, const Place&) {
    if (location.empty() && IsExternal(*tensor)) location = ReadEntries(*tensor).location;
  });
  return location;
}

}  // namespace onnxc
