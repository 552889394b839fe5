#include "weights/elided.h"

#include <fmt/format.h>
#include <onnxc/external_data.h>

#include <algorithm>

#include "external/checksum.h"
#include "external/external_entries.h"
#include "source/report.h"
#include "source/words.h"
#include "tables/raw_data.h"
#include "weights/tensors.h"
#include "wire/nesting.h"

namespace onnxc::weights {

bool IsElided(const onnx::TensorProto& tensor) {
  const auto& entries = tensor.external_data();
  return IsExternal(tensor) &&
         std::any_of(entries.begin(), entries.end(), [](const auto& entry) { return entry.key() == kElidedKey; });
}

bool MayBeShape(const onnx::TensorProto& tensor) {
  constexpr std::uint64_t kMostBytes = 16 * sizeof(std::int64_t);
  return tensor.data_type() == onnx::TensorProto::INT64 && tensor.dims_size() <= 1 && !IsExternal(tensor) &&
         HasWholeData(tensor) && DataSize(tensor).value_or(kMostBytes + 1) <= kMostBytes;
}

std::string ChecksumOf(const onnx::TensorProto& tensor, const Place& place, DataReader& reader) {
  if (!IsExternal(tensor)) return ChecksumOfData(tensor);
  const auto range = reader.Find(tensor, place);
  std::string checksum;
  if (!range.has_value() || (!reader.Knows(*range) && !reader.Take(*range, place))) return checksum;
  const int error = reader.AddUp(*range, &checksum);
  if (error != 0) reader.Report(ReadError(range->location, error, place));
  return checksum;
}

std::string TensorLabel(const onnx::TensorProto& tensor) {
  return tensor.name().empty() ? "this tensor" : fmt::format("the tensor '{}'", Quoted(tensor.name()));
}

std::string ElidedLabel(const onnx::TensorProto& tensor, const Place& place) {
  const Place* root = &place;
  while (root->parent != nullptr) root = root->parent;
  std::int64_t more = -1;
  // The visitor does not change the message.
  ForEachTensor(const_cast<google::protobuf::Message*>(&root->message),
                [&](const onnx::TensorProto* other, const Place&) { more += IsElided(*other) ? 1 : 0; });
  return TensorLabel(tensor) + (more > 0 ? fmt::format(" and of {}", Counted(more, "more tensor")) : "");
}

Diagnostic ElidedError(const onnx::TensorProto& tensor, const Place& place) {
  Diagnostic error = MakeDiagnostic(diag::kExternalElided, kNowhere, ElidedLabel(tensor, place));
  error.path = PathOf(place);
  return error;
}

}  // namespace onnxc::weights

namespace onnxc {

Diagnostics ElideWeights(google::protobuf::Message* message, Elision elision, std::uint64_t size_threshold,
                         const ExternalDataOptions& options) {
  Diagnostics found = wire::CheckNesting(*message);
  if (!found.ok()) return found;
  weights::DataReader reader(options, &found);
  weights::ForEachTensor(message, [&](onnx::TensorProto* tensor, const Place& place) {
    const bool has_data = weights::IsExternal(*tensor) || CountDataFields(*tensor) != 0;
    if (weights::IsElided(*tensor) || weights::IsPartOfSparse(place) || !has_data) return;
    const std::optional<std::uint64_t> size = DataSize(*tensor);
    if (elision == Elision::kNothing) {
      if (weights::MayBeShape(*tensor)) return;
      const bool is_string = tensor->data_type() == onnx::TensorProto::STRING;
      if (is_string ? tensor->ByteSizeLong() >= size_threshold : size.value_or(0) >= size_threshold) {
        SetElided("", tensor);
      }
      return;
    }
    if (!size.has_value() || *size < size_threshold ||
        (!weights::IsExternal(*tensor) && !weights::CanMoveData(*tensor)))
      return;
    const std::string checksum = weights::ChecksumOf(*tensor, place, reader);
    if (!checksum.empty()) SetElided(checksum, tensor);
  });
  return found;
}

Diagnostics FindElided(const google::protobuf::Message& message) {
  Diagnostics found = wire::CheckNesting(message);
  if (!found.ok()) return found;
  // The visitor does not change the message.
  weights::ForEachTensor(const_cast<google::protobuf::Message*>(&message),
                         [&](onnx::TensorProto* tensor, const Place& place) {
                           if (found.ok() && weights::IsElided(*tensor))
                             found.Add(weights::ElidedError(*tensor, place));
                         });
  return found;
}

std::string FirstLocation(const google::protobuf::Message& message) {
  std::string location;
  if (!wire::CheckNesting(message).ok()) return location;
  weights::ForEachTensor(const_cast<google::protobuf::Message*>(&message),
                         [&](onnx::TensorProto* tensor, const Place&) {
                           if (location.empty() && weights::IsExternal(*tensor))
                             location = ReadEntries(*tensor).location;
                         });
  return location;
}

}  // namespace onnxc
