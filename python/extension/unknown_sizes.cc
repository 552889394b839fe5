#include "unknown_sizes.h"

namespace onnxc::python {

UnknownSizes::UnknownSizes(const onnx::GraphProto& graph, const Inference& inference) {
  for (const auto* const values : {&graph.input(), &graph.output(), &graph.value_info()}) {
    for (const onnx::ValueInfoProto& value : *values) {
      for (const auto& dim : value.type().tensor_type().shape().dim()) taken_.insert(dim.dim_param());
    }
  }
  for (const InferredValue& value : inference.ValuesOf(graph)) {
    if (value.source == FactSource::kOperator && value.type.kind == ValueType::Kind::kTensor) {
      shapes_.insert_or_assign(std::string(value.name), value.type.shape);
    }
  }
}

void UnknownSizes::WriteTo(onnx::GraphProto* graph) {
  for (auto* const values : {graph->mutable_value_info(), graph->mutable_output()}) {
    for (onnx::ValueInfoProto& value : *values) {
      const auto found = shapes_.find(value.name());
      if (found == shapes_.end() || !value.type().tensor_type().has_shape()) continue;
      Write(found->second, value.mutable_type()->mutable_tensor_type()->mutable_shape());
    }
  }
}

void UnknownSizes::Write(std::span<const Dimension> shape, onnx::TensorShapeProto* written) {
  for (int i = 0; i < written->dim_size() && static_cast<std::size_t>(i) < shape.size(); ++i) {
    if (written->dim(i).value_case() != 0) continue;
    const Dimension& dim = shape[static_cast<std::size_t>(i)];
    std::string name = dim.IsUnknown() ? std::string() : named_[dim.expression()];
    if (name.empty()) name = Invent();
    if (!dim.IsUnknown()) named_[dim.expression()] = name;
    written->mutable_dim(i)->set_dim_param(name);
  }
}

std::string UnknownSizes::Invent() {
  std::string name;
  do name = "unk__" + std::to_string(next_++);
  while (taken_.contains(name));
  return name;
}

}  // namespace onnxc::python
