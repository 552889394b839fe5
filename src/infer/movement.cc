// Operators that repeat, cut, join and pad elements.
#include <fmt/format.h>

#include "infer/operands.h"
#include "infer/registry.h"
#include "source/words.h"

namespace onnxc::infer {

namespace {

/// Concatenates every `step`-th input, beginning with input `begin`.
void ConcatFrom(NodeContext& context, int begin, int step) {
  int rank = -1;
  int first = begin;
  for (int i = begin; i < context.inputs(); i += step) {
    if (rank < 0 && context.HasRank(i)) {
      rank = context.Rank(i);
      first = i;
    }
    if (rank >= 0 && !CheckRank(context, i, rank)) return;
  }
  if (rank < 0) return;
  const auto axis = AxisOf(context, "axis", 1, rank, In(first));  // version 1 has a default
  if (!axis) return;
  std::vector<Size> sizes(static_cast<std::size_t>(rank));
  Dim total = 0;
  for (int i = begin; i < context.inputs(); i += step) {
    for (int j = 0; j < rank; ++j) {
      if (j != *axis && !Match(context, i, j, sizes[static_cast<std::size_t>(j)])) return;
    }
    const Dim part = context.HasRank(i) ? context.Shape(i)[static_cast<std::size_t>(*axis)] : Dim();
    total = context.dims().Add(total, part);
  }
  const std::span<Dim> result = context.NewShape(rank);
  for (std::size_t j = 0; j < result.size(); ++j) result[j] = static_cast<int>(j) == *axis ? total : sizes[j].dim;
  context.SetShape(0, result);
}

}  // namespace

void Concat(NodeContext& context) { ConcatFrom(context, 0, 1); }

/// The first two inputs are the scale and zero point of the result. Then come the parts, each followed by its own scale
/// and zero point.
void QuantizedConcat(NodeContext& context) { ConcatFrom(context, 2, 3); }

namespace {

/// Returns the sizes of the parts that the attribute or an input specifies. Returns an empty list if neither is
/// present, and nothing if the sizes are not known.
std::optional<std::vector<Dim>> GivenParts(NodeContext& context) {
  if (const auto list = context.Ints("split")) return std::vector<Dim>(list->begin(), list->end());
  if (!context.HasInput(1)) return std::vector<Dim>();
  if (const auto list = context.Integers(1)) return std::vector<Dim>(list->begin(), list->end());
  return std::nullopt;
}

/// Returns a text such as "24 + 32". Only the first parts are shown.
std::string SumText(std::span<const Dim> parts) {
  constexpr std::size_t kMost = 8;
  std::string text;
  for (const Dim& part : parts.first(std::min(parts.size(), kMost))) {
    text += (text.empty() ? "" : " + ") + ToString(part);
  }
  return parts.size() > kMost ? text + " + ..." : text;
}

bool FailParts(NodeContext& context, std::size_t count, std::size_t wanted) {
  if (context.HasInput(1)) return FailCount(context, 1, count, wanted);
  return FailLength(context, "split", static_cast<std::int64_t>(count),
                    fmt::format("the node has {}", Counted(static_cast<std::int64_t>(wanted), "output")));
}

bool CheckParts(NodeContext& context, std::span<const Dim> parts) {
  if (context.HasInput(1)) return CheckSizes(context, 1, parts);
  const auto wrong = std::ranges::find_if(parts, [](const Dim& part) { return part.number() < 0; });
  return wrong == parts.end() || FailAttribute(context, "split", wrong->number(), "at least 0 each");
}

/// Returns the sizes of equal parts of `whole`. Since version 18, the last part may be smaller.
std::optional<std::vector<Dim>> EqualParts(NodeContext& context, Dim whole, std::size_t axis) {
  Memory& dims = context.dims();
  const std::int64_t count = context.outputs();
  std::int64_t wanted = count;
  if (context.op().since >= 18) {
    wanted = context.Int("num_outputs", 0);
    if (wanted < 1 || wanted != count) {
      FailAttribute(context, "num_outputs", wanted, fmt::format("{}, the number of outputs", count));
      return std::nullopt;
    }
  } else if (whole.IsNumber() && whole.number() % count != 0) {
    FailDimension(context, 0, axis, fmt::format("a multiple of {}, the number of outputs", count));
    return std::nullopt;
  }
  const Dim part = dims.CeilDivide(whole, wanted);
  std::vector<Dim> parts(static_cast<std::size_t>(count), part);
  if (context.op().since >= 18) {
    const Dim last = dims.Subtract(whole, dims.Multiply(part, wanted - 1));
    parts.back() = last.IsNumber() && last.number() < 0 ? Dim() : last;
  } else if (!whole.IsNumber()) {
    std::fill(parts.begin(), parts.end(), dims.FloorDivide(whole, count));
  }
  return parts;
}

}  // namespace

void Split(NodeContext& context) {
  const bool is_counted = context.HasAttribute("num_outputs");
  if (context.op().since >= 18 && context.HasInput(1) && is_counted) {
    FailAttribute(context, "num_outputs", "given", "left out if the input 'split' is given");
    return;
  }
  if (!context.HasRank(0) || context.outputs() == 0) return;
  const std::span<const Dim> shape = context.Shape(0);
  const auto axis = AxisOf(context, "axis", 0, context.Rank(0), In(0));
  if (!axis) return;
  const Dim whole = shape[static_cast<std::size_t>(*axis)];
  std::vector<Dim> parts(static_cast<std::size_t>(context.outputs()));
  // The reference requires an input 'split' or the attribute 'num_outputs' if it knows the size.
  const bool is_bare = context.op().since >= 18 && !context.HasInput(1) && !is_counted;
  if (is_bare && whole.IsNumber()) {
    FailAttribute(context, "num_outputs", "missing", "given if there is no input 'split'");
    return;
  }
  const auto given = is_bare ? std::nullopt : GivenParts(context);
  if (given && (!given->empty() || context.HasInput(1))) {
    if (given->size() != parts.size()) {
      FailParts(context, given->size(), parts.size());
      return;
    }
    if (!CheckParts(context, *given)) return;
    Dim sum = 0;
    for (const Dim& part : *given) sum = context.dims().Add(sum, part);
    if (sum.Contradicts(whole)) {
      FailDimension(context, 0, static_cast<std::size_t>(*axis),
                    fmt::format("{} = {}, the sum of 'split'", sum.number(), SumText(*given)));
      return;
    }
    parts = *given;
  } else if (given) {
    const auto equal = EqualParts(context, whole, static_cast<std::size_t>(*axis));
    if (!equal) return;
    parts = *equal;
  }
  const std::span<Dim> result = context.NewShape(context.Rank(0));
  std::copy(shape.begin(), shape.end(), result.begin());
  for (int i = 0; i < context.outputs(); ++i) {
    result[static_cast<std::size_t>(*axis)] = parts[static_cast<std::size_t>(i)];
    context.SetShape(i, result);
  }
}

namespace {

/// One of the lists of Slice: an attribute in version 1, then an input.
struct SliceList {
  bool given = false;
  bool known = false;
  std::vector<Dim> values = {};
};

SliceList ReadSliceList(NodeContext& context, std::string_view attribute, int input) {
  if (context.op().since == 1) {
    const auto list = context.Ints(attribute);
    if (!list) return {};
    return {true, true, {list->begin(), list->end()}};
  }
  if (!context.HasInput(input)) return {};
  const auto list = context.Integers(input);
  if (!list) return {.given = true};
  return {true, true, {list->begin(), list->end()}};
}

/// Returns the number of elements of an axis that Slice keeps.
Dim SlicedSize(Memory& dims, Dim size, Dim start, Dim end, std::int64_t step) {
  if (!size.IsNumber() || !start.IsNumber() || !end.IsNumber()) {
    constexpr std::int64_t kAll = INT32_MAX;  // larger than any size
    if (!start.Is(0) || step != 1) return {};
    if (end.Equals(size) || (end.IsNumber() && end.number() >= kAll)) return size;
    return end.Is(0) ? end : Dim();
  }
  const std::int64_t n = size.number();
  if (n == 0) return 0;
  const auto bound = [&](std::int64_t at, std::int64_t low, std::int64_t high) {
    return std::clamp(at < 0 ? at + n : at, low, high);
  };
  const std::int64_t from = step < 0 ? bound(start.number(), 0, n - 1) : bound(start.number(), 0, n);
  const std::int64_t to = step < 0 ? bound(end.number(), -1, n - 1) : bound(end.number(), 0, n);
  if (step == INT64_MIN) return from > to ? 1 : 0;
  const Dim length = step > 0 ? dims.CeilDivide(to - from, step) : dims.CeilDivide(from - to, -step);
  return std::max<std::int64_t>(length.number(), 0);
}

bool CheckSliceLists(NodeContext& context, const SliceList& starts, const SliceList& list, std::string_view attribute,
                     int input) {
  if (!starts.known || !list.known || list.values.size() == starts.values.size()) return true;
  if (context.op().since > 1) return FailCount(context, input, list.values.size(), starts.values.size());
  return FailLength(context, attribute, static_cast<std::int64_t>(list.values.size()),
                    fmt::format("'starts' has {}", starts.values.size()));
}

}  // namespace

void Slice(NodeContext& context) {
  const SliceList starts = ReadSliceList(context, "starts", 1);
  const SliceList ends = ReadSliceList(context, "ends", 2);
  const SliceList axes = ReadSliceList(context, "axes", 3);
  const SliceList steps = ReadSliceList(context, "steps", 4);
  if (!CheckSliceLists(context, starts, ends, "ends", 2) || !CheckSliceLists(context, starts, axes, "axes", 3) ||
      !CheckSliceLists(context, starts, steps, "steps", 4)) {
    return;
  }
  for (const Dim& step : steps.values) {
    if (!step.Is(0)) continue;
    FailElements(context, 4, "0", "a number other than 0");
    return;
  }
  if (!context.HasRank(0)) return;
  const std::span<const Dim> shape = context.Shape(0);
  const std::span<Dim> result = context.NewShape(context.Rank(0));
  const std::size_t count = axes.known ? axes.values.size() : starts.values.size();
  if (axes.given ? !axes.known : !starts.known) return context.SetShape(0, result);
  std::copy(shape.begin(), shape.end(), result.begin());
  const std::span<std::int64_t> numbers = context.New<std::int64_t>(count);
  for (std::size_t i = 0; i < count; ++i) {
    numbers[i] = axes.known ? axes.values[i].number() : static_cast<std::int64_t>(i);
    if (axes.known && !axes.values[i].IsNumber()) return context.SetShape(0, context.NewShape(context.Rank(0)));
  }
  const Part blamed = !axes.known ? In(1) : context.op().since == 1 ? Attr("axes") : In(3);
  const auto checked = CheckAxes(context, numbers, context.Rank(0), blamed, In(0), true);
  if (!checked) return;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t axis = static_cast<std::size_t>((*checked)[i]);
    const Dim step = steps.known ? steps.values[i] : steps.given ? Dim() : Dim(1);
    const Dim start = starts.known ? starts.values[i] : Dim();
    const Dim end = ends.known ? ends.values[i] : Dim();
    result[axis] = step.IsNumber() ? SlicedSize(context.dims(), shape[axis], start, end, step.number()) : Dim();
  }
  context.SetShape(0, result);
}

