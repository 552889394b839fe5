// Operators that work element by element.
#include <algorithm>

#include "infer/contents.h"
#include "infer/operands.h"
#include "infer/registry.h"

namespace onnxc::infer {

/// The output has the type of the first input, which may be of any kind.
void SameType(NodeContext& context) { context.CopyType(0, 0); }

/// The output has the shape of the first input. The signature determines the element type.
void SameShape(NodeContext& context) { context.CopyShape(0, 0); }

/// Each output has the shape of the first input.
void SameShapes(NodeContext& context) {
  for (int i = 0; i < context.outputs(); ++i) context.CopyShape(0, i);
}

/// All inputs broadcast with each other.
void Broadcast(NodeContext& context) { (void)BroadcastInputs(context, 0, context.inputs(), 0); }

/// The slope broadcasts to the input, and the output has the shape of the input.
void PRelu(NodeContext& context) {
  context.CopyShape(0, 0);
  (void)CheckBroadcastsTo(context, 1, 0);
}

/// Before version 28, the remainder of floating-point numbers is defined only if the attribute 'fmod' is 1.
void Mod(NodeContext& context) {
  if (IsReal(context.Element(0)) && context.Int("fmod", 0) == 0) {
    FailAttribute(context, "fmod", 0, "1 for floating-point numbers");
    return;
  }
  Broadcast(context);
}

/// Until version 6, the second input was broadcast to the shape of the first one, or all inputs had the same shape. So
/// the output has the shape of the first input.
void BroadcastToFirst(NodeContext& context) { context.CopyShape(0, 0); }

namespace {

/// Reports an error if the input is present and is not a list with one number for each element of the last axis of
/// input 0.
bool CheckBias(NodeContext& context, int input) {
  Size last;
  if (context.Rank(0) > 0 && !Match(context, 0, context.Rank(0) - 1, last)) return false;
  return !context.HasInput(input) || MatchShape(context, input, {&last});
}

}  // namespace

/// The second input is a list that is added along the last axis. The output has the shape of the first input.
void BiasedShape(NodeContext& context) {
  context.CopyShape(0, 0);
  (void)CheckBias(context, 1);
}

/// One half of the last axis is the gate for the other half, so the last axis of the output has half the size.
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

/// The output has the type of the zero point, or uint8 if there is none.
void QuantizeToBytes(NodeContext& context) {
  context.CopyShape(0, 0);
  if (!context.HasInput(2)) context.SetElement(0, onnx::TensorProto::UINT8);
}

/// The last two axes must have the same size, because the operator inverts square matrices.
void Inverse(NodeContext& context) {
  context.CopyShape(0, 0);
  if (!context.HasRank(0) || !CheckRankAtLeast(context, 0, 2)) return;
  Size size;
  if (Match(context, 0, context.Rank(0) - 2, size)) (void)Match(context, 0, context.Rank(0) - 1, size);
}

namespace {

/// Broadcasts the inputs `left` and `right`. The inputs between them are not broadcast.
void BroadcastPair(NodeContext& context, int left, int right) {
  if (!context.HasRank(left) || !context.HasRank(right)) return;
  const std::span<Dim> result = context.NewShape(std::max(context.Rank(left), context.Rank(right)));
  if (BroadcastShapes(context, left, context.Shape(left), right, context.Shape(right), result)) {
    context.SetShape(0, result);
  }
}

}  // namespace

/// Each operand is followed by a scale and a zero point.
void QuantizedBroadcast(NodeContext& context) { BroadcastPair(context, 0, 3); }

/// Each operand is followed by a zero point.
void IntegerBroadcast(NodeContext& context) { BroadcastPair(context, 0, 2); }

}  // namespace onnxc::infer
