#include "print/lossless/census.h"

#include <functional>

namespace onnxc::print {

void Census::Count(const onnx::ModelProto& model) {
  CountAround(model);
  CountLists(model.graph());
}

void Census::CountAround(const onnx::ModelProto& model) {
  for (const auto& import : model.opset_import()) Count(import);
  if (model.has_graph()) CountAround(model.graph());
  for (const auto& training : model.training_info()) {
    if (training.has_initialization()) Count(training.initialization());
    if (training.has_algorithm()) Count(training.algorithm());
  }
  for (const auto& function : model.functions()) Count(function);
}

void Census::Count(const onnx::OperatorSetIdProto& import) { VisitRows(import, std::ref(tallies_)); }

void Census::Count(const onnx::GraphProto& graph) {
  CountAround(graph);
  CountLists(graph);
}

void Census::CountAround(const onnx::GraphProto& graph) {
  VisitRows(graph, std::ref(tallies_));
  for (const auto* values : {&graph.input(), &graph.output()}) {
    for (const auto& value : *values) Count(value);
  }
}

void Census::CountLists(const onnx::GraphProto& graph) {
  for (const auto& tensor : graph.initializer()) Count(tensor, TensorRole::kInitializer);
  for (const auto& value : graph.value_info()) Count(value);
  for (const auto& node : graph.node()) Count(node);
}

void Census::Count(const onnx::FunctionProto& function) {
  VisitRows(function, std::ref(tallies_));
  for (const auto& import : function.opset_import()) Count(import);
  for (const auto& attribute : function.attribute_proto()) Count(attribute);
  for (const auto& value : function.value_info()) Count(value);
  for (const auto& node : function.node()) Count(node);
}

void Census::Count(const onnx::NodeProto& node) {
  VisitRows(node, std::ref(tallies_));
  for (const auto& attribute : node.attribute()) Count(attribute);
}

void Census::Count(const onnx::AttributeProto& attribute) {
  const AttributeForm form = FormOf(attribute);
  if (form.kind == AttributeForm::Kind::kRecord) return;
  VisitRows(attribute, form, std::ref(tallies_));
  if (attribute.has_t()) Count(attribute.t(), TensorRole::kElsewhere);
  for (const auto& tensor : attribute.tensors()) Count(tensor, TensorRole::kElsewhere);
  if (depth_ == kMaxDepth) return;
  ++depth_;
  if (attribute.has_g()) Count(attribute.g());
  for (const auto& graph : attribute.graphs()) Count(graph);
  --depth_;
}

void Census::Count(const onnx::ValueInfoProto& value) { VisitRows(value, std::ref(tallies_)); }

void Census::Count(const onnx::TensorProto& tensor, TensorRole place) {
  const TensorForm form = FormOf(tensor);
  if (form.type == nullptr) return;
  VisitRows(tensor, form, place, std::ref(tallies_));
  if (form.fits_raw && !form.fits_typed) ++raw_;
  if (form.fits_typed && !form.fits_raw) ++typed_;
}

void Census::Count(const onnx::SequenceProto& sequence) {
  if (depth_ == kMaxDepth) return;
  ++depth_;
  for (const auto& tensor : sequence.tensor_values()) Count(tensor, TensorRole::kElsewhere);
  for (const auto& inside : sequence.sequence_values()) Count(inside);
  for (const auto& map : sequence.map_values()) Count(map);
  for (const auto& optional : sequence.optional_values()) Count(optional);
  --depth_;
}

void Census::Count(const onnx::MapProto& map) {
  if (map.has_values()) Count(map.values());
}

void Census::Count(const onnx::OptionalProto& optional) {
  if (depth_ == kMaxDepth) return;
  ++depth_;
  if (optional.has_tensor_value()) Count(optional.tensor_value(), TensorRole::kElsewhere);
  if (optional.has_sequence_value()) Count(optional.sequence_value());
  if (optional.has_map_value()) Count(optional.map_value());
  if (optional.has_optional_value()) Count(optional.optional_value());
  --depth_;
}

void Census::Add(const Census& other) {
  for (std::size_t row = 0; row < kRows; ++row) {
    Tally& tally = tallies_.rows[row];
    const Tally& more = other.tallies_.rows[row];
    tally.present_unwritten += more.present_unwritten;
    tally.absent_unwritten += more.absent_unwritten;
    tally.absent_written += more.absent_written;
    tally.present_default += more.present_default;
  }
  raw_ += other.raw_;
  typed_ += other.typed_;
}

ClauseScope Census::Choose() const {
  ClauseScope scope;
  scope.raw = raw_ > typed_;
  for (std::size_t row = 0; row < kRows; ++row) {
    const Tally& tally = tallies_.rows[row];
    if (tally.absent_unwritten < tally.present_unwritten) scope.presence[row] = Presence::kSet;
    if (tally.present_default < tally.absent_written) scope.presence[row] = Presence::kUnset;
  }
  return scope;
}

}  // namespace onnxc::print
