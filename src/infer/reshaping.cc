// Operators that return the same elements in another shape.
#include <fmt/format.h>

#include "infer/operands.h"
#include "infer/registry.h"
#include "source/words.h"

namespace onnxc::infer {
namespace {

std::string Text(std::span<const Dim> dims) {
  std::string text = "[";
  for (const Dim& dim : dims) text += (text.size() > 1 ? ", " : "") + ToString(dim);
  return text + "]";
}

/// Returns the target shape of Reshape, which is an input, or an attribute in the first version. If only the rank of
/// the target is known, all of its sizes are unknown.
std::optional<std::span<const Dim>> Target(NodeContext& context) {
  if (const auto list = context.Ints("shape")) {
    const std::span<Dim> target = context.New<Dim>(list->size());
    std::ranges::copy(*list, target.begin());
    return target;
  }
  if (const auto list = context.Integers(1)) return list;
  if (const auto length = LengthOf(context, 1)) return context.NewShape(*length);
  return std::nullopt;
}

bool FailReshape(NodeContext& context, std::span<const Dim> target, std::string_view must) {
  if (context.HasInput(1)) return FailElements(context, 1, Text(target), must);
  return FailAttribute(context, "shape", Text(target), must);
}

/// Returns, for example, "24 elements", or "12 elements on the axes that are not copied" if the sizes of the copied
/// axes are unknown.
std::string ElementsText(Dim all, Dim counted) {
  if (all.IsNumber()) return Counted(all.number(), "element");
  return fmt::format("{} on the axes that are not copied", Counted(counted.number(), "element"));
}

void FailTwoOpen(NodeContext& context, std::span<const Dim> target) {
  if (!context.HasInput(1)) {
    FailAttribute(context, "shape", Text(target), "a shape with at most one -1");
    return;
  }
  context.Fail(rule::kOperandValue, In(1), {In(1)}, context.Describe(In(1)), context.name(), Text(target),
               "at most one size may be -1");
}

/// Copies the target to `result`, and replaces each 0 by the size of the input on the same axis. Returns the axis whose
/// size is -1, or -1 if there is no such axis. Returns nothing after an error.
std::optional<int> ResolveTarget(NodeContext& context, std::span<const Dim> target, std::span<Dim> result) {
  const bool copies = context.Int("allowzero", 0) == 0;
  int open = -1;
  for (std::size_t i = 0; i < target.size(); ++i) {
    result[i] = target[i];
    if (target[i].Is(-1)) {
      if (open >= 0) {
        FailTwoOpen(context, target);
        return std::nullopt;
      }
      open = static_cast<int>(i);
      result[i] = {};
    } else if (target[i].Is(0) && copies) {
      if (context.HasRank(0) && static_cast<int>(i) >= context.Rank(0)) {
        FailReshape(context, target,
                    fmt::format("a shape with 0 only on the first {} axes, because 0 copies an axis of the data",
                                context.Rank(0)));
        return std::nullopt;
      }
      result[i] = context.HasRank(0) ? context.Shape(0)[i] : Dim();
    } else if (target[i].IsNumber() && target[i].number() < 0) {
      FailReshape(context, target, "a shape without negative sizes other than -1");
      return std::nullopt;
    }
  }
  return open;
}

/// Returns the product of the sizes. Unknown sizes that the target copies from the input are left out, because they
/// occur in both shapes.
Dim ProductOfOthers(NodeContext& context, std::span<const Dim> target, std::span<const Dim> sizes) {
  const bool copies = context.Int("allowzero", 0) == 0;
  const std::span<Dim> others = context.New<Dim>(sizes.size());
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const bool is_in_both = copies && i < target.size() && target[i].Is(0) && !sizes[i].IsNumber();
    others[i] = is_in_both ? Dim(1) : sizes[i];
  }
  return NumberOfElements(others);
}

/// Computes the size of the axis with -1: the number of elements of the input divided by the product of the other
/// sizes. Returns false after an error.
bool ResolveOpenAxis(NodeContext& context, std::span<const Dim> target, std::size_t open, std::span<Dim> result) {
  Memory& dims = context.dims();
  result[open] = 1;
  const Dim others = dims.Product(result);
  const Dim to_fill = ProductOfOthers(context, target, result);
  result[open] = {};
  if (others.Is(0)) return FailReshape(context, target, "a shape without 0 if it has -1");
  if (!context.HasRank(0)) return true;
  const Dim all = dims.Product(context.Shape(0));
  const Dim to_move = ProductOfOthers(context, target, context.Shape(0));
  if (to_move.IsNumber() && to_fill.IsNumber() && to_move.number() % to_fill.number() != 0) {
    return FailReshape(context, target,
                       fmt::format("a shape for {}: the product of the sizes other than -1 must divide {}",
                                   ElementsText(all, to_move), to_move.number()));
  }
  result[open] = dims.DivideExactly(all, others);
  return true;
}

bool CheckElements(NodeContext& context, std::span<const Dim> target, std::span<const Dim> result) {
  if (!context.HasRank(0)) return true;
  const Dim to_move = ProductOfOthers(context, target, context.Shape(0));
  if (!to_move.Contradicts(ProductOfOthers(context, target, result))) return true;
  return FailReshape(context, target,
                     fmt::format("a shape of {}", ElementsText(NumberOfElements(context.Shape(0)), to_move)));
}

}  // namespace

