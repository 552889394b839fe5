// A model with the types that were inferred.

#include "infer/shapes.h"

namespace onnxc {
namespace {

using infer::Memory;
using onnx::GraphProto;

/// The bytes that the names of a type's dimensions take.
std::size_t LengthOfNames(const ValueType& type) {
  std::size_t length = 0;
  for (const Dimension& dim : type.shape) length += dim.symbol().size();
  return type.element == nullptr ? length : length + LengthOfNames(*type.element);
}

/// Something to write: of a tensor at least the element type. Long names of dimensions are not: a short node would copy
/// them.
bool IsTold(const ValueType& type) {
  constexpr std::size_t kLongestNames = 4096;
  if (type.kind == ValueType::Kind::kUnknown || (type.IsTensor() && type.element_type == 0)) return false;
  return LengthOfNames(type) <= kLongestNames;
}

void Annotate(GraphProto* graph, const Inference& inference, const GraphProto& source, bool overwrite, bool is_inside);

/// The graphs in the attributes of the nodes, beside those of the model that was inferred.
void AnnotateInside(GraphProto* graph, const Inference& inference, const GraphProto& source, bool overwrite) {
  for (int i = 0; i < graph->node_size(); ++i) {
    for (int j = 0; j < graph->node(i).attribute_size(); ++j) {
      const onnx::AttributeProto& attribute = source.node(i).attribute(j);
      onnx::AttributeProto* const copy = graph->mutable_node(i)->mutable_attribute(j);
      if (attribute.has_g()) Annotate(copy->mutable_g(), inference, attribute.g(), overwrite, true);
      for (int k = 0; k < attribute.graphs_size(); ++k) {
        Annotate(copy->mutable_graphs(k), inference, attribute.graphs(k), overwrite, true);
      }
    }
  }
}

/// Adds what the declared type lacks: the element type, the shape, dimensions without a size.
template <typename Tensor>
void FillInTensor(Tensor* declared, const Tensor& inferred) {
  if (declared->elem_type() == 0 && inferred.elem_type() != 0) declared->set_elem_type(inferred.elem_type());
  if (!inferred.has_shape()) return;
  if (!declared->has_shape()) {
    *declared->mutable_shape() = inferred.shape();
    return;
  }
  for (int i = 0; i < std::min(declared->shape().dim_size(), inferred.shape().dim_size()); ++i) {
    auto* const dim = declared->mutable_shape()->mutable_dim(i);
    const auto& known = inferred.shape().dim(i);
    if (known.has_dim_value() ? !dim->has_dim_value() : dim->value_case() == 0 && known.has_dim_param()) {
      if (known.has_dim_value()) {
        dim->set_dim_value(known.dim_value());
      } else {
        dim->set_dim_param(known.dim_param());
      }
    }
  }
}

void FillIn(onnx::TypeProto* declared, const onnx::TypeProto& inferred) {
  if (declared->value_case() == onnx::TypeProto::VALUE_NOT_SET) {
    *declared = inferred;
  } else if (declared->has_tensor_type() && inferred.has_tensor_type()) {
    FillInTensor(declared->mutable_tensor_type(), inferred.tensor_type());
  } else if (declared->has_sparse_tensor_type() && inferred.has_sparse_tensor_type()) {
    FillInTensor(declared->mutable_sparse_tensor_type(), inferred.sparse_tensor_type());
  } else if (declared->has_sequence_type() && inferred.has_sequence_type()) {
    FillIn(declared->mutable_sequence_type()->mutable_elem_type(), inferred.sequence_type().elem_type());
  } else if (declared->has_optional_type() && inferred.has_optional_type()) {
    FillIn(declared->mutable_optional_type()->mutable_elem_type(), inferred.optional_type().elem_type());
  } else if (declared->has_map_type() && inferred.has_map_type()) {
    FillIn(declared->mutable_map_type()->mutable_value_type(), inferred.map_type().value_type());
  }
}

void Complete(onnx::ValueInfoProto* info, const ValueType& type, bool overwrite) {
  if (!IsTold(type)) return;
  if (overwrite || !info->has_type()) {
    *info->mutable_type() = ToProto(type);
    return;
  }
  FillIn(info->mutable_type(), ToProto(type));
}

/// The inputs of a graph in an attribute have the types that the node gives them; those of the model are what the user
/// declared.
void Annotate(GraphProto* graph, const Inference& inference, const GraphProto& source, bool overwrite, bool is_inside) {
  NameMap<const InferredValue*> values;
  for (const InferredValue& value : inference.ValuesOf(source)) values.insert_or_assign(value.name, &value);
  NameSet inputs;
  for (const auto& input : source.input()) {
    if (!inputs.insert(input.name()).second) values.erase(input.name());  // the type of one would become that of both
  }
  NameSet told;
  const auto complete = [&](onnx::ValueInfoProto* info) {
    const auto found = values.find(info->name());
    if (found != values.end()) Complete(info, found->second->type, overwrite);
    told.insert(info->name());
  };
  for (auto& input : *graph->mutable_input()) is_inside ? complete(&input) : void(told.insert(input.name()));
  for (const auto& tensor : graph->initializer()) told.insert(tensor.name());
  for (const auto& tensor : graph->sparse_initializer()) told.insert(tensor.values().name());
  for (auto& output : *graph->mutable_output()) complete(&output);
  for (auto& value : *graph->mutable_value_info()) complete(&value);
  for (const InferredValue& value : inference.ValuesOf(source)) {
    if (value.source != FactSource::kOperator || !IsTold(value.type) || !told.insert(value.name).second) continue;
    onnx::ValueInfoProto* const added = graph->add_value_info();
    added->set_name(std::string(value.name));
    *added->mutable_type() = ToProto(value.type);
  }
  AnnotateInside(graph, inference, source, overwrite);
}

}  // namespace

onnx::ModelProto WithTypes(const onnx::ModelProto& model, const Inference& inference, bool overwrite) {
  onnx::ModelProto result = model;
  if (model.has_graph()) Annotate(result.mutable_graph(), inference, model.graph(), overwrite, false);
  for (int i = 0; i < model.training_info_size(); ++i) {
    const onnx::TrainingInfoProto& training = model.training_info(i);
    onnx::TrainingInfoProto* const copy = result.mutable_training_info(i);
    if (training.has_initialization()) {
      Annotate(copy->mutable_initialization(), inference, training.initialization(), overwrite, false);
    }
    if (training.has_algorithm()) {
      Annotate(copy->mutable_algorithm(), inference, training.algorithm(), overwrite, false);
    }
  }
  return result;
}

}  // namespace onnxc
