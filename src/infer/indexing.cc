// Operators that select, replace, sort and count elements by their indices.
#include <fmt/format.h>

#include "infer/contents.h"
#include "infer/operands.h"
#include "infer/registry.h"

namespace onnxc::infer {

/// In the output, the shape of the indices replaces the axis of the data.
void Gather(NodeContext& context) {
  if (!CheckRankAtLeast(context, 0, 1) || !context.HasRank(0)) return;
  const auto axis = AxisOf(context, "axis", 0, context.Rank(0), In(0));
  if (!axis || !CheckPositions(context, 1, 0, static_cast<std::size_t>(*axis)) || !context.HasRank(1)) return;
  const std::span<const Dim> data = context.Shape(0);
  const std::span<const Dim> indices = context.Shape(1);
  const std::span<Dim> result = context.NewShape(static_cast<int>(data.size() + indices.size()) - 1);
  auto next = std::copy_n(data.begin(), *axis, result.begin());
  next = std::copy(indices.begin(), indices.end(), next);
  std::copy(data.begin() + *axis + 1, data.end(), next);
  context.SetShape(0, result);
}

namespace {

/// Checks indices that are positions on an axis of the data. The indices must have the rank of the data, and on the
/// other axes they must not be larger than the data.
bool CheckElementIndices(NodeContext& context) {
  if (!context.HasRank(0)) return true;
  const auto axis = AxisOf(context, "axis", 0, context.Rank(0), In(0));
  if (!axis || !CheckRank(context, 1, context.Rank(0))) return false;
  for (std::size_t i = 0; i < context.Shape(1).size(); ++i) {
    const Dim most = context.Shape(0)[i];
    const Dim size = context.Shape(1)[i];
    if (static_cast<int>(i) == *axis || !most.IsNumber() || !size.IsNumber() || size.number() <= most.number()) {
      continue;
    }
    return FailDimension(context, 1, i,
                         fmt::format("at most {}, the size of this axis in {}", most.number(), context.Describe(In(0))),
                         0);
  }
  return CheckPositions(context, 1, 0, static_cast<std::size_t>(*axis));
}

/// Checks the rows of the indices. A row extends along the last axis of the indices, and contains positions on
/// consecutive axes of the data, beginning with axis `first`.
bool CheckRows(NodeContext& context, std::size_t first) {
  const std::span<const Dim> data = context.Shape(0);
  const Dim depth = context.Shape(1).back();
  if (!depth.IsNumber()) return true;
  const std::size_t most = data.size() - first;
  if (depth.number() > static_cast<std::int64_t>(most)) {
    return FailDimension(context, 1, context.Shape(1).size() - 1,
                         first == 0 ? fmt::format("at most {}, the rank of the data", most)
                                    : fmt::format("at most {}, the rank of the data without batches", most),
                         0);
  }
  const auto columns = static_cast<std::size_t>(depth.number());
  for (std::size_t i = 0; i < columns; ++i) {
    if (!CheckPositions(context, 1, 0, first + i, i, columns)) return false;
  }
  return true;
}

}  // namespace

/// Each index selects one element, so the output has the shape of the indices.
void GatherElements(NodeContext& context) {
  if (!CheckElementIndices(context)) return;
  context.CopyShape(1, 0);
}

/// Each row of the indices, along their last axis, is a position in the data.
void GatherNd(NodeContext& context) {
  if (!CheckRankAtLeast(context, 0, 1) || !CheckRankAtLeast(context, 1, 1)) return;
  if (!context.HasRank(0) || !context.HasRank(1)) return;
  const std::span<const Dim> data = context.Shape(0);
  const std::span<const Dim> indices = context.Shape(1);
  const std::int64_t batches = context.Int("batch_dims", 0);
  if (batches < 0 || batches >= static_cast<std::int64_t>(std::min(data.size(), indices.size()))) {
    FailAttribute(context, "batch_dims", batches, "at least 0 and below the ranks of the inputs");
    return;
  }
  for (int i = 0; i < static_cast<int>(batches); ++i) {
    Size size;
    if (!Match(context, 0, i, size) || !Match(context, 1, i, size)) return;
  }
  if (!CheckRows(context, static_cast<std::size_t>(batches)) || !indices.back().IsNumber()) return;
  const std::span<const Dim> rest = data.subspan(static_cast<std::size_t>(batches + indices.back().number()));
  const std::span<Dim> result = context.NewShape(static_cast<int>(indices.size() - 1 + rest.size()));
  std::copy(rest.begin(), rest.end(), std::copy_n(indices.begin(), indices.size() - 1, result.begin()));
  context.SetShape(0, result);
}

/// The updates must have the shape of the indices.
void Scatter(NodeContext& context) {
  context.CopyShape(0, 0);
  if (!CheckElementIndices(context) || !context.HasRank(1) || !CheckRank(context, 2, context.Rank(1))) return;
  for (int i = 0; i < context.Rank(1); ++i) {
    Size size;
    if (!Match(context, 1, i, size) || !Match(context, 2, i, size)) return;
  }
}

/// Each row of the indices is the place of an update in the data. The update has the axes of the data that the row does
/// not index.
void ScatterNd(NodeContext& context) {
  context.CopyShape(0, 0);
  if (!CheckRankAtLeast(context, 0, 1) || !CheckRankAtLeast(context, 1, 1)) return;
  if (!context.HasRank(0) || !context.HasRank(1) || !CheckRows(context, 0)) return;
  const Dim depth = context.Shape(1).back();
  if (!depth.IsNumber()) return;
  const int rows = context.Rank(1) - 1;
  const int left = static_cast<int>(depth.number());
  if (!CheckRank(context, 2, rows + context.Rank(0) - left)) return;
  for (int i = 0; i < context.Rank(2); ++i) {
    Size size;
    const bool is_row = i < rows;
    if (!Match(context, is_row ? 1 : 0, is_row ? i : i - rows + left, size) || !Match(context, 2, i, size)) return;
  }
}

void TopK(NodeContext& context) {
  if (!context.HasRank(0)) return;
  const auto axis = AxisOf(context, "axis", -1, context.Rank(0), In(0));
  if (!axis) return;
  const std::size_t at = static_cast<std::size_t>(*axis);
  Dim k;
  if (context.op().since == 1) {
    k = context.Int("k", -1);
    if (k.number() <= 0) {
      FailAttribute(context, "k", k.number(), "positive");
      return;
    }
  } else if (const auto list = context.Integers(1)) {
    if (!CheckRank(context, 1, 1)) return;
    if (list->size() != 1) {
      FailCount(context, 1, list->size(), 1);
      return;
    }
    k = (*list)[0];
    const Dim size = context.Shape(0)[at];
    if (k.IsNumber() && size.IsNumber() && size.number() < k.number()) {
      FailDimension(context, 0, at, fmt::format("at least {}, the number of elements requested", k.number()));
      return;
    }
    if (k.IsNumber() && k.number() < 0) k = {};
  }
  const std::span<Dim> result = context.NewShape(context.Rank(0));
  std::copy(context.Shape(0).begin(), context.Shape(0).end(), result.begin());
  result[at] = k;
  for (int i = 0; i < 2; ++i) context.SetShape(i, result);
}

/// Selects the elements for which a condition is true: positions on an axis or, without the attribute 'axis', single
/// elements of the tensor.
void Compress(NodeContext& context) {
  if (!CheckRankAtLeast(context, 0, 1)) return;
  if (!context.HasAttribute("axis")) return context.SetShape(0, {Dim()});
  if (!context.HasRank(0)) return;
  const auto axis = AxisOf(context, "axis", 0, context.Rank(0), In(0));
  if (!axis) return;
  const std::span<Dim> result = context.NewShape(context.Rank(0));
  std::copy(context.Shape(0).begin(), context.Shape(0).end(), result.begin());
  result[static_cast<std::size_t>(*axis)] = {};
  context.SetShape(0, result);
}

void Unique(NodeContext& context) {
  for (int i = 1; i < context.outputs(); ++i) context.SetShape(i, {Dim()});
  if (!context.HasAttribute("axis")) {
    context.SetShape(0, {Dim()});
    if (context.HasRank(0)) context.SetShape(2, {context.dims().Product(context.Shape(0))});
    return;
  }
  if (!context.HasRank(0)) return;
  const auto axis = AxisOf(context, "axis", 0, context.Rank(0), In(0));
  if (!axis) return;
  const std::size_t at = static_cast<std::size_t>(*axis);
  const std::span<Dim> result = context.NewShape(context.Rank(0));
  std::copy(context.Shape(0).begin(), context.Shape(0).end(), result.begin());
  result[at] = {};
  context.SetShape(0, result);
  context.SetShape(2, {context.Shape(0)[at]});
}

void NonZero(NodeContext& context) {
  const Dim rank = context.HasRank(0) ? Dim(context.Rank(0)) : Dim();
  context.SetShape(0, {rank, Dim()});
}

/// Produces rows of batch, class and box.
void NonMaxSuppression(NodeContext& context) {
  Size batches, boxes, classes, four{.dim = 4};
  if (MatchShape(context, 0, {&batches, &boxes, &four}) && MatchShape(context, 1, {&batches, &classes, &boxes})) {
    context.SetShape(0, {Dim(), Dim(3)});
  }
}

namespace {

/// Returns the number of classes of OneHot, which may be unknown. Returns nothing after an error.
std::optional<Dim> Depth(NodeContext& context) {
  if (context.Rank(1) > 1) {
    (void)CheckRank(context, 1, 0);
    return std::nullopt;
  }
  if (context.Rank(1) == 1 && context.Shape(1)[0].Contradicts(1) && !context.Shape(1)[0].Is(0)) {
    FailDimension(context, 1, 0, "1");
    return std::nullopt;
  }
  const Constant* const constant = context.Constant(1);
  Dim depth;
  if (constant != nullptr && constant->integers.size() == 1) depth = constant->integers[0];
  if (constant != nullptr && constant->reals.size() == 1 && constant->reals[0] > -1e15 && constant->reals[0] < 1e15) {
    depth = static_cast<std::int64_t>(constant->reals[0]);
  }
  if (!depth.IsNumber() || depth.number() >= 0) return depth;
  FailElements(context, 1, ToString(depth), "at least 0");
  return std::nullopt;
}

/// Checks the indices of the classes. A negative index counts from the end, except in the first version of the
/// operator, which refuses negative indices.
bool CheckClasses(NodeContext& context) {
  const Constant* const classes = context.op().since < 11 ? context.Constant(0) : nullptr;
  if (classes == nullptr) return true;
  for (const Dim& index : classes->integers) {
    if (index.IsNumber() && index.number() < 0) return FailElements(context, 0, ToString(index), "at least 0");
  }
  return true;
}

}  // namespace

/// Adds an axis for the classes.
void OneHot(NodeContext& context) {
  const auto depth = Depth(context);
  Size two{.dim = 2};
  if (!depth || !MatchShape(context, 2, {&two})) return;
  if (!CheckRankAtLeast(context, 0, 1) || !CheckClasses(context) || !context.HasRank(0)) return;
  const int rank = context.Rank(0) + 1;
  const auto axis = AxisOf(context, "axis", -1, rank, Out(0));
  if (!axis) return;
  const std::span<Dim> result = context.NewShape(rank);
  std::size_t next = 0;
  for (int i = 0; i < rank; ++i) {
    result[static_cast<std::size_t>(i)] = i == *axis ? *depth : context.Shape(0)[next++];
  }
  context.SetShape(0, result);
}

}  // namespace onnxc::infer
