// The walk over graphs and functions.
#pragma once

#include <deque>
#include <map>

#include "source/message_path.h"
#include "infer/context.h"

namespace onnxc::infer {

using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;
using Opsets = google::protobuf::RepeatedPtrField<onnx::OperatorSetIdProto>;
using ValueInfos = google::protobuf::RepeatedPtrField<onnx::ValueInfoProto>;
using Declared = std::unordered_map<std::string_view, const onnx::ValueInfoProto*>;

/// A function's attributes as a call gives them; null outside of functions.
using Arguments = std::map<std::string_view, const onnx::AttributeProto*>;

/// The names of one graph or function body, and of those around it.
struct Frame {
  const Frame* parent = nullptr;
  const Opsets& opsets;
  const Arguments* arguments = nullptr;
  int depth = 0;  ///< graphs and functions around
  std::unordered_map<std::string_view, Value*> values = {};
  Declared declared = {};
  std::deque<Value> storage = {};
  std::vector<std::pair<std::string_view, const Value*>> order = {};  ///< as they were defined

  Frame(const Frame* around, const Opsets& imports, const Arguments* given)
      : parent(around), opsets(imports), arguments(given), depth(around == nullptr ? 0 : around->depth + 1) {}

  [[nodiscard]] Value* Find(std::string_view name) const;
  Value& Define(std::string_view name, Value value);
};

struct FunctionKey {
  std::string_view domain;
  std::string_view name;
  std::string_view overload;
  auto operator<=>(const FunctionKey&) const = default;
};

class Engine {
 public:
  Engine(const onnx::ModelProto& model, const InferOptions& options);

  void Run();

  // ---- what nodes need
  void Report(Diagnostic finding, const Spot& spot);
  void Explain(Diagnostic* finding, std::string_view name, const Value& value) const;
  /// The outputs of a graph in an attribute of a node in `frame`, for inputs of these types.
  std::optional<std::vector<Value>> InferSubgraph(const onnx::GraphProto& graph, const Place& place, const Frame& frame,
                                                  std::span<const Value> inputs);

  Memory& memory() { return *memory_; }
  const InferOptions& options() const { return options_; }
  std::shared_ptr<Memory> shared_memory() const { return memory_; }

  /// While it is above 0, nothing is reported and kept: types are only tried.
  int trials = 0;
  Diagnostics findings;
  std::unordered_map<const void*, std::vector<InferredValue>> values;

 private:
  void DefineInputs(const onnx::GraphProto& graph, const Place& place, Frame& frame, std::span<const Value> given);
  void DefineInitializers(const onnx::GraphProto& graph, const Place& place, Frame& frame);
  void InferNodes(const Nodes& nodes, const Place& place, int field, Frame& frame);
  void InferNode(const onnx::NodeProto& node, const Place& place, Frame& frame);
  void ApplyOperator(const onnx::NodeProto& node, const Operator& op, int version, std::span<Value* const> inputs,
                     std::span<Value> outputs, const Place& place, const Frame& frame);
  void DefineOutput(const onnx::NodeProto& node, int index, Value value, const Place& place, Frame& frame);
  void Record(const google::protobuf::Message& owner, const Frame& frame);
  [[nodiscard]] SourceRange RangeOf(const Spot& spot) const;

  const onnx::ModelProto& model_;
  const InferOptions& options_;
  std::shared_ptr<Memory> memory_;
  std::map<FunctionKey, const onnx::FunctionProto*> functions_;
  std::size_t steps_left_;
};

/// Sets each output to what the signature tells: its kind, and its element type where that is certain.
void ApplySignature(const Operator& op, std::span<Value* const> inputs, std::span<Value> outputs);

}  // namespace onnxc::infer
