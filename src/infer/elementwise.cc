// Operators that work element by element.
#include <algorithm>

#include "infer/contents.h"
#include "infer/operands.h"
#include "infer/registry.h"

namespace onnxc::infer {

/// The type of the first input, whatever kind it is.
void SameType(NodeContext& context) { context.CopyType(0, 0); }

/// The shape of the first input; the signature tells the element type.
void SameShape(NodeContext& context) { context.CopyShape(0, 0); }

/// Each output has the shape of the first input.
void SameShapes(NodeContext& context) {
  for (int i = 0; i < context.outputs(); ++i) context.CopyShape(0, i);
}

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

namespace {

/// Fails where the input, which may be left out, is no list with a number for each element of the last axis of input 0.
bool CheckBias(NodeContext& context, int input) {
  Size last;
  if (context.Rank(0) > 0 && !Match(context, 0, context.Rank(0) - 1, last)) return false;
  return !context.HasInput(input) || MatchShape(context, input, {&last});
}

}  // namespace

/// A list that is added along the last axis; what follows it has the shape of the first input.
void BiasedShape(NodeContext& context) {
  context.CopyShape(0, 0);
  (void)CheckBias(context, 1);
}

/// Half of the last axis is the gate of the other half.
void BiasedHalf(NodeContext& context) {
  if (!CheckBias(context, 1) || !context.HasRank(0) || !CheckRankAtLeast(context, 0, 1)) return;
  const std::span<Dim> result = context.NewShape(context.Rank(0));
  std::ranges::copy(context.Shape(0), result.begin());
  if (result.back().IsNumber() && result.back().number() % 2 != 0) {
    FailDimension(context, 0, result.size() - 1, "even");
    return;
  }
  result.back() = context.dims().FloorDivide(result.back(), 2);
  context.SetShape(0, result);
}

/// Without a zero point, which has the type of the output, the output is a byte.
void QuantizeToBytes(NodeContext& context) {
  context.CopyShape(0, 0);
  if (!context.HasInput(2)) context.SetElement(0, onnx::TensorProto::UINT8);
}

/// The last two axes are square matrices.
void Inverse(NodeContext& context) {
  context.CopyShape(0, 0);
  if (!context.HasRank(0) || !CheckRankAtLeast(context, 0, 2)) return;
  Size size;
  if (Match(context, 0, context.Rank(0) - 2, size)) (void)Match(context, 0, context.Rank(0) - 1, size);
}

namespace {

/// Two inputs broadcast with one another, whatever is between them.
void BroadcastPair(NodeContext& context, int left, int right) {
  if (!context.HasRank(left) || !context.HasRank(right)) return;
  const std::span<Dim> result = context.NewShape(std::max(context.Rank(left), context.Rank(right)));
  if (BroadcastShapes(context, left, context.Shape(left), right, context.Shape(right), result)) {
    context.SetShape(0, result);
  }
}

}  // namespace

/// Each operand has a scale and a zero point behind it.
void QuantizedBroadcast(NodeContext& context) { BroadcastPair(context, 0, 3); }

/// Each operand has a zero point behind it.
void IntegerBroadcast(NodeContext& context) { BroadcastPair(context, 0, 2); }

}  // namespace onnxc::infer
