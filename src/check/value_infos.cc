// Rules for values whose type is declared twice in a graph or function.
#include "check/context.h"

namespace onnxc::check {
namespace {

using onnx::TypeProto;
using onnx::ValueInfoProto;

bool AreOtherElements(int a, int b) { return a != 0 && b != 0 && a != b; }

template <typename Tensor>
bool AreOtherTensors(const Tensor& a, const Tensor& b) {
  if (AreOtherElements(a.elem_type(), b.elem_type())) return true;
  if (!a.has_shape() || !b.has_shape()) return false;
  if (a.shape().dim_size() != b.shape().dim_size()) return true;
  for (int i = 0; i < a.shape().dim_size(); ++i) {
    const auto& one = a.shape().dim(i);
    const auto& other = b.shape().dim(i);
    const bool are_sizes = one.has_dim_value() && other.has_dim_value() && one.dim_value() >= 0;
    if (are_sizes && other.dim_value() >= 0 && one.dim_value() != other.dim_value()) return true;
  }
  return false;
}

/// Returns whether no value can have both types. The comparison takes time linear in the smaller type.
bool Contradict(const TypeProto& first, const TypeProto& second) {
  const TypeProto* a = &first;
  const TypeProto* b = &second;
  while (a->value_case() == b->value_case()) {
    switch (a->value_case()) {
      case TypeProto::kTensorType: return AreOtherTensors(a->tensor_type(), b->tensor_type());
      case TypeProto::kSparseTensorType: return AreOtherTensors(a->sparse_tensor_type(), b->sparse_tensor_type());
      case TypeProto::kSequenceType:
        a = &a->sequence_type().elem_type();
        b = &b->sequence_type().elem_type();
        break;
      case TypeProto::kOptionalType:
        a = &a->optional_type().elem_type();
        b = &b->optional_type().elem_type();
        break;
      case TypeProto::kMapType:
        if (AreOtherElements(a->map_type().key_type(), b->map_type().key_type())) return true;
        a = &a->map_type().value_type();
        b = &b->map_type().value_type();
        break;
      case TypeProto::kOpaqueType:
        return a->opaque_type().domain() != b->opaque_type().domain() ||
               a->opaque_type().name() != b->opaque_type().name();
      case TypeProto::VALUE_NOT_SET: return false;
    }
  }
  return a->value_case() != TypeProto::VALUE_NOT_SET && b->value_case() != TypeProto::VALUE_NOT_SET;
}

void ExplainFirst(Diagnostic* finding, const ValueInfoProto& first, Context& context) {
  context.run.findings.Explain(finding, first, ValueInfoProto::kNameFieldNumber, 0, "the other type");
}

}  // namespace

void CheckValueInfos(const ValueInfos& values, int field, const Place& place, Context& context) {
  NameMap<const ValueInfoProto*> names;
  for (int i = 0; i < values.size(); ++i) {
    const ValueInfoProto& value = values[i];
    const Place at = place.Child(value, field, i);
    if (value.has_type()) {
      CheckTypeRules(value.type(), at.Child(value.type(), ValueInfoProto::kTypeFieldNumber), context.run);
    }
    CheckMetadata(value.metadata_props(), ValueInfoProto::kMetadataPropsFieldNumber, diag::kDuplicateMetadata, at,
                  context.run);
    const Spot name(at, ValueInfoProto::kNameFieldNumber);
    const auto [first, is_new] = names.try_emplace(value.name(), &value);
    if (is_new) {
      if (context.scope.FindHere(value.name()) == nullptr) {
        context.Report(diag::kUnknownValueInfo, name, Quoted(value.name()));
      }
    } else if (Contradict(first->second->type(), value.type())) {
      ExplainFirst(context.Report(diag::kDuplicateValueInfo, name, Quoted(value.name())), *first->second, context);
    } else {
      context.Report(diag::kRepeatedValueInfo, name, Quoted(value.name()));
    }
  }
}

void ReportSecondOutput(const ValueInfoProto& first, const ValueInfoProto& second, const Spot& spot, Context& context) {
  if (!Contradict(first.type(), second.type())) {
    context.Report(diag::kDuplicateOutput, spot, Quoted(second.name()));
    return;
  }
  ExplainFirst(context.Report(diag::kOutputTypesDiffer, spot, Quoted(second.name())), first, context);
}

}  // namespace onnxc::check
