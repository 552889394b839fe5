// Operators that work element by element.
#include "infer/registry.h"
#include "infer/shapes.h"

namespace onnxc::infer {

void SameType(NodeContext& context) { context.CopyType(0, 0); }

void Broadcast(NodeContext& context) { (void)BroadcastInputs(context, 0, context.inputs(), 0); }

}  // namespace onnxc::infer