namespace {

/// Checks that an axis has enough elements for padding that reflects them. At each end of the axis, all elements except
/// the one at the edge can be reflected.
bool CheckReflection(NodeContext& context, std::size_t axis, Dim before, Dim behind) {
  const Dim size = context.Shape(0)[axis];
  const bool is_known = size.IsNumber() && before.IsNumber() && behind.IsNumber();
  if (!is_known || size.Is(0) || std::min(before.number(), behind.number()) < 0) return true;
  const std::int64_t most = std::max(before.number(), behind.number());
  return most < size.number() ||
         FailDimension(context, 0, axis, fmt::format("at least {}, to reflect {} of its elements", most + 1, most));
}

}  // namespace

void Pad(NodeContext& context) {
  if (!context.HasRank(0)) return;
  const std::span<const Dim> shape = context.Shape(0);
  const std::span<Dim> result = context.NewShape(context.Rank(0));
  Numbers numbers = AllAxes(context, context.Rank(0));
  if (context.HasInput(3)) {
    const auto given = context.Numbers(3);
    if (!given) return context.SetShape(0, result);
    numbers = *given;
  }
  const auto axes = CheckAxes(context, numbers, context.Rank(0), In(3), In(0), true);
  if (!axes) return;
  const std::string_view attribute = context.op().since == 1 ? "paddings" : "pads";
  std::vector<Dim> pads(2 * axes->size());
  if (context.op().since < 11) {
    const auto list = ListOf(context, attribute, pads.size(), 0, INT64_MIN);
    if (!list) return;
    std::copy(list->begin(), list->end(), pads.begin());
  } else if (const auto list = context.Integers(1)) {
    if (list->size() != pads.size()) {
      FailCount(context, 1, list->size(), pads.size());
      return;
    }
    std::copy(list->begin(), list->end(), pads.begin());
  }
  std::copy(shape.begin(), shape.end(), result.begin());
  const bool reflects = Choice(context, "mode") == "reflect";
  for (std::size_t i = 0; i < axes->size(); ++i) {
    const auto axis = static_cast<std::size_t>((*axes)[i]);
    if (reflects && !CheckReflection(context, axis, pads[i], pads[i + axes->size()])) return;
    const Dim more = context.dims().Add(pads[i], pads[i + axes->size()]);
    result[axis] = context.dims().Add(shape[axis], more);
    if (result[axis].number() >= 0) continue;
    FailDimension(context, 0, axis,
                  fmt::format("at least {}, as many as the pads remove", ToString(context.dims().Subtract(0, more))));
    return;
  }
  context.SetShape(0, result);
}

