// Products of matrices.
#include "infer/registry.h"
#include "infer/shapes.h"

namespace onnxc::infer {

/// [..., m, k] by [..., k, n]; a list on the left is a row, on the right a column, and that axis is left out.
void MatMul(NodeContext& context) {
  if (!CheckRankAtLeast(context, 0, 1) || !CheckRankAtLeast(context, 1, 1)) return;
  if (!context.HasRank(0) || !context.HasRank(1)) return;
  const std::span<const Dim> a = context.Shape(0);
  const std::span<const Dim> b = context.Shape(1);
  const std::size_t inner = b.size() == 1 ? 0 : b.size() - 2;
  if (a.back().Contradicts(b[inner])) {
    context.Fail(rule::kDimensionClash, In(1), {In(1), In(0)}, inner, context.Describe(In(1)), context.name(),
                 ToString(b[inner]), a.size() - 1, context.Describe(In(0)), ToString(a.back()));
    return;
  }
  const std::size_t batch_a = a.size() < 2 ? 0 : a.size() - 2;
  const std::size_t batch_b = b.size() < 2 ? 0 : b.size() - 2;
  const std::size_t batch = std::max(batch_a, batch_b);
  const std::span<Dim> result = context.NewShape(static_cast<int>(batch + (a.size() > 1) + (b.size() > 1)));
  if (!BroadcastShapes(context, a.first(batch_a), b.first(batch_b), result.first(batch))) return;
  std::size_t next = batch;
  if (a.size() > 1) result[next++] = a[a.size() - 2];
  if (b.size() > 1) result[next] = b.back();
  context.SetShape(0, result);
}

}  // namespace onnxc::infer
