#include "diff/body.h"

namespace onnxc::diff {

Body::Body(const onnx::GraphProto& graph) : nodes(graph.node()) {
  for (const onnx::ValueInfoProto& input : graph.input()) {
    inputs.push_back(input.name());
    input_types.push_back(input.has_type() ? &input.type() : nullptr);
  }
  for (const onnx::ValueInfoProto& output : graph.output()) outputs.push_back(output.name());
  for (const onnx::TensorProto& initializer : graph.initializer()) initializers.push_back(&initializer);
}

Body::Body(const onnx::FunctionProto& function)
    : nodes(function.node()),
      inputs(function.input().begin(), function.input().end()),
      input_types(inputs.size()),
      outputs(function.output().begin(), function.output().end()) {}

Wiring::Wiring(const Body& body) {
  const auto declare = [this](std::string_view name, int Value::*role, std::size_t index) {
    int& number = values_[static_cast<std::size_t>(Number(name))].*role;
    if (number < 0) number = static_cast<int>(index);
  };
  for (std::size_t i = 0; i < body.inputs.size(); ++i) {
    declare(body.inputs[i], &Value::input, i);
    inputs_.push_back(Number(body.inputs[i]));
  }
  for (std::size_t i = 0; i < body.outputs.size(); ++i) declare(body.outputs[i], &Value::output, i);
  for (std::size_t i = 0; i < body.initializers.size(); ++i) {
    declare(body.initializers[i]->name(), &Value::initializer, i);
  }
  reads_.resize(static_cast<std::size_t>(body.nodes.size()));
  writes_.resize(reads_.size());
  for (int node = 0; node < body.nodes.size(); ++node) {
    for (const std::string& name : body.nodes[node].input()) {
      const int value = Number(name);
      auto& reads = reads_[static_cast<std::size_t>(node)];
      if (!name.empty()) {
        values_[static_cast<std::size_t>(value)].uses.push_back({node, static_cast<int>(reads.size())});
      }
      reads.push_back(value);
    }
    for (const std::string& name : body.nodes[node].output()) {
      const int value = Number(name);
      auto& writes = writes_[static_cast<std::size_t>(node)];
      Port& definition = values_[static_cast<std::size_t>(value)].definition;
      if (!name.empty() && definition.node < 0) definition = {node, static_cast<int>(writes.size())};
      writes.push_back(value);
    }
  }
  Sort();
}

int Wiring::Number(std::string_view name) {
  const auto [found, is_new] = numbers_.emplace(name, static_cast<int>(values_.size()));
  if (is_new) values_.emplace_back().name = name;
  return found->second;
}

void Wiring::Sort() {
  std::vector<int> missing(reads_.size());
  for (std::size_t node = 0; node < reads_.size(); ++node) {
    for (const int value : reads_[node]) {
      if (values_[static_cast<std::size_t>(value)].definition.node >= 0) ++missing[node];
    }
    if (missing[node] == 0) order_.push_back(static_cast<int>(node));
  }
  for (std::size_t next = 0; next < order_.size(); ++next) {
    const int node = order_[next];
    for (int i = 0; i < static_cast<int>(writes(node).size()); ++i) {
      for (const Port& use : UsesOf({node, i})) {
        if (--missing[static_cast<std::size_t>(use.node)] == 0) order_.push_back(use.node);
      }
    }
  }
}

}  // namespace onnxc::diff
