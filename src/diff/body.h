// What graphs and functions have in common: nodes, and the values that connect them.
#pragma once

#include <onnxc/proto.h>

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace onnxc {

struct Body {
  explicit Body(const onnx::GraphProto& graph);
  explicit Body(const onnx::FunctionProto& function);

  const google::protobuf::RepeatedPtrField<onnx::NodeProto>& nodes;
  std::vector<std::string_view> inputs;
  std::vector<const onnx::TypeProto*> input_types;  ///< null where a function does not tell
  std::vector<std::string_view> outputs;
  std::vector<const onnx::TensorProto*> initializers;
};

/// An input or an output of a node.
struct NodeSlot {
  int node = -1;
  int index = 0;
};

/// A body with its values told apart by numbers.
class Wiring {
 public:
  explicit Wiring(const Body& body);

  struct Value {
    std::string_view name;
    NodeSlot definition;  ///< node -1: none
    int input = -1;       ///< of the body, with this name
    int output = -1;
    int initializer = -1;
    std::vector<NodeSlot> uses;
  };

  [[nodiscard]] const std::vector<Value>& values() const { return values_; }
  /// The values of a node's inputs and outputs.
  [[nodiscard]] const std::vector<int>& reads(int node) const { return reads_[static_cast<std::size_t>(node)]; }
  [[nodiscard]] const std::vector<int>& writes(int node) const { return writes_[static_cast<std::size_t>(node)]; }
  /// The value that goes by the name of an input of the body.
  [[nodiscard]] const Value& ValueOfInput(int input) const {
    return values_[static_cast<std::size_t>(inputs_[static_cast<std::size_t>(input)])];
  }
  /// The nodes, each behind those that it reads from; nodes that wait for each other are missing.
  [[nodiscard]] const std::vector<int>& order() const { return order_; }

 private:
  int Number(std::string_view name);
  void Sort();

  std::unordered_map<std::string_view, int> numbers_;
  std::vector<Value> values_;
  std::vector<int> inputs_;
  std::vector<std::vector<int>> reads_;
  std::vector<std::vector<int>> writes_;
  std::vector<int> order_;
};

}  // namespace onnxc
