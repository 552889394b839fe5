// The parts that graphs and functions have in common: nodes, and the values that connect them.
#pragma once

#include <onnxc/proto.h>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "source/names.h"

namespace onnxc::diff {

/// Converts an index of protobuf to an index of a vector.
[[nodiscard]] constexpr std::size_t At(int index) { return static_cast<std::size_t>(index); }

struct Body {
  explicit Body(const onnx::GraphProto& graph);
  explicit Body(const onnx::FunctionProto& function);

  const google::protobuf::RepeatedPtrField<onnx::NodeProto>& nodes;
  std::vector<std::string_view> inputs;
  std::vector<const onnx::TypeProto*> input_types;  ///< null if a function does not declare the type
  std::vector<std::string_view> outputs;
  std::vector<const onnx::TensorProto*> initializers;
};

/// An input or an output of a node.
struct Port {
  int node = -1;
  int index = 0;
  bool operator==(const Port&) const = default;
};

/// A body whose values are identified by numbers.
class Wiring {
 public:
  explicit Wiring(const Body& body);

  struct Value {
    std::string_view name;
    Port definition;  ///< node -1 means none
    int input = -1;   ///< the index of the body's input with this name
    int output = -1;
    int initializer = -1;
    std::vector<Port> uses;
  };

  [[nodiscard]] const std::vector<Value>& values() const { return values_; }
  /// Return the values of a node's inputs and outputs.
  [[nodiscard]] const std::vector<int>& reads(int node) const { return reads_[static_cast<std::size_t>(node)]; }
  [[nodiscard]] const std::vector<int>& writes(int node) const { return writes_[static_cast<std::size_t>(node)]; }
  /// UsesOf() returns the inputs of nodes that read an output of a node; UsesOfInput() returns those that read an input
  /// of the body. If a name is defined several times, all its uses belong to the first definition, so that they are
  /// counted only once.
  [[nodiscard]] std::span<const Port> UsesOf(Port output) const {
    const Value& value = values_[static_cast<std::size_t>(writes(output.node)[static_cast<std::size_t>(output.index)])];
    return value.definition == output ? std::span(value.uses) : std::span<const Port>();
  }
  [[nodiscard]] std::span<const Port> UsesOfInput(int input) const {
    const Value& value = values_[static_cast<std::size_t>(inputs_[static_cast<std::size_t>(input)])];
    return value.input == input ? std::span(value.uses) : std::span<const Port>();
  }
  /// Returns the nodes in an order in which each node follows the nodes whose outputs it reads. Nodes of a cycle are
  /// missing.
  [[nodiscard]] const std::vector<int>& order() const { return order_; }

 private:
  int Number(std::string_view name);
  void Sort();

  NameMap<int> numbers_;
  std::vector<Value> values_;
  std::vector<int> inputs_;
  std::vector<std::vector<int>> reads_;
  std::vector<std::vector<int>> writes_;
  std::vector<int> order_;
};

}  // namespace onnxc::diff
