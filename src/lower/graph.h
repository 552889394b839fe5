// Graphs and the values in them.
#pragma once

#include <onnxc/proto.h>

#include "lower/lowering.h"
#include "lower/sink.h"

namespace onnxc::lower {

/// A nested graph behind its name.
void BuildGraph(const Grammar::GraphRestContext* tree, Lowering& lowering, onnx::GraphProto* graph);

// The parts of a graph, for one whose parts come one by one.
void BuildInput(const Grammar::ValueContext* tree, Lowering& lowering, GraphSink* sink);
void BuildOutputs(const Grammar::OutputsContext* tree, Lowering& lowering, GraphSink* sink);
/// An initializer or a value info.
void BuildValue(const Grammar::ValueContext* tree, Lowering& lowering, GraphSink* sink);
void BuildNode(const Grammar::NodeContext* tree, Lowering& lowering, GraphSink* sink);

void BuildNodes(const Grammar::BodyContext* tree, Lowering& lowering,
                google::protobuf::RepeatedPtrField<onnx::NodeProto>* nodes);

void BuildValueInfo(const Grammar::ValueInfoContext* tree, Lowering& lowering, onnx::ValueInfoProto* value);

/// The token that names a value that is no record.
[[nodiscard]] const SyntaxToken& ValueName(const Grammar::ValueInfoContext* tree);

}  // namespace onnxc::lower
