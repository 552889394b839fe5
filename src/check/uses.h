// What the names of values are used for, in all graphs and functions of a message.
#pragma once

#include <onnxc/proto.h>

#include <map>
#include <string_view>
#include <utility>

#include "source/message_path.h"
#include "source/names.h"

namespace onnxc::check {

/// Found out at the first question, so that messages without a mistake cost nothing.
class Uses {
 public:
  /// Reads all of the message that the place is in, once.
  void ReadAround(const Place& place);

  /// How often nodes read the name, and graphs and functions give it.
  [[nodiscard]] int Reads(std::string_view name) const;
  /// Whether nothing reads some input or initializer of the main graph: it may be the one that a node should read.
  [[nodiscard]] bool HasSpareInput() const { return has_spare_input_; }
  /// The entry of value_info that tells its type, in a graph or function around the place; null where there is none.
  [[nodiscard]] const onnx::ValueInfoProto* Declaration(std::string_view name, const Place& place) const;
  /// The output of a graph around the place that has the name; null where there is none, or a function gives it.
  [[nodiscard]] const onnx::ValueInfoProto* Output(std::string_view name, const Place& place) const;
  /// Whether it is an output of a graph or function around the place.
  [[nodiscard]] bool IsOutput(std::string_view name, const Place& place) const;

 private:
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
  NameMap<int> reads_;
  bool has_spare_input_ = false;
  std::map<OwnedName, const onnx::ValueInfoProto*> declared_;
  std::map<OwnedName, const onnx::ValueInfoProto*> outputs_;
};

}  // namespace onnxc::check
