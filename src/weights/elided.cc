#include "weights/elided.h"

#include <fmt/format.h>
#include <onnxc/external_data.h>

#include <algorithm>

#include "external/external_entries.h"
#include "source/report.h"
#include "tables/raw_data.h"
#include "weights/tensors.h"

namespace onnxc {

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
  const int error = reader.ForEachChunk(*range, [&](std::string_view chunk) {
    checksum.Add(chunk);
    return 0;
  });
  if (error == 0) return checksum.Finish();
  reader.Report(ReadError(range->location, error, place));
  return {};
}

std::string TensorLabel(const onnx::TensorProto& tensor) {
  return tensor.name().empty() ? "this tensor" : fmt::format("the tensor '{}'", Quoted(tensor.name()));
}

Diagnostic ElidedError(const onnx::TensorProto& tensor, const Place& place) {
  Diagnostic error = MakeDiagnostic(diag::kExternalElided, kNowhere, TensorLabel(tensor));
  error.path = PathOf(place);
  return error;
}

Diagnostics ElideWeights(google::protobuf::Message* message, Elision elision, std::uint64_t size_threshold,
                         const ExternalDataOptions& options) {
  Diagnostics found;
  DataReader reader(options, &found);
  ForEachTensor(message, [&](onnx::TensorProto* tensor, const Place& place) {
    const bool has_data = IsExternal(*tensor) || CountDataFields(*tensor) != 0;
    if (IsElided(*tensor) || IsPartOfSparse(place) || !has_data) return;
    const std::optional<std::uint64_t> size = DataSize(*tensor);
    if (elision == Elision::kNothing) {
      const bool is_string = tensor->data_type() == onnx::TensorProto::STRING;
      if (is_string ? tensor->ByteSizeLong() >= size_threshold : size.value_or(0) >= size_threshold) {
        SetElided("", tensor);
      }
      return;
    }
    if (!size.has_value() || *size < size_threshold || (!IsExternal(*tensor) && !CanMoveData(*tensor))) return;
    const std::string checksum = ChecksumOf(*tensor, place, reader);
    if (!checksum.empty()) SetElided(checksum, tensor);
  });
  return found;
}

Diagnostics FindElided(const google::protobuf::Message& message) {
  Diagnostics found;
  // The visitor changes nothing.
  ForEachTensor(const_cast<google::protobuf::Message*>(&message), [&](onnx::TensorProto* tensor, const Place& place) {
    if (IsElided(*tensor)) found.Add(ElidedError(*tensor, place));
  });
  return found;
}

std::string FirstLocation(const google::protobuf::Message& message) {
  std::string location;
  ForEachTensor(const_cast<google::protobuf::Message*>(&message), [&](onnx::TensorProto* tensor, const Place&) {
    if (location.empty() && IsExternal(*tensor)) location = ReadEntries(*tensor).location;
  });
  return location;
}

}  // namespace onnxc
