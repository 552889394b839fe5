// Removes the weights from a model, for example for a bug report. The model stays valid.
#pragma once

#include <onnxc/diagnostic.h>
#include <onnxc/proto.h>

namespace onnxc {

/// Turns the weights of the main graph into inputs. Weights are the initializers and Constant nodes with a tensor of
/// more than one element, except lists of up to 16 int64, which are shapes, axes and indices; and all sparse tensors.
/// The result has the structure and the shapes of the original model, but no data. Weights inside of functions and
/// subgraphs stay; a warning reports their number. Time and memory are linear.
[[nodiscard]] Diagnostics StripWeights(onnx::ModelProto* model);

}  // namespace onnxc
