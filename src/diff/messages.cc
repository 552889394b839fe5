// Compares the message types for which comparing the fields one by one is not enough.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <google/protobuf/descriptor.h>

#include <algorithm>
#include <set>

#include "diff/body_comparer.h"
#include "diff/comparer.h"
#include "diff/equality.h"
#include "diff/tensor.h"
#include "external/checksum.h"
#include "external/external_entries.h"
#include "print/brief.h"
#include "source/nodes.h"
#include "tables/operator_changes.h"
#include "tables/raw_data.h"
#include "tables/signatures.h"

namespace onnxc::diff {
namespace {

using onnx::AttributeProto;
using onnx::FunctionProto;
using onnx::GraphProto;
using onnx::TensorProto;

template <typename Proto>
const Proto& As(const Place& place) {
  return static_cast<const Proto&>(place.message);
}

bool SameFields(const Both& at, FieldSet fields) {
  const google::protobuf::Descriptor& type = *at.before.message.GetDescriptor();
  for (int i = 0; i < type.field_count(); ++i) {
    const google::protobuf::FieldDescriptor& field = *type.field(i);
    if ((fields >> field.number() & 1) != 0 && !SameField(at.before.message, at.after.message, field)) return false;
  }
  return true;
}

/// Returns the checksum of the tensor's elided data, "" if there is none, or nothing if the data are not elided, or if
/// the tensor has data or other entries nonetheless, or something else in place of the checksum.
std::optional<std::string_view> ElidedChecksum(const TensorProto& tensor) {
  const bool may_be_elided = tensor.data_location() == TensorProto::EXTERNAL && tensor.external_data_size() == 1 &&
                             CountDataFields(tensor) == 0;
  if (!may_be_elided) return std::nullopt;
  const ExternalEntries entries = ReadEntries(tensor);
  return entries.problems.empty() ? entries.elided : std::nullopt;
}

/// Describes where the elements of the tensor are stored.
std::string_view StorageOf(const TensorProto& tensor) {
  if (const auto checksum = ElidedChecksum(tensor)) return checksum->empty() ? "elided" : "elided, with a checksum";
  if (tensor.data_location() == TensorProto::EXTERNAL) return "external data";
  if (!tensor.string_data().empty()) return "string_data";
  if (!tensor.raw_data().empty()) return "raw_data";
  if (!tensor.float_data().empty()) return "float_data";
  if (!tensor.int32_data().empty()) return "int32_data";
  if (!tensor.int64_data().empty()) return "int64_data";
  if (!tensor.double_data().empty()) return "double_data";
  return tensor.uint64_data().empty() ? "nothing" : "uint64_data";
}

constexpr FieldSet kTypeAndShape = Fields(TensorProto::kDimsFieldNumber, TensorProto::kDataTypeFieldNumber);
constexpr FieldSet kData =
    Fields(TensorProto::kFloatDataFieldNumber, TensorProto::kInt32DataFieldNumber, TensorProto::kStringDataFieldNumber,
           TensorProto::kInt64DataFieldNumber, TensorProto::kRawDataFieldNumber, TensorProto::kDoubleDataFieldNumber,
           TensorProto::kUint64DataFieldNumber);
constexpr FieldSet kPlace = Fields(TensorProto::kExternalDataFieldNumber, TensorProto::kDataLocationFieldNumber);

/// Returns the index of an element as text: `[0, 2]`.
std::string IndexText(const TensorProto& tensor, std::size_t element) {
  std::vector<std::int64_t> index(static_cast<std::size_t>(tensor.dims_size()));
  auto rest = static_cast<std::int64_t>(element);
  for (int i = tensor.dims_size(); i-- > 0;) {
    index[static_cast<std::size_t>(i)] = rest % tensor.dims(i);
    rest /= tensor.dims(i);
  }
  return fmt::format("[{}]", fmt::join(index, ", "));
}

/// If the version of the standard operators has changed, returns a text that lists the operators in the new model whose
/// meaning differs between the two versions. Returns "" if there are none.
std::string OtherMeanings(const Both& at) {
  if (at.after.parent == nullptr || at.after.message.GetDescriptor() != onnx::OperatorSetIdProto::descriptor())
    return "";
  const auto* const model = dynamic_cast<const onnx::ModelProto*>(&at.after.parent->message);
  const auto& before = As<onnx::OperatorSetIdProto>(at.before);
  const auto& after = As<onnx::OperatorSetIdProto>(at.after);
  if (model == nullptr || !NodeDomain(after.domain()).empty() || !NodeDomain(before.domain()).empty()) return "";
  std::set<std::string_view> names;
  ForEachNode(model->graph().node(), [&](const onnx::NodeProto& node) {
    if (HasOtherMeaning(node, before.version(), after.version())) names.insert(node.op_type());
  });
  return names.empty() ? "" : fmt::format("another meaning: {}", fmt::join(names, ", "));
}

}  // namespace

void Comparer::Compare(const Both& at) {
  const google::protobuf::Descriptor* const type = at.before.message.GetDescriptor();
  if (type != at.after.message.GetDescriptor()) {
    return Report(Kind::kChanged, Aspect::kModel, PathOf(at.after), std::string(type->full_name()),
                  std::string(at.after.message.GetDescriptor()->full_name()), "the types of the messages differ");
  }
  if (type == GraphProto::descriptor()) return CompareGraph(at);
  if (type == FunctionProto::descriptor()) return CompareFunction(at);
  if (type == AttributeProto::descriptor()) return CompareAttribute(at);
  if (type == onnx::TypeProto::descriptor()) return CompareType(at);
  if (type == TensorProto::descriptor()) return CompareTensor(at);
  if (type == onnx::OperatorSetIdProto::descriptor() || type == onnx::StringStringEntryProto::descriptor()) {
    return CompareInOneLine(at);
  }
  CompareFields(at);
}

void Comparer::CompareGraph(const Both& at) {
  constexpr BodyFields kFields{GraphProto::kNodeFieldNumber, GraphProto::kInputFieldNumber,
                               GraphProto::kOutputFieldNumber, GraphProto::kInitializerFieldNumber};
  const Body before(As<GraphProto>(at.before));
  const Body after(As<GraphProto>(at.after));
  BodyComparer body(at, before, after, kFields, this);
  const auto inside = Inside(&body.counterparts());
  body.Run();
  CompareFields(at, Fields(kFields.node, kFields.input, kFields.output, kFields.initializer));
}

void Comparer::CompareFunction(const Both& at) {
  constexpr BodyFields kFields{FunctionProto::kNodeFieldNumber, FunctionProto::kInputFieldNumber,
                               FunctionProto::kOutputFieldNumber, 0};
  const Body before(As<FunctionProto>(at.before));
  const Body after(As<FunctionProto>(at.after));
  BodyComparer body(at, before, after, kFields, this);
  const auto inside = Inside(&body.counterparts());
  body.Run();
  CompareFields(at, Fields(kFields.node, kFields.input, kFields.output));
}

void Comparer::CompareAttribute(const Both& at) {
  constexpr FieldSet kValue =
      Fields(AttributeProto::kTypeFieldNumber, AttributeProto::kFFieldNumber, AttributeProto::kIFieldNumber,
             AttributeProto::kSFieldNumber, AttributeProto::kTpFieldNumber, AttributeProto::kFloatsFieldNumber,
             AttributeProto::kIntsFieldNumber, AttributeProto::kStringsFieldNumber,
             AttributeProto::kTypeProtosFieldNumber, AttributeProto::kRefAttrNameFieldNumber);
  if (SameFields(at, kValue)) return CompareFields(at, kValue);
  const auto& before = As<AttributeProto>(at.before);
  const auto& after = As<AttributeProto>(at.after);
  Report(Kind::kChanged, Aspect::kModel, PathOf(at.after), Brief(before), Brief(after));
  // If the type of the attribute differs, its inner messages are not compared separately.
  constexpr FieldSet kDeep = Fields(AttributeProto::kTFieldNumber, AttributeProto::kGFieldNumber,
                                    AttributeProto::kSparseTensorFieldNumber, AttributeProto::kTensorsFieldNumber,
                                    AttributeProto::kGraphsFieldNumber, AttributeProto::kSparseTensorsFieldNumber);
  CompareFields(at, before.type() == after.type() ? kValue : kValue | kDeep);
}

void Comparer::CompareType(const Both& at) {
  if (SameMessage(at.before.message, at.after.message)) return;
  std::string before = Brief(at.before.message);
  std::string after = Brief(at.after.message);
  if (before == after) return CompareFields(at);
  Report(Kind::kChanged, Aspect::kModel, PathOf(at.after), std::move(before), std::move(after));
}

void Comparer::CompareInOneLine(const Both& at) {
  if (SameMessage(at.before.message, at.after.message)) return;
  Report(Kind::kChanged, Aspect::kModel, PathOf(at.after), Brief(at.before.message), Brief(at.after.message),
         OtherMeanings(at));
}

// ---- tensors

void Comparer::CompareTensor(const Both& at) {
  if (!SameFields(at, kTypeAndShape)) {
    Report(Kind::kChanged, Aspect::kModel, PathOf(at.after), Brief(at.before.message), Brief(at.after.message));
  } else if (!SameFields(at, kData | kPlace)) {
    CompareData(at);
  }
  CompareFields(at, kTypeAndShape | kData | kPlace);
}

void Comparer::CompareData(const Both& at) {
  if (CompareElided(at)) return;
  const std::optional<Elements> before = Elements::Of(As<TensorProto>(at.before));
  const std::optional<Elements> after = Elements::Of(As<TensorProto>(at.after));
  if (!before || !after) return CompareOnly(at, kData | kPlace);
  CompareElements(at, *before, *after);
  const std::string_view old_storage = StorageOf(As<TensorProto>(at.before));
  const std::string_view new_storage = StorageOf(As<TensorProto>(at.after));
  if (old_storage != new_storage) {
    Report(Kind::kChanged, Aspect::kStorage, PathOf(at.after), std::string(old_storage), std::string(new_storage));
  }
  CompareOnly(at, kPlace);
}

/// Compares the data if they are elided in a tensor. They are equal as far as is known if both tensors have the same
/// checksum, or if one has none. Returns false if the fields must be compared one by one.
bool Comparer::CompareElided(const Both& at) {
  const auto& before = As<TensorProto>(at.before);
  const auto& after = As<TensorProto>(at.after);
  const std::optional<std::string_view> old_sum = ElidedChecksum(before);
  const std::optional<std::string_view> new_sum = ElidedChecksum(after);
  if (!old_sum && !new_sum) return false;
  if (old_sum != "" && new_sum != "") {
    if (old_sum && new_sum) return false;  // the entries differ
    const std::string sum = ChecksumOfData(old_sum ? after : before);
    if (sum.empty()) return false;
    if (sum != (old_sum ? *old_sum : *new_sum)) {
      Report(Kind::kChanged, Aspect::kModel, PathOf(at.after), std::string(StorageOf(before)),
             std::string(StorageOf(after)), "the checksum does not match");
      return true;
    }
  }
  Report(Kind::kChanged, Aspect::kStorage, PathOf(at.after), std::string(StorageOf(before)),
         std::string(StorageOf(after)));
  return true;
}

void Comparer::CompareElements(const Both& at, const Elements& before, const Elements& after) {
  if (before.bytes() == after.bytes()) return;
  std::size_t differing = 0;
  std::size_t with_other_bits = 0;
  std::size_t first = 0;
  double most = 0;
  for (std::size_t i = 0; i < before.count(); ++i) {
    if (before.Bits(i) == after.Bits(i)) continue;
    ++with_other_bits;
    const double distance = Elements::Distance(before, after, i);
    const double allowed = options_.weights_tolerance + options_.relative_tolerance * after.Magnitude(i);
    if (allowed > 0 && distance <= allowed) continue;
    if (differing++ == 0) first = i;
    most = std::max(most, distance);
  }
  if (with_other_bits == 0) {
    return Report(Kind::kChanged, Aspect::kStorage, PathOf(at.after), "", "", "bits after the last element");
  }
  if (differing == 0) return;
  const auto& tensor = As<TensorProto>(at.after);
  const std::size_t numbers = before.numbers_per_element();
  const std::string how_far =
      most > 0 ? fmt::format("by at most {}", most) : "in the sign of a zero or the bits of a NaN";
  const std::string of = fmt::format("{} of {} {}", differing, before.count(), numbers == 1 ? "elements" : "parts");
  Report(Kind::kChanged, Aspect::kModel, PathOf(at.after), before.Text(first), after.Text(first),
         fmt::format("{} differ{}, {}, the first at {}", of, differing == 1 ? "s" : "", how_far,
                     IndexText(tensor, first / numbers)));
}

}  // namespace onnxc::diff