void Tile(NodeContext& context) {
  if (!context.HasRank(0)) {
    if (const auto count = context.op().since == 1 ? std::nullopt : LengthOf(context, 1)) {
      context.SetShape(0, context.NewShape(*count));
    }
    return;
  }
  const std::span<const Dim> shape = context.Shape(0);
  const std::span<Dim> result = context.NewShape(context.Rank(0));
  const auto repeats = context.op().since == 1 ? std::nullopt : context.Integers(1);
  if (!repeats) return context.SetShape(0, result);
  if (repeats->size() != shape.size()) {
    FailCount(context, 1, repeats->size(), shape.size());
    return;
  }
  if (!CheckSizes(context, 1, *repeats)) return;
  for (std::size_t i = 0; i < shape.size(); ++i) result[i] = context.dims().Multiply(shape[i], (*repeats)[i]);
  context.SetShape(0, result);
}

/// Broadcasts the input with the shape in the second input.
void Expand(NodeContext& context) {
  if (!CheckRank(context, 1, 1) || !context.HasRank(0)) return;
  const auto list = context.Integers(1);
  const auto length = LengthOf(context, 1);
  if (!length) return;
  const std::span<const Dim> shape = context.Shape(0);
  const std::span<Dim> result = context.NewShape(std::max(context.Rank(0), *length));
  std::fill(result.begin(), result.end(), Dim(1));
  (void)BroadcastInto(shape, result);
  const std::vector<Dim> wanted =
      list ? std::vector<Dim>(list->begin(), list->end()) : std::vector<Dim>(static_cast<std::size_t>(*length));
  if (!BroadcastInto(wanted, result)) {
    std::string text;
    for (const Dim& dim : wanted) text += (text.empty() ? "[" : ", ") + ToString(dim);
    FailElements(context, 1, text + "]", "a shape that the input broadcasts with");
    return;
  }
  context.SetShape(0, result);
}

