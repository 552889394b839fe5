// The printer of the reference dialect. It has a method for each construct of the language, in files that mirror
// src/lower. Two kinds of methods report what the dialect cannot express: Others() reports fields for which the dialect
// has no syntax; Identifier(), DottedName() and SubgraphName() report names that it cannot spell.
#pragma once

#include <onnxc/printer.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "print/common/bare.h"
#include "print/common/elements.h"
#include "print/reference/loss.h"
#include "print/reference/writer.h"
#include "tables/attribute_types.h"
#include "tables/carried.h"
#include "tables/element_types.h"
#include "tables/limits.h"

namespace onnxc::print {

class Printer {
 public:
  /// Completed text is passed to the sink, if there is one. The text is invalid if the result has errors.
  explicit Printer(const PrintOptions& options, Sink* sink = nullptr)
      : out_(sink), losses_(options), threads_(options.threads) {}
  /// Creates a printer for a part of the text of `whole`. It uses only the current thread and begins in the state of
  /// `whole`.
  explicit Printer(const Printer* whole) : out_(whole->out_.Beside()), losses_(whole->losses_.Beside()), threads_(1) {}
  Printer(const Printer&) = delete;
  Printer& operator=(const Printer&) = delete;

  // model.cc
  // The nodes, initializers and value infos of the graph are those of `parts`, not those of `model`.
  void Model(const onnx::ModelProto& model, const GraphParts& parts);

  // graph.cc
  enum class GraphRole { kTop, kAttribute };
  void Graph(const onnx::GraphProto& graph, GraphRole place) { Graph(graph, GraphParts(graph), place); }
  void Graph(const onnx::GraphProto& graph, const GraphParts& parts, GraphRole place);

  // function.cc
  void Function(const onnx::FunctionProto& function);

  // node.cc
  void Node(const onnx::NodeProto& node);

  // attribute.cc
  enum class AttributeRole { kNode, kFunction };
  void Attribute(const onnx::AttributeProto& attribute, AttributeRole place);

  // type.cc
  void Type(const onnx::TypeProto& type);
  void Dims(const onnx::TensorShapeProto& shape);
  void LoneShape(const onnx::TensorShapeProto& shape);
  /// Reports that the message is a sequence, a map or an optional, for which the reference dialect has no syntax.
  void RunValue(std::string_view what) {
    losses_.Add("", "{}, a value at run time", what);
    out_.Put("@{}");
  }

  // tensor.cc
  void Tensor(const onnx::TensorProto& tensor, TensorRole place);

  /// Returns the result: the whole text, or its end if there is a sink. The printer must not be used afterwards.
  [[nodiscard]] PrintResult Finish();

  /// Returns whether the output is invalid, because bytes in the lists are not messages.
  [[nodiscard]] bool is_malformed() const { return is_malformed_; }

 private:
  template <typename Proto>
  using Repeated = google::protobuf::RepeatedPtrField<Proto>;

  /// Reports fields of `message` that the base grammar cannot express, in the places where the onnxc dialect would
  /// print annotations. The reference dialect has no annotations.
  template <typename Proto>
  void Others(const Proto& message) {
    if (!is_known_schema_ || !IsBare(message)) losses_.AddOthers(message, kCarried<Proto>);
  }

  /// Returns whether the current graph or type contains messages that are nested too deeply to be read back. Only
  /// graphs and types can be nested without limit; other messages are less than ten levels deep. So the contents need
  /// to be inspected only if the current depth is near the limit.
  [[nodiscard]] bool TooDeep(const google::protobuf::Message& message) const {
    const int left = kMaxDepth - static_cast<int>(losses_.path().depth());
    return left < 10 && NestsDeeper(message, left);
  }

  // literal.cc
  // Prints a name in a place where only an identifier is allowed.
  void Identifier(std::string_view name, std::string_view field);
  void DottedName(std::string_view name, std::string_view field);
  void Pairs(const Repeated<onnx::StringStringEntryProto>& pairs, std::string_view field);

  // model.cc
  void OpsetImports(const Repeated<onnx::OperatorSetIdProto>& imports, std::string_view separator);

  // graph.cc
  void SubgraphName(std::string_view name);
  void ValueInfo(const onnx::ValueInfoProto& value);
  void ValueInfos(const Elements<onnx::ValueInfoProto>& values, std::string_view field, int first = 0);
  void Body(const Elements<onnx::NodeProto>& nodes);
  void Nodes(const Elements<onnx::NodeProto>& nodes, std::size_t begin, std::size_t end);
  template <typename Proto, typename Write>
  void ForEach(const Elements<Proto>& elements, std::size_t begin, std::size_t end, Write write);

  // function.cc
  void FunctionHeader(const onnx::FunctionProto& function);
  void FunctionAttributes(const onnx::FunctionProto& function);
  void Parameters(const Repeated<std::string>& names, const Repeated<onnx::ValueInfoProto>& values, int* next_value);

  // node.cc
  void Operator(const onnx::NodeProto& node);
  void AttributeList(const Repeated<onnx::AttributeProto>& attributes);

  // attribute.cc
  void Others(const onnx::AttributeProto& attribute, const AttributeType* type);
  /// Returns whether the syntax cannot express the value. If so, reports that.
  [[nodiscard]] bool IsUnspeakable(const onnx::AttributeProto& attribute, const AttributeType& type);
  void AttributeValue(const onnx::AttributeProto& attribute, const AttributeType& type);
  void AttributeMembers(const onnx::AttributeProto& attribute, const AttributeType& type);
  void Subgraph(const onnx::GraphProto& graph);
  void NoValue(const AttributeType& type);

  // type.cc
  template <typename Proto>
  void TensorType(const Proto& type, std::string_view before, std::string_view after);
  template <typename Proto>
  void ContainerType(const Proto& type, std::string_view before);
  void MapType(const onnx::TypeProto::Map& map);
  void OpaqueType(const onnx::TypeProto::Opaque& opaque);
  void ElementOf(bool is_set, const onnx::TypeProto& type, std::string_view field);
  /// Returns the row of an element type. If there is none, reports an error and returns null.
  [[nodiscard]] const ElementType* Element(int code, std::string_view field);
  void Dim(const onnx::TensorShapeProto::Dimension& dim);

  // tensor.cc
  void TensorName(const onnx::TensorProto& tensor, TensorRole place);
  void TensorData(const onnx::TensorProto& tensor, const ElementType& type);
  void TypedData(const onnx::TensorProto& tensor, const ElementType& type);
  void RawData(const onnx::TensorProto& tensor, const ElementType& type);

  /// Prints floating-point numbers. A NaN other than the usual one is reported as a loss of `field`.
  template <typename Range>
  void Floats(const Range& values, std::string_view separator, std::string_view field) {
    if (!out_.Numbers(values, separator, threads_)) losses_.Add(field, "the payload of a NaN");
  }

  Writer out_;
  Losses losses_;
  const unsigned threads_;  // see PrintOptions
  const bool is_known_schema_ = IsKnownSchema();
  bool is_malformed_ = false;
};

}  // namespace onnxc::print
