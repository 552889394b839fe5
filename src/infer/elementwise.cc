// Operators that work element by element.
#include "infer/contents.h"
#include "infer/operands.h"
#include "infer/registry.h"

namespace onnxc::infer {

/// The type of the first input, whatever kind it is.
void SameType(NodeContext& context) { context.CopyType(0, 0); }

/// The shape of the first input; the signature tells the element type.
void SameShape(NodeContext& context) { context.CopyShape(0, 0); }

/// All inputs broadcast with one another.
void Broadcast(NodeContext& context) { (void)BroadcastInputs(context, 0, context.inputs(), 0); }

/// The slope broadcasts to the input, which keeps its shape.
void PRelu(NodeContext& context) {
  context.CopyShape(0, 0);
  (void)CheckBroadcastsTo(context, 1, 0);
}

/// Until version 28, remainders of floating-point numbers are those of C's fmod() alone.
void Mod(NodeContext& context) {
  if (IsReal(context.Element(0)) && context.Int("fmod", 0) == 0) {
    FailAttribute(context, "fmod", 0, "1 for floating-point numbers");
    return;
  }
  Broadcast(context);
}

/// Until version 6, the second input was stretched to the first one, or all inputs had the same shape.
void BroadcastToFirst(NodeContext& context) { context.CopyShape(0, 0); }

}  // namespace onnxc::infer
