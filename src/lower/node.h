// Lowers nodes.
#pragma once

#include <onnxc/proto.h>

#include "lower/lowering.h"

namespace onnxc::lower {

void BuildNode(const Grammar::NodeContext* tree, Lowering& lowering, onnx::NodeProto* node);

}  // namespace onnxc::lower
