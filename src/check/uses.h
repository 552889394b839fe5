// Counts the uses of names of values and functions in all graphs and functions of a message, and collects these names.
#pragma once

#include <onnxc/proto.h>

#include <map>
#include <string_view>
#include <utility>

#include "source/message_path.h"
#include "source/names.h"

namespace onnxc::check {

/// Counts the uses in the first call of ReadAround(), which a rule makes only when it needs the counts. So most
/// messages without errors take no extra time.
class Uses {
 public:
  /// Reads the complete message that contains the place; later calls do nothing.
  void ReadAround(const Place& place);

  /// Returns how often this name is an input of a node, or an output of a graph or function.
  [[nodiscard]] int Reads(std::string_view name) const;
  /// Returns how many nodes call an operator or a function of this name, in any domain.
  [[nodiscard]] int Calls(std::string_view name) const;
  /// Returns whether the main graph has an input or initializer that nothing reads, and that a node may have been meant
  /// to read.
  [[nodiscard]] bool HasSpareInput() const { return has_spare_input_; }
  /// Returns the value_info entry for this name in an enclosing graph or function, or null if there is none.
  [[nodiscard]] const onnx::ValueInfoProto* Declaration(std::string_view name, const Place& place) const;
  /// Returns the output of this name of an enclosing graph. Returns null if there is none, or if it is an output of a
  /// function.
  [[nodiscard]] const onnx::ValueInfoProto* Output(std::string_view name, const Place& place) const;
  /// Returns whether the name is an output of an enclosing graph or function.
  [[nodiscard]] bool IsOutput(std::string_view name, const Place& place) const;
  /// Returns whether the place is a node that has this input. The inputs of the last node are kept as a set, because a
  /// node may have many inputs whose names are all unknown.
  [[nodiscard]] bool IsInput(std::string_view name, const Place& place);
  /// Returns whether a value has this name anywhere in the message that contains the place. The first call collects all
  /// names.
  [[nodiscard]] bool IsName(std::string_view name, const Place& place);

 private:
  [[nodiscard]] bool HasSpareInputs(const onnx::ModelProto& model) const;

  using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;
  using ValueInfos = google::protobuf::RepeatedPtrField<onnx::ValueInfoProto>;

  void Read(const onnx::ModelProto& model);
  void Read(const onnx::FunctionProto& function);
  void Read(const onnx::GraphProto& graph, int nested);
  void Read(const Nodes& nodes, int nested);
  void Declare(const google::protobuf::Message& owner, const ValueInfos& values);
  void Give(const google::protobuf::Message& owner, std::string_view name, const onnx::ValueInfoProto* output);

  using OwnedName = std::pair<const google::protobuf::Message*, std::string_view>;

  const google::protobuf::Message* root_ = nullptr;
  const google::protobuf::Message* named_ = nullptr;  // the message whose names are in names_
  OwnedNameSet names_;
  const google::protobuf::Message* node_ = nullptr;  // the node whose inputs are in inputs_
  NameSet inputs_;
  NameMap<int> reads_;
  NameMap<int> calls_;
  bool has_spare_input_ = false;
  std::map<OwnedName, const onnx::ValueInfoProto*> declared_;
  std::map<OwnedName, const onnx::ValueInfoProto*> outputs_;
};

}  // namespace onnxc::check
