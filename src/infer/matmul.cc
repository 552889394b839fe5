// Products of matrices.
#include "infer/operands.h"
#include "infer/registry.h"

namespace onnxc::infer {
namespace {

/// [..., m, k] by [..., k, n]; a list on the left is a row, on the right a column, and that axis is left out.
void Multiply(NodeContext& context, int left, int right) {
  if (!CheckRankAtLeast(context, left, 1) || !CheckRankAtLeast(context, right, 1)) return;
  if (!context.HasRank(left) || !context.HasRank(right)) return;
  const std::span<const Dim> a = context.Shape(left);
  const std::span<const Dim> b = context.Shape(right);
  Size inner;
  const int inner_axis = b.size() == 1 ? 0 : static_cast<int>(b.size()) - 2;
  if (!Match(context, left, static_cast<int>(a.size()) - 1, inner) || !Match(context, right, inner_axis, inner)) return;
  const std::size_t batch_a = a.size() < 2 ? 0 : a.size() - 2;
  const std::size_t batch_b = b.size() < 2 ? 0 : b.size() - 2;
  const std::size_t batch = std::max(batch_a, batch_b);
  const std::span<Dim> result = context.NewShape(static_cast<int>(batch + (a.size() > 1) + (b.size() > 1)));
  if (!BroadcastShapes(context, left, a.first(batch_a), right, b.first(batch_b), result.first(batch))) return;
  std::size_t next = batch;
  if (a.size() > 1) result[next++] = a[a.size() - 2];
  if (b.size() > 1) result[next] = b.back();
  context.SetShape(0, result);
}

}  // namespace

void MatMul(NodeContext& context) { Multiply(context, 0, 1); }

/// The zero points are one number, or one for each row of A and for each column of B.
void IntegerMatMul(NodeContext& context) {
  for (const int side : {0, 1}) {
    const int zero_points = 2 + side;
    if (context.Rank(zero_points) != 1 || MayBeSingle(context, zero_points)) continue;
    Size each;
    if (context.Rank(side) == 1) each = {.dim = 1};
    const int axis = side == 0 ? context.Rank(side) - 2 : context.Rank(side) - 1;
    if (context.Rank(side) > 1 && !Match(context, side, axis, each)) return;
    if (!Match(context, zero_points, 0, each)) return;
  }
  Multiply(context, 0, 1);
}

void QuantizedMatMul(NodeContext& context) {
  constexpr bool kApart = true;
  if (!MatchScales(context, 1, 2, kApart) || !MatchScales(context, 4, 5, kApart)) return;
  if (MatchScales(context, 6, 7, kApart)) Multiply(context, 0, 3);
}

/// A [m, k] by B [k, n], each perhaps transposed, and C, which broadcasts to [m, n].
void Gemm(NodeContext& context) {
  const bool turns_a = context.Int("transA", 0) != 0;
  const bool turns_b = context.Int("transB", 0) != 0;
  Size rows, inner, columns;
  if (!MatchShape(context, 0, {turns_a ? &inner : &rows, turns_a ? &rows : &inner}) ||
      !MatchShape(context, 1, {turns_b ? &columns : &inner, turns_b ? &inner : &columns})) {
    return;
  }
  Dim result[] = {rows.dim, columns.dim};
  if (context.HasRank(2) && context.op().since >= 7) {
    if (context.Rank(2) > 2) {
      (void)CheckRank(context, 2, 2);
      return;
    }
    for (int i = 0; i < context.Rank(2); ++i) {
      const Dim size = context.Shape(2)[static_cast<std::size_t>(context.Rank(2) - 1 - i)];
      Size wanted = i == 0 ? columns : rows;
      if (!size.Is(1) && !Match(context, 2, context.Rank(2) - 1 - i, wanted)) return;
    }
  }
  context.SetShape(0, result);
}

}  // namespace onnxc::infer
