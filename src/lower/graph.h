// Lowers graphs and their values.
#pragma once

#include <onnxc/proto.h>

#include "lower/lowering.h"
#include "lower/sink.h"

namespace onnxc::lower {

/// Builds a nested graph, from the part after its name.
void BuildGraph(const Grammar::GraphRestContext* tree, Lowering& lowering, onnx::GraphProto* graph);

// Build the parts of a graph one at a time.
void BuildInput(const Grammar::ValueContext* tree, Lowering& lowering, GraphSink* sink);
void BuildOutputs(const Grammar::OutputsContext* tree, Lowering& lowering, GraphSink* sink);
/// Builds an initializer or a value info.
void BuildValue(const Grammar::ValueContext* tree, Lowering& lowering, GraphSink* sink);
void BuildNode(const Grammar::NodeContext* tree, Lowering& lowering, GraphSink* sink);

void BuildNodes(const Grammar::BodyContext* tree, Lowering& lowering,
                google::protobuf::RepeatedPtrField<onnx::NodeProto>* nodes);

void BuildValueInfo(const Grammar::ValueInfoContext* tree, Lowering& lowering, onnx::ValueInfoProto* value);

/// Returns the token with the name of a value, which must not be a record.
[[nodiscard]] const SyntaxToken& ValueName(const Grammar::ValueInfoContext* tree);

}  // namespace onnxc::lower
