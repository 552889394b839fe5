// Operators that make tensors from shapes, attributes and chance.
#include "infer/contents.h"
#include "infer/registry.h"
#include "infer/shapes.h"

namespace onnxc::infer {

void ShapeOf(NodeContext& context) {
  const int rank = context.Rank(0);
  if (rank < 0) return context.SetShape(0, {Dim()});
  const auto clamp = [&](std::int64_t axis) {
    return static_cast<std::size_t>(std::clamp<std::int64_t>(axis < 0 ? axis + rank : axis, 0, rank));
  };
  const std::size_t start = clamp(context.Int("start", 0));
  const std::size_t end = std::max(start, clamp(context.Int("end", rank)));
  context.SetShape(0, {Dim(static_cast<std::int64_t>(end - start))});
  context.SetConstant(0, NewList(context.dims(), context.Shape(0).subspan(start, end - start)));
}

}  // namespace onnxc::infer