void Reshape(NodeContext& context) {
  if (!CheckRank(context, 1, 1)) return;
  const auto target = Target(context);
  if (!target || target->size() > kMostRank) return;
  const std::span<Dim> result = context.NewShape(static_cast<int>(target->size()));
  const std::optional<int> open = ResolveTarget(context, *target, result);
  if (!open) return;
  if (*open >= 0) {
    if (!ResolveOpenAxis(context, *target, static_cast<std::size_t>(*open), result)) return;
  } else if (!CheckElements(context, *target, result)) {
    return;
  }
  context.SetShape(0, result);
}

/// Produces two dimensions: the product of the sizes before the given axis, and the product of the other sizes.
void Flatten(NodeContext& context) {
  if (!context.HasRank(0)) return context.SetShape(0, context.NewShape(2));
  const int rank = context.Rank(0);
  const std::int64_t axis = context.Int("axis", 1);
  const std::int64_t least = context.op().since < 11 ? 0 : -rank;
  if (axis < least || axis > rank) {
    FailAttribute(context, "axis", axis, fmt::format("from {} to {}", least, rank));
    return;
  }
  const std::size_t split = static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
  const std::span<const Dim> shape = context.Shape(0);
  context.SetShape(0, {context.dims().Product(shape.first(split)), context.dims().Product(shape.subspan(split))});
}

namespace {

/// Returns the axes of Squeeze and Unsqueeze: an attribute until version 11, then an input. Sets `*given` to whether
/// the node specifies axes.
std::optional<Numbers> AxesOf(NodeContext& context, bool* given) {
  const auto attribute = context.Ints("axes");
  *given = attribute.has_value() || context.HasInput(1);
  if (attribute) return attribute;
  return context.HasInput(1) ? context.Numbers(1) : std::nullopt;
}

Part AxesPart(const NodeContext& context) { return context.HasInput(1) ? In(1) : Attr("axes"); }

}  // namespace

void Squeeze(NodeContext& context) {
  if (!context.HasRank(0)) return;
  bool given = false;
  const auto numbers = AxesOf(context, &given);
  const std::span<const Dim> shape = context.Shape(0);
  const std::span<bool> goes = context.New<bool>(shape.size());
  if (!given) {
    for (std::size_t i = 0; i < shape.size(); ++i) {
      if (!shape[i].IsNumber()) return;  // the size may be 1
      goes[i] = shape[i].Is(1);
    }
  } else if (numbers) {
    const auto axes = CheckAxes(context, *numbers, context.Rank(0), AxesPart(context), In(0), false);
    if (!axes) return;
    for (const int axis : *axes) {
      const std::size_t at = static_cast<std::size_t>(axis);
      goes[at] = true;
      if (shape[at].Contradicts(1)) {
        FailDimension(context, 0, at, "1 to be squeezed");
        return;
      }
    }
  } else {
    const auto count = LengthOf(context, 1);
    if (count && *count <= context.Rank(0)) context.SetShape(0, context.NewShape(context.Rank(0) - *count));
    return;
  }
  const std::span<Dim> result = context.NewShape(static_cast<int>(std::count(goes.begin(), goes.end(), false)));
  std::size_t next = 0;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (!goes[i]) result[next++] = shape[i];
  }
  context.SetShape(0, result);
}

