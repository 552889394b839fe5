// Attributes that became inputs, and inputs that became attributes.
#include <algorithm>
#include <cmath>
#include <limits>

#include "convert/rules.h"
#include "source/report.h"

namespace onnxc::convert {

void RenameAttribute(Step& step, std::string_view from, std::string_view to) {
  for (onnx::AttributeProto& attribute : *step.node().mutable_attribute()) {
    if (attribute.name() == from) attribute.set_name(std::string(to));
  }
}

// ---- axes

void AxesToInput(Step& step) { step.IntsToInput("axes", 1); }

namespace {

/// A reduction along no axes: what the operator does with each element.
void ReduceNothing(Step& step) {
  step.dropped.insert(step.dropped.end(), step.node().input().begin(), step.node().input().end());
  if (step.Is("ReduceSumSquare")) return step.Replace("out0 = Mul (in0, in0)");
  const bool is_norm = step.Is("ReduceL1") || step.Is("ReduceL2");
  step.Expand("out0 = {} (in0)", is_norm ? "Abs" : step.Is("ReduceLogSum") ? "Log" : "Identity");
}

}  // namespace

void AxesToAttribute(Step& step) {
  step.InputToInts("axes", 1);
  if (!step.ok() || step.Is("Squeeze") || step.Is("Unsqueeze")) return;
  const std::optional<Integers> axes = step.Ints("axes");
  const bool is_empty = !axes || axes->empty();
  if (is_empty && step.Int("noop_with_empty_axes", 0) != 0) return ReduceNothing(step);
  if (is_empty) step.Remove("axes");  // all axes
  step.Remove("noop_with_empty_axes");
}

namespace {

void AddRank(Step& step, std::string_view name, int rank) {
  const onnx::AttributeProto* const attribute = step.Attribute(name);
  if (attribute == nullptr) return;
  const auto known = [&] { return rank >= 0 ? rank : step.NeedRank(0); };
  if (attribute->type() == onnx::AttributeProto::INT) {
    if (const std::int64_t axis = step.Int(name, 0); axis < 0) step.Set(name, axis + known());
  } else if (std::optional<Integers> axes = step.Ints(name)) {
    if (std::ranges::none_of(*axes, [](std::int64_t axis) { return axis < 0; })) return;
    for (std::int64_t& axis : *axes) axis += axis < 0 ? known() : 0;
    step.Set(name, *axes);
  }
}

}  // namespace

void CountAxesFromFront(Step& step) {
  int rank = -1;
  if (step.Is("Unsqueeze") && step.Rank(0) >= 0)
    rank = step.Rank(0) + static_cast<int>(step.Ints("axes").value_or(Integers()).size());
  if (step.Is("OneHot") && step.Rank(0) >= 0) rank = step.Rank(0) + 1;
  AddRank(step, "axis", rank);
  AddRank(step, "axes", rank);
}

void CountSliceAxesFromFront(Step& step) {
  if (!step.HasInput(3)) return;
  std::optional<Integers> axes = step.Constant(3);
  if (!axes || std::ranges::none_of(*axes, [](std::int64_t axis) { return axis < 0; })) return;
  const int rank = step.NeedRank(0);
  for (std::int64_t& axis : *axes) axis += axis < 0 ? rank : 0;
  step.SetInput(3, step.NewConstant("axes", *axes));
}

// ---- Split

void SplitInputToAttribute(Step& step) {
  if (!step.HasAttribute("axis")) step.Set("axis", 0);
  if (step.HasInput(1)) step.InputToInts("split", 1);
}
void SplitToInput(Step& step) { step.IntsToInput("split", 1); }
void SplitToAttribute(Step& step) { step.InputToInts("split", 1); }

void CountOutputs(Step& step) {
  if (!step.HasInput(1)) step.Set("num_outputs", step.node().output_size());
}

void SplitSizes(Step& step) {
  if (!step.HasAttribute("num_outputs")) return;
  const std::int64_t count = step.Int("num_outputs", 1);
  step.Remove("num_outputs");
  if (count <= 1) return;
  const std::optional<Integers> shape = step.Shape(0);
  const std::int64_t axis = step.Int("axis", 0);
  const std::int64_t at = axis < 0 && shape ? axis + static_cast<std::int64_t>(shape->size()) : axis;
  if (!shape || at < 0 || at >= static_cast<std::int64_t>(shape->size()) ||
      (*shape)[static_cast<std::size_t>(at)] < 0) {
    return step.RefuseUnknown("size along the axis", 0);
  }
  const std::int64_t size = (*shape)[static_cast<std::size_t>(at)];
  if (size % count == 0) return;
  const std::int64_t chunk = (size + count - 1) / count;
  Integers sizes(static_cast<std::size_t>(count), chunk);
  sizes.back() = size - chunk * (count - 1);
  if (sizes.back() < 0) return step.Refuse("the last parts would have negative sizes");
  step.SetInput(1, step.NewConstant("split", sizes));
}

// ---- Clip

void BoundsToInputs(Step& step) {
  constexpr std::string_view kBounds[] = {"min", "max"};
  for (int i = 0; i < 2; ++i) {
    if (!step.HasAttribute(kBounds[i])) continue;
    const float bound = step.Float(kBounds[i], 0);
    if (!step.ok()) return;
    step.SetInput(i + 1, step.NewScalarLike(kBounds[i], bound, 0));
    step.Remove(kBounds[i]);
  }
}

void BoundsToAttributes(Step& step) {
  constexpr std::string_view kBounds[] = {"min", "max"};
  for (int i = 1; i >= 0; --i) {
    const float infinity = std::numeric_limits<float>::infinity() * (i == 0 ? -1.0F : 1.0F);
    if (step.HasInput(i + 1)) {
      const auto bound = step.NeedRealConstant(i + 1, fmt::format("the bound '{}'", kBounds[i]));
      if (!bound || bound->size() != 1) return step.Refuse("a bound must be one number");
      if (!HasNumber(onnx::TensorProto::FLOAT, bound->front())) {
        return step.Refuse(
            fmt::format("the bound {} is not exactly a float, the type of the attribute", bound->front()));
      }
      step.Set(kBounds[i], static_cast<float>(bound->front()));
    } else if (step.ElementType(0) == onnx::TensorProto::DOUBLE) {
      step.Set(kBounds[i], infinity);  // without it, the bound is the largest float, less than the largest double
    }
    step.RemoveInput(i + 1);
  }
}

// ---- Pad

void PaddingsToPads(Step& step) { RenameAttribute(step, "paddings", "pads"); }
void PadsToPaddings(Step& step) { RenameAttribute(step, "pads", "paddings"); }

void PadsToInput(Step& step) {
  step.IntsToInput("pads", 1);
  const float value = step.Float("value", 0);
  if (value != 0 && step.ok()) step.SetInput(2, step.NewScalarLike("value", value, 0));
  step.Remove("value");
}

void PadsToAttribute(Step& step) {
  if (step.HasInput(2)) {
    const auto value = step.NeedRealConstant(2, "the value");
    if (!value || value->size() != 1) return step.Refuse("the value must be one number");
    if (!HasNumber(onnx::TensorProto::FLOAT, value->front())) {
      return step.Refuse("the value is not exactly a float, the type of the attribute");
    }
    if (value->front() != 0) step.Set("value", static_cast<float>(value->front()));
  }
  step.RemoveInput(2);
  step.InputToInts("pads", 1);
}

namespace {

/// Returns the pads for all axes.
std::optional<Integers> AllPads(Step& step) {
  std::optional<Integers> pads = step.NeedConstant(1, "the pads");
  if (!pads || !step.HasInput(3)) return pads;
  const std::optional<Integers> axes = step.NeedConstant(3, "the axes");
  const int rank = step.NeedRank(0);
  if (!axes || !step.ok() || pads->size() != 2 * axes->size()) return std::nullopt;
  Integers all(2 * static_cast<std::size_t>(rank), 0);
  for (std::size_t i = 0; i < axes->size(); ++i) {
    const auto axis = static_cast<std::size_t>((*axes)[i] < 0 ? (*axes)[i] + rank : (*axes)[i]);
    if (axis >= static_cast<std::size_t>(rank)) return std::nullopt;
    all[axis] = (*pads)[i];
    all[axis + static_cast<std::size_t>(rank)] = (*pads)[i + axes->size()];
  }
  return all;
}

}  // namespace

void PadAllAxes(Step& step) {
  if (!step.HasInput(3)) return;
  const std::optional<Integers> pads = AllPads(step);
  if (!pads) return step.Refuse("the pads do not fit the axes");
  step.RemoveInput(3);
  step.SetInput(1, step.NewConstant("pads", *pads));
}

void WrapByConcat(Step& step) {
  if (step.String("mode", "constant") != "wrap") return;
  const std::optional<Integers> pads = AllPads(step);
  const std::optional<Integers> sizes = step.NeedSizes(0);
  if (!step.ok() || !pads || pads->size() != 2 * sizes->size()) return step.Refuse("the pads do not fit the axes");
  std::string text;
  std::string now = "in0";
  const std::size_t rank = sizes->size();
  for (std::size_t i = 0; i < rank; ++i) {
    const std::int64_t begin = (*pads)[i];
    const std::int64_t end = (*pads)[i + rank];
    const std::int64_t size = (*sizes)[i];
    if (begin == 0 && end == 0) continue;
    if (begin < 0 || end < 0 || begin > size || end > size)
      return step.Refuse("'wrap' with pads below 0 or above the size");
    text += fmt::format(
        "from_{0} = Constant <value = int64[1] {{{1}}}> ()\nsize_{0} = Constant <value = int64[1] {{{2}}}> ()\n"
        "axis_{0} = Constant <value = int64[1] {{{0}}}> ()\nzero_{0} = Constant <value = int64[1] {{0}}> ()\n"
        "to_{0} = Constant <value = int64[1] {{{3}}}> ()\n"
        "before_{0} = Slice ({4}, from_{0}, size_{0}, axis_{0})\nafter_{0} = Slice ({4}, zero_{0}, to_{0}, axis_{0})\n"
        "padded_{0} = Concat <axis = {0}> (before_{0}, {4}, after_{0})\n",
        i, size - begin, size, end, now);
    now = fmt::format("padded_{}", i);
  }
  step.Replace(text + fmt::format("out0 = Identity ({})", now));
}

// ---- Slice, TopK, Reshape, DFT, Dropout

void SliceToInputs(Step& step) {
  step.IntsToInput("starts", 1);
  step.IntsToInput("ends", 2);
  step.IntsToInput("axes", 3);
}

void SliceToAttributes(Step& step) {
  if (step.HasInput(4)) {
    const std::optional<Integers> steps = step.NeedConstant(4, "the steps");
    if (!steps) return;
    if (std::ranges::any_of(*steps, [](std::int64_t each) { return each != 1; })) {
      return step.Refuse("before version 10, Slice has no steps other than 1");
    }
  }
  step.RemoveInput(4);
  step.InputToInts("axes", 3);
  step.InputToInts("ends", 2);
  step.InputToInts("starts", 1);
}

void KToInput(Step& step) { step.IntsToInput("k", 1); }

void KToAttribute(Step& step) {
  const std::optional<Integers> k = step.NeedConstant(1, "K");
  if (!k || k->size() != 1) return step.Refuse("K must be one number");
  step.RemoveInput(1);
  step.Set("k", k->front());
}

void LargestOfNegated(Step& step) {
  CountAxesFromFront(step);
  step.Remove("sorted");  // any order is allowed if it is 0
  if (step.Int("largest", 1) != 0 || !step.ok()) return;
  const int type = step.NeedElementType(0);
  if (type != onnx::TensorProto::FLOAT && type != onnx::TensorProto::DOUBLE && type != onnx::TensorProto::FLOAT16) {
    return step.Refuse(fmt::format("before version 11, TopK does not take {}", KeywordOf(type)));
  }
  step.Remove("largest");
  step.Replace("negative = Neg (in0)\nsmallest, out1 = Self (negative, in1)\nout0 = Neg (smallest)");
}

void ShapeToInput(Step& step) { step.IntsToInput("shape", 1); }
void ShapeToAttribute(Step& step) { step.InputToInts("shape", 1); }

void CopyZeros(Step& step) {
  if (step.Int("allowzero", 0) == 0) return;
  const std::optional<Integers> shape = step.NeedConstant(1, "the shape, because allowzero is 1,");
  if (!shape) return;
  if (std::ranges::find(*shape, 0) != shape->end()) {
    return step.Refuse("before version 14, a 0 in the shape is always the size of the input");
  }
  step.Remove("allowzero");
}

void DftAxisToInput(Step& step) {
  const std::int64_t axis = step.Int("axis", 1);
  step.Remove("axis");
  step.SetInput(2, step.NewConstant("axis", fmt::format("int64 {{{}}}", axis)));
}

void DftAxisToAttribute(Step& step) {
  Integers axis = {-2};
  if (step.HasInput(2)) {
    const std::optional<Integers> given = step.NeedConstant(2, "the axis");
    if (!given || given->size() != 1) return step.Refuse("the axis must be one number");
    axis = *given;
  }
  step.RemoveInput(2);
  step.Set("axis", axis.front());
}

void RatioToInput(Step& step) {
  if (!step.HasAttribute("ratio")) return;
  const float ratio = step.Float("ratio", 0.5F);
  step.Remove("ratio");
  step.SetInput(1, step.NewConstant("ratio", ScalarText(onnx::TensorProto::FLOAT, ratio)));
}

void RatioToAttribute(Step& step) {
  if (step.HasInput(2)) {
    const std::optional<Integers> training = step.NeedConstant(2, "training_mode");
    if (!training) return;
    if (std::ranges::any_of(*training, [](std::int64_t each) { return each != 0; })) {
      return step.Refuse("before version 12, no input says that the node is in training");
    }
  }
  step.RemoveInput(2);
  const std::optional<Reals> ratio = step.RealConstant(1);  // without effect outside of training, if it is computed
  step.RemoveInput(1);
  if (ratio && ratio->size() == 1) step.Set("ratio", static_cast<float>(ratio->front()));
  step.Remove("seed");
}

}  // namespace onnxc::convert
