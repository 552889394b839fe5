// Operators that work element by element.
#include "infer/operands.h"
#include "infer/registry.h"

namespace onnxc::infer {

/// The type of the first input, whatever kind it is.
void SameType(NodeContext& context) { context.CopyType(0, 0); }

/// The shape of the first input; the signature tells the element type.
void SameShape(NodeContext& context) { context.CopyShape(0, 0); }

/// All inputs broadcast with one another.
void Broadcast(NodeContext& context) { (void)BroadcastInputs(context, 0, context.inputs(), 0); }

/// Until version 6, the second input was stretched to the first one, or all inputs had the same shape.
void BroadcastToFirst(NodeContext& context) { context.CopyShape(0, 0); }

}  // namespace onnxc::infer
