// Removes the weights from models that stay valid, for bug reports.
#pragma once

#include <onnxc/diagnostic.h>
#include <onnxc/proto.h>

namespace onnxc {

/// Turns the weights of the main graph into inputs: initializers and Constant nodes with a tensor of more than one
/// element. Lists of up to 16 int64 stay, because they are shapes, axes and indices. The result has the structure and
/// the shapes of the model, but no data. Weights inside of functions and subgraphs stay; a warning reports their
/// number. Time and memory are linear.
[[nodiscard]] Diagnostics StripWeights(onnx::ModelProto* model);

}  // namespace onnxc
