#include "edit/true_types.h"

#include <onnxc/infer.h>

#include "edit/keep.h"

namespace onnxc::edit {
namespace {

using onnx::TypeProto;
using onnx::ValueInfoProto;
using TypeKind = ValueType::Kind;

template <typename Tensor>
bool FitsTensor(const Tensor& declared, const ValueType& type) {
  if (declared.elem_type() != 0 && type.element_type != 0 && declared.elem_type() != type.element_type) return false;
  if (!declared.has_shape() || !type.has_rank) return true;
  if (declared.shape().dim_size() != type.rank()) return false;
  for (int i = 0; i < type.rank(); ++i) {
    const auto& dim = declared.shape().dim(i);
    if (dim.has_dim_value() && type.shape[static_cast<std::size_t>(i)].Contradicts(dim.dim_value())) return false;
  }
  return true;
}

/// Returns whether the inferred type may be the declared one.
bool Fits(const TypeProto& declared, const ValueType* type) {
  if (type == nullptr || type->kind == TypeKind::kUnknown) return true;
  switch (declared.value_case()) {
    case TypeProto::kTensorType: return type->kind == TypeKind::kTensor && FitsTensor(declared.tensor_type(), *type);
    case TypeProto::kSparseTensorType:
      return type->kind == TypeKind::kSparseTensor && FitsTensor(declared.sparse_tensor_type(), *type);
    case TypeProto::kSequenceType:
      return type->kind == TypeKind::kSequence && Fits(declared.sequence_type().elem_type(), type->element);
    case TypeProto::kOptionalType:
      return type->kind == TypeKind::kOptional && Fits(declared.optional_type().elem_type(), type->element);
    case TypeProto::kMapType:
      return type->kind == TypeKind::kMap && Fits(declared.map_type().value_type(), type->element) &&
             (type->element_type == 0 || type->element_type == declared.map_type().key_type());
    case TypeProto::kOpaqueType: return type->kind == TypeKind::kOpaque;
    case TypeProto::VALUE_NOT_SET: return true;
  }
  return true;
}

/// Calls visit(owner, value_info) for each graph and function.
template <typename Visit>
class Declarations {
 public:
  explicit Declarations(const Visit& visit) : visit_(visit) {}

  void Read(onnx::ModelProto* model) {
    Read(model->mutable_graph());
    for (onnx::TrainingInfoProto& training : *model->mutable_training_info()) {
      if (training.has_initialization()) Read(training.mutable_initialization());
      if (training.has_algorithm()) Read(training.mutable_algorithm());
    }
    for (onnx::FunctionProto& function : *model->mutable_functions()) {
      ReadAttributes(function.mutable_attribute_proto());
      Read(&function);
    }
  }

 private:
  template <typename Owner>
  void Read(Owner* owner) {
    visit_(*owner, owner->mutable_value_info());
    for (onnx::NodeProto& node : *owner->mutable_node()) ReadAttributes(node.mutable_attribute());
  }

  void ReadAttributes(google::protobuf::RepeatedPtrField<onnx::AttributeProto>* attributes) {
    for (onnx::AttributeProto& attribute : *attributes) {
      if (attribute.has_g()) Read(attribute.mutable_g());
      for (onnx::GraphProto& graph : *attribute.mutable_graphs()) Read(&graph);
    }
  }

  const Visit& visit_;
};

template <typename Visit>
void ForEachDeclarations(onnx::ModelProto* model, const Visit& visit) {
  Declarations<Visit>(visit).Read(model);
}

}  // namespace

void RemoveUntrueTypes(onnx::ModelProto* model, const OwnedNameSet& values) {
  if (values.empty()) return;
  OwnedNameSet untrue;
  {
    const Inference inference = InferTypes(*model, {.overwrite = true});
    ForEachDeclarations(model, [&](const auto& owner, const auto* declarations) {
      NameMap<const ValueType*> types;
      for (const InferredValue& value : inference.ValuesOf(owner)) types.insert_or_assign(value.name, &value.type);
      for (const ValueInfoProto& value : *declarations) {
        const auto type = types.find(value.name());
        if (type == types.end() || Fits(value.type(), type->second) || !values.contains(value.name())) continue;
        untrue.insert(value.name());
      }
    });
  }
  if (untrue.empty()) return;
  ForEachDeclarations(model, [&](const auto&, auto* declarations) {
    Keep(declarations, [&](const ValueInfoProto& value, int) { return !untrue.contains(value.name()); });
  });
}

}  // namespace onnxc::edit
