#include "edit/true_types.h"

#include <onnxc/infer.h>

#include "check/context.h"
#include "edit/keep.h"
#include "tables/signatures.h"

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

std::vector<std::pair<std::string, std::string>> WrongIdentities(onnx::ModelProto* model,
                                                                 const OwnedNameMap<AddedIdentity>& identities) {
  std::vector<std::pair<std::string, std::string>> wrong;
  if (identities.empty()) return wrong;
  const Inference inference = InferTypes(*model, {.overwrite = true});
  NameMap<const ValueType*> types;  // of the graphs that were visited: an enclosing graph comes before those inside
  ForEachDeclarations(model, [&](const auto& owner, const auto*) {
    for (const InferredValue& value : inference.ValuesOf(owner)) types.insert_or_assign(value.name, &value.type);
    for (const onnx::NodeProto& node : owner.node()) {
      if (node.op_type() != "Identity" || node.input().empty() || node.output().empty()) continue;
      const auto added = identities.find(node.output(0));
      const auto type = types.find(node.input(0));
      if (added == identities.end() || type == types.end()) continue;
      const Operator* const op = FindOperator("", "Identity", check::VersionFor(added->second.version));
      const TypeProto proto = ToProto(*type->second);
      const TypeId id = TypeOf(proto);
      if (op == nullptr || id == kNoType || Types(Inputs(*op)[0]).Has(id)) continue;
      wrong.emplace_back(node.output(0), TypeName(proto));
    }
  });
  return wrong;
}

Declared DeclaredBy(onnx::ModelProto* model) {
  Declared declared;
  ForEachDeclarations(model, [&](const auto&, const auto* declarations) {
    for (const ValueInfoProto& value : *declarations) declared.insert(&value);
  });
  return declared;
}

void RemoveUntrueTypes(onnx::ModelProto* model, const OwnedNameSet& values, const Declared& authors) {
  if (values.empty()) return;
  Declared untrue;
  {
    const Inference inference = InferTypes(*model, {.overwrite = true});
    ForEachDeclarations(model, [&](const auto& owner, const auto* declarations) {
      NameMap<const ValueType*> types;
      for (const InferredValue& value : inference.ValuesOf(owner)) types.insert_or_assign(value.name, &value.type);
      for (const ValueInfoProto& value : *declarations) {
        const auto type = types.find(value.name());
        if (type == types.end() || Fits(value.type(), type->second) || !values.contains(value.name())) continue;
        if (!authors.contains(&value)) untrue.insert(&value);
      }
    });
  }
  if (untrue.empty()) return;
  ForEachDeclarations(model, [&](const auto&, auto* declarations) {
    Keep(declarations, [&](const ValueInfoProto& value, int) { return !untrue.contains(&value); });
  });
}

}  // namespace onnxc::edit