void CenterCropPad(NodeContext& context) {
  if (!context.HasRank(0)) return;
  const std::span<const Dim> shape = context.Shape(0);
  const std::span<Dim> result = context.NewShape(context.Rank(0));
  std::copy(shape.begin(), shape.end(), result.begin());
  const Numbers numbers = context.Ints("axes").value_or(AllAxes(context, context.Rank(0)));
  const auto axes = CheckAxes(context, numbers, context.Rank(0), Attr("axes"), In(0), true);
  if (!axes) return;
  const auto sizes = context.Integers(1);
  if (sizes && sizes->size() != axes->size()) {
    FailCount(context, 1, sizes->size(), axes->size());
    return;
  }
  if (sizes && !CheckSizes(context, 1, *sizes)) return;
  for (std::size_t i = 0; i < axes->size(); ++i) {
    result[static_cast<std::size_t>((*axes)[i])] = sizes ? (*sizes)[i] : Dim();
  }
  context.SetShape(0, result);
}

void ReverseSequence(NodeContext& context) {
  if (CheckRankAtLeast(context, 0, 2) && CheckRank(context, 1, 1)) context.CopyShape(0, 0);
}

void Trilu(NodeContext& context) {
  if (CheckRankAtLeast(context, 0, 2)) context.CopyShape(0, 0);
}

/// Replaces a part of a cache of keys or values.
void TensorScatter(NodeContext& context) {
  context.CopyShape(0, 0);
  if (!CheckRank(context, 2, 1)) return;
  Size batch;
  if (!Match(context, 0, 0, batch) || !Match(context, 2, 0, batch)) return;
  if (!context.HasRank(0) || !context.HasRank(1)) return;
  if (!CheckRank(context, 1, context.Rank(0))) return;
  const auto axis = AxisOf(context, "axis", -2, context.Rank(0), In(0));
  if (!axis) return;
  if (*axis == 0) {
    FailAttribute(context, "axis", context.Int("axis", -2), "an axis other than the batch axis");
    return;
  }
  for (int i = 0; i < context.Rank(0); ++i) {
    Size size;
    if (i != *axis && (!Match(context, 0, i, size) || !Match(context, 1, i, size))) return;
  }
}

}  // namespace onnxc::infer
