// Operators that reduce axes to one element, and loss functions.
#include <fmt/format.h>

#include "infer/operands.h"
#include "infer/registry.h"

namespace onnxc::infer {
namespace {

void SetReduced(NodeContext& context, std::span<const bool> is_reduced, bool keeps) {
  const std::span<const Dim> shape = context.Shape(0);
  const std::span<Dim> result = context.NewShape(context.Rank(0));
  std::size_t next = 0;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (!is_reduced[i]) result[next++] = shape[i];
    if (is_reduced[i] && keeps) result[next++] = 1;
  }
  context.SetShape(0, result.first(next));
}

/// Sets the rank of the output if it is certain although the axes are not known.
void SetReducedRank(NodeContext& context, bool keeps) {
  if (keeps) return context.SetShape(0, context.NewShape(context.Rank(0)));
  const auto count = LengthOf(context, 1);
  if (count && *count > 0 && *count <= context.Rank(0)) {
    context.SetShape(0, context.NewShape(context.Rank(0) - *count));
  }
}

}  // namespace

/// The axes are an attribute in early versions and an input later. Without given axes, all axes are reduced.
void Reduce(NodeContext& context) {
  if (!CheckRank(context, 1, 1)) return;
  const bool keeps = context.Int("keepdims", 1) == 1;
  const auto attribute = context.Ints("axes");
  Numbers numbers;
  bool known = true;
  if (attribute) {
    numbers = *attribute;
  } else if (context.HasInput(1)) {
    const auto list = context.Numbers(1);
    known = list.has_value();
    if (list) numbers = *list;
  }
  if (!context.HasRank(0)) {
    if (!keeps && numbers.empty() && known && context.Int("noop_with_empty_axes", 0) == 0) context.SetShape(0, {});
    return;
  }
  if (!known) return SetReducedRank(context, keeps);
  if (numbers.empty() && context.Int("noop_with_empty_axes", 0) != 0) return context.CopyShape(0, 0);
  const Part blamed = attribute ? Attr("axes") : In(1);
  const auto axes = CheckAxes(context, numbers, context.Rank(0), blamed, In(0), false);
  if (!axes) return;
  const std::span<bool> is_reduced = context.New<bool>(context.Shape(0).size());
  std::ranges::fill(is_reduced, axes->empty());
  for (const int axis : *axes) is_reduced[static_cast<std::size_t>(axis)] = true;
  SetReduced(context, is_reduced, keeps);
}

/// Infers ArgMax and ArgMin, which reduce one axis.
void ReduceOne(NodeContext& context) {
  if (!context.HasRank(0)) return;
  const auto axis = AxisOf(context, "axis", 0, context.Rank(0), In(0));
  if (!axis) return;
  const std::span<bool> is_reduced = context.New<bool>(context.Shape(0).size());
  is_reduced[static_cast<std::size_t>(*axis)] = true;
  SetReduced(context, is_reduced, context.Int("keepdims", 1) == 1);
}

/// Removes the last two axes. Their sizes must be equal.
void Determinant(NodeContext& context) {
  if (!CheckRankAtLeast(context, 0, 2) || !context.HasRank(0)) return;
  const int rank = context.Rank(0);
  Size side;
  if (!Match(context, 0, rank - 2, side) || !Match(context, 0, rank - 1, side)) return;
  context.SetShape(0, context.Shape(0).first(static_cast<std::size_t>(rank - 2)));
}

namespace {

/// Checks scores [N, C, D1, ...], targets [N, D1, ...] and weights [C].
bool CheckLoss(NodeContext& context) {
  if (!CheckRankAtLeast(context, 0, 2)) return false;
  if (context.HasRank(0) && !CheckRank(context, 1, context.Rank(0) - 1)) return false;
  for (int i = 0; i < context.Rank(0); ++i) {
    Size size;
    if (i == 1 && !(Match(context, 0, 1, size) && MatchShape(context, 2, {&size}))) return false;
    if (i != 1 && !(Match(context, 0, i, size) && Match(context, 1, i == 0 ? 0 : i - 1, size))) return false;
  }
  return true;
}

void SetLoss(NodeContext& context) {
  if (context.String("reduction", "mean") != "none") return context.SetShape(0, {});
  if (context.HasRank(1)) return context.CopyShape(1, 0);
  if (!context.HasRank(0)) return;
  const std::span<Dim> result = context.NewShape(context.Rank(0) - 1);
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = context.Shape(0)[i == 0 ? 0 : i + 1];
  context.SetShape(0, result);
}

}  // namespace

void NegativeLogLikelihoodLoss(NodeContext& context) {
  if (CheckLoss(context)) SetLoss(context);
}

/// Produces the loss and the logarithms of the probabilities.
void SoftmaxCrossEntropyLoss(NodeContext& context) {
  context.CopyShape(0, 1);
  if (CheckLoss(context)) SetLoss(context);
}

}  // namespace onnxc::infer
