// Models without their weights that are still valid, for reports of bugs.
#pragma once

#include <onnxc/diagnostic.h>
#include <onnxc/proto.h>

namespace onnxc {

/// Makes the weights of the main graph inputs: initializers, and Constants with a tensor, of more than one element.
/// Lists of up to 16 int64 stay, which are shapes, axes and indices. What is left has the structure and the shapes, and
/// no data. Weights inside of functions and of graphs in attributes stay; a warning counts them. Time and memory are
/// linear.
[[nodiscard]] Diagnostics StripWeights(onnx::ModelProto* model);

}  // namespace onnxc
