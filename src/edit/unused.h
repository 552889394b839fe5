// Removes what nothing in a model uses.
#pragma once

#include <onnxc/proto.h>
#include <onnxc/strip.h>

namespace onnxc::edit {

/// Removes the nodes and the initializers whose values nothing reads from all graphs and functions, with the declared
/// types and the quantization annotations of these values. Adds their numbers to `*stripped`.
void RemoveUnusedNodes(onnx::ModelProto* model, Stripped* stripped);

/// Removes the functions that no node calls, unless the model is a library, and the imports of domains that no node
/// uses. Adds their numbers to `*stripped`.
void RemoveUnusedFunctions(onnx::ModelProto* model, Stripped* stripped);

}  // namespace onnxc::edit