void Unsqueeze(NodeContext& context) {
  if (!context.HasRank(0)) return;
  bool given = false;
  const auto numbers = AxesOf(context, &given);
  if (!numbers) {
    const auto count = LengthOf(context, 1);
    if (count) context.SetShape(0, context.NewShape(context.Rank(0) + *count));
    return;
  }
  const int rank = context.Rank(0) + static_cast<int>(std::min(numbers->size(), kMostRank));
  if (rank > static_cast<int>(kMostRank)) return;
  if (context.op().since < 11 && std::ranges::any_of(*numbers, [](auto axis) { return axis < 0; })) {
    FailAttribute(context, "axes", std::ranges::min(*numbers), "at least 0");
    return;
  }
  const auto axes = CheckAxes(context, *numbers, rank, AxesPart(context), Out(0), true);
  if (!axes) return;
  const std::span<bool> is_new = context.New<bool>(static_cast<std::size_t>(rank));
  for (const int axis : *axes) is_new[static_cast<std::size_t>(axis)] = true;
  const std::span<Dim> result = context.NewShape(rank);
  std::size_t next = 0;
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = is_new[i] ? Dim(1) : context.Shape(0)[next++];
  context.SetShape(0, result);
}

void Transpose(NodeContext& context) {
  const auto perm = context.Ints("perm");
  if (!context.HasRank(0)) {
    if (perm && !perm->empty())
      context.SetShape(0, context.NewShape(static_cast<int>(std::min(perm->size(), kMostRank))));
    return;
  }
  const std::span<const Dim> shape = context.Shape(0);
  const std::span<Dim> result = context.NewShape(context.Rank(0));
  if (!perm) {
    std::reverse_copy(shape.begin(), shape.end(), result.begin());
    return context.SetShape(0, result);
  }
  if (perm->size() != shape.size()) {
    context.Fail(rule::kAttributeLength, Attr("perm"), {In(0)}, context.Describe(Attr("perm")), context.name(),
                 Counted(static_cast<std::int64_t>(perm->size()), "value"),
                 fmt::format("{} has rank {}", context.Describe(In(0)), shape.size()));
    return;
  }
  if (!ListOf(context, "perm", shape.size(), 0, 0)) return;
  const auto axes = CheckAxes(context, *perm, context.Rank(0), Attr("perm"), In(0), true);
  if (!axes) return;
  for (std::size_t i = 0; i < axes->size(); ++i) result[i] = shape[static_cast<std::size_t>((*axes)[i])];
  context.SetShape(0, result);
}

namespace {

std::optional<std::int64_t> BlockSize(NodeContext& context) {
  if (!context.HasAttribute("blocksize")) return std::nullopt;
  const std::int64_t block = context.Int("blocksize", 0);
  if (block > 0) return block;
  FailAttribute(context, "blocksize", block, "positive");
  return std::nullopt;
}

/// Reports an error unless the size of the image on the axis is a multiple of the number `by`.
bool CheckDivides(NodeContext& context, std::size_t axis, Dim by) {
  const Dim size = context.Shape(0)[axis];
  if (!size.IsNumber() || !by.IsNumber() || size.number() % by.number() == 0) return true;
  return FailDimension(context, 0, axis, fmt::format("a multiple of {}", by.number()));
}

}  // namespace

void DepthToSpace(NodeContext& context) {
  const auto block = BlockSize(context);
  if (!block || !CheckRank(context, 0, 4) || !context.HasRank(0)) return;
  Memory& dims = context.dims();
  const std::span<const Dim> shape = context.Shape(0);
  const Dim area = dims.Multiply(*block, *block);
  if (!CheckDivides(context, 1, area)) return;
  context.SetShape(0, {shape[0], dims.FloorDivide(shape[1], area), dims.Multiply(shape[2], *block),
                       dims.Multiply(shape[3], *block)});
}

void SpaceToDepth(NodeContext& context) {
  const auto block = BlockSize(context);
  if (!block || !CheckRank(context, 0, 4) || !context.HasRank(0)) return;
  Memory& dims = context.dims();
  const std::span<const Dim> shape = context.Shape(0);
  const Dim area = dims.Multiply(*block, *block);
  if (!CheckDivides(context, 2, *block) || !CheckDivides(context, 3, *block)) return;
  context.SetShape(0, {shape[0], dims.Multiply(shape[1], area), dims.FloorDivide(shape[2], *block),
                       dims.FloorDivide(shape[3], *block)});
}

}  // namespace onnxc::infer
