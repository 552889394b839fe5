// Resize, Upsample, pooling, and operators that move elements.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "convert/rules.h"
#include "tables/element_types.h"

namespace onnxc::convert {
namespace {

constexpr std::string_view kNoNegativeIndex =
    "before version 11, no index may be negative; its indices are no constant";
constexpr std::string_view kCoordinates = "coordinate_transformation_mode";

bool IsReduction(double scale) { return scale < 1; }
/// Whether the scale is 1, or 1 divided by an integer. Then each element of the result is exactly an element of the
/// input.
bool IsWhole(double scale) {
  return scale == 1 ||
         (scale > 0 && scale < 1 && static_cast<float>(1 / std::round(1 / scale)) == static_cast<float>(scale));
}

}  // namespace

// ---- Upsample and Resize

void ScalesOfBoth(Step& step) {
  const float height = step.Float("height_scale", 1);
  const float width = step.Float("width_scale", 1);
  step.Remove("height_scale");
  step.Remove("width_scale");
  step.Set("scales", Reals{1, 1, height, width});
  if (step.String("mode", "nearest") == "bilinear") step.Set("mode", std::string_view("linear"));
}

void HeightAndWidth(Step& step) {
  const auto scales = step.Floats("scales");
  if (!scales || scales->size() != 4 || (*scales)[0] != 1 || (*scales)[1] != 1) {
    return step.Refuse("before version 7, only the last two of four axes are scaled");
  }
  step.Remove("scales");
  step.Set("height_scale", static_cast<float>((*scales)[2]));
  step.Set("width_scale", static_cast<float>((*scales)[3]));
  if (step.String("mode", "nearest") == "linear") step.Set("mode", std::string_view("bilinear"));
}

void ScalesToInput(Step& step) {
  const auto scales = step.Floats("scales");
  if (!scales) return;
  step.SetInput(1, step.NewConstant("scales", TensorText(onnx::TensorProto::FLOAT,
                                                         {static_cast<std::int64_t>(scales->size())}, *scales)));
  step.Remove("scales");
}

void ScalesToAttribute(Step& step) {
  const auto scales = step.NeedRealConstant(1, "the input 'scales'");
  if (!scales) return;
  step.RemoveInput(1);
  step.Set("scales", *scales);
}

void ToResize(Step& step) { step.node().set_op_type("Resize"); }

void ToUpsample(Step& step) {
  const auto scales = step.NeedRealConstant(1, "the input 'scales'");
  if (scales && std::ranges::any_of(*scales, IsReduction))
    return step.Refuse("Upsample, its form before version 10, takes no scales below 1");
  step.node().set_op_type("Upsample");
}

void WriteAsymmetric(Step& step) {
  constexpr std::string_view kRoi = "float[0] {}";
  step.Set(kCoordinates, std::string_view("asymmetric"));
  const std::string scales = step.HasInput(1) ? step.node().input(1) : "";
  if (step.String("mode", "nearest") != "nearest") {
    step.SetInput(2, scales);
    return step.SetInput(1, step.NewConstant("roi", std::string(kRoi)));
  }
  // The text of version 10 does not say how `nearest` rounds. Runtimes round down on an axis that is enlarged, and up
  // on one that is reduced.
  const auto values = step.NeedRealConstant(1, "the input 'scales'");
  if (!values) return;
  const bool has_reduction =
      std::ranges::any_of(*values, [](double each) { return IsReduction(each) && !IsWhole(each); });
  const bool has_enlargement = std::ranges::any_of(*values, [](double each) { return each > 1; });
  step.Set("nearest_mode", std::string_view(has_reduction ? "ceil" : "floor"));
  if (!has_reduction || !has_enlargement) {
    step.SetInput(2, scales);
    return step.SetInput(1, step.NewConstant("roi", std::string(kRoi)));
  }
  const auto clamped = [&](bool enlarge) {
    Reals part;
    for (const double value : *values) part.push_back((value > 1) == enlarge ? value : 1.0);
    return TensorText(onnx::TensorProto::FLOAT, {static_cast<std::int64_t>(part.size())}, part);
  };
  step.Expand(
      "roi = Constant <value = {}> ()\nlarger = Constant <value = {}> ()\nsmaller = Constant <value = {}> ()\n"
      "enlarged = Resize <coordinate_transformation_mode = \"asymmetric\", mode = \"nearest\", nearest_mode = "
      "\"floor\"> (in0, roi, larger)\n"
      "out0 = Self (enlarged, roi, smaller)",
      kRoi, clamped(true), clamped(false));
}

void OnlyAsymmetric(Step& step) {
  const std::string mode = step.String("mode", "nearest");
  if (step.HasInput(3)) return step.Refuse("before version 11, Resize has no input 'sizes'; write the scales");
  const auto scales = step.NeedRealConstant(2, "the input 'scales'");
  if (!scales) return;
  if (mode == "cubic") return step.Refuse("before version 11, Resize has no mode 'cubic'");
  const bool is_same = std::ranges::all_of(*scales, [](double each) { return each == 1; });
  if (!is_same && step.String(kCoordinates, "half_pixel") != "asymmetric") {
    return step.Refuse(fmt::format("before version 11, the coordinates are those of 'asymmetric', not of '{}'",
                                   step.String(kCoordinates, "half_pixel")));
  }
  if (mode == "nearest") {
    const std::string rounding = step.String("nearest_mode", "round_prefer_floor");
    const bool is_right = std::ranges::all_of(
        *scales, [&](double each) { return IsWhole(each) || rounding == (IsReduction(each) ? "ceil" : "floor"); });
    if (!is_right)
      return step.Refuse(fmt::format(
          "before version 11, 'nearest' rounds down on an enlarged axis and up on a reduced one, not as '{}'",
          rounding));
  }
  if (step.Int("exclude_outside", 0) != 0 && mode == "cubic")
    return step.Refuse("before version 11, there is no exclude_outside");
  for (const std::string_view name :
       {kCoordinates, std::string_view("cubic_coeff_a"), std::string_view("exclude_outside"),
        std::string_view("extrapolation_value"), std::string_view("nearest_mode")}) {
    step.Remove(name);
  }
  const std::string name = step.node().input(2);
  step.SetInput(1, name);
  step.RemoveInput(2);
  std::erase(step.dropped, name);
}

void LeaveOutEmpty(Step& step) {
  if (step.String(kCoordinates, "half_pixel") == "tf_half_pixel_for_nn") {
    if (step.String("mode", "nearest") != "nearest" || step.String("nearest_mode", "round_prefer_floor") != "floor") {
      return step.Refuse(
          "since version 13 there is no 'tf_half_pixel_for_nn', and 'half_pixel' is equal only with the nearest_mode "
          "'floor'");
    }
    step.Set(kCoordinates, std::string_view("half_pixel"));
    step.Set("nearest_mode", std::string_view("round_prefer_ceil"));
  }
  const bool has_sizes = step.HasInput(3);
  for (const int i : {1, 2}) {
    if (step.HasInput(i) && step.IsEmpty(i) && (i == 1 || has_sizes)) step.SetInput(i, "");
  }
  if (step.HasInput(1) && step.String(kCoordinates, "half_pixel") != "tf_crop_and_resize" && step.Constant(1))
    step.SetInput(1, "");
}

void WriteEmpty(Step& step) {
  std::string roi;
  for (const int i : {1, 2}) {
    if (step.HasInput(i)) continue;
    if (roi.empty()) roi = step.NewConstant("roi", "float[0] {}");
    step.SetInput(i, roi);
  }
}

namespace {

std::optional<Integers> AxesFromFront(Step& step, std::size_t rank) {
  Integers axes(rank);
  for (std::size_t i = 0; i < rank; ++i) axes[i] = static_cast<std::int64_t>(i);
  if (const auto given = step.Ints("axes")) axes = *given;
  for (std::int64_t& axis : axes) {
    axis += axis < 0 ? static_cast<std::int64_t>(rank) : 0;
    if (axis < 0 || axis >= static_cast<std::int64_t>(rank)) return std::nullopt;
  }
  return axes;
}

/// Makes sizes that a policy would change the sizes that follow from it. Returns whether they are equal in all
/// respects.
bool KeepRatio(Step& step, const Integers& axes, const Integers& shape, Integers* sizes) {
  const std::string policy = step.String("keep_aspect_ratio_policy", "stretch");
  if (policy == "stretch") return true;
  double scale = 0;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const double each =
        static_cast<double>((*sizes)[i]) / static_cast<double>(shape[static_cast<std::size_t>(axes[i])]);
    scale = i == 0 ? each : policy == "not_larger" ? std::min(scale, each) : std::max(scale, each);
  }
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const double size = scale * static_cast<double>(shape[static_cast<std::size_t>(axes[i])]);
    if (std::abs(size - std::round(size)) > 1e-9 * size) return false;
    (*sizes)[i] = static_cast<std::int64_t>(std::round(size));
  }
  return true;
}

}  // namespace

void ResizeAllAxes(Step& step) {
  const std::string policy = step.String("keep_aspect_ratio_policy", "stretch");
  const bool keeps_ratio = policy != "stretch" && step.HasInput(3);
  if (step.Int("antialias", 0) != 0) return step.Refuse("before version 18, there is no antialias");
  if (step.HasAttribute("axes") || keeps_ratio) {
    const int rank = step.NeedRank(0);
    if (!step.ok()) return;
    const auto axes = AxesFromFront(step, static_cast<std::size_t>(rank));
    if (!axes) return step.Refuse("an axis is out of range");
    if (step.HasInput(3)) {
      auto sizes = step.NeedConstant(3, "the input 'sizes'");
      const auto shape = step.NeedSizes(0);
      if (!step.ok() || sizes->size() != axes->size()) return step.Refuse("the sizes do not fit the axes");
      if (!KeepRatio(step, *axes, *shape, &*sizes))
        return step.Refuse(
            "before version 18, there is no keep_aspect_ratio_policy, and the size that it gives is rounded");
      Integers all = *shape;
      for (std::size_t i = 0; i < axes->size(); ++i) all[static_cast<std::size_t>((*axes)[i])] = (*sizes)[i];
      step.SetInput(3, step.NewConstant("sizes", all));
    } else if (step.HasInput(2)) {
      const auto scales = step.NeedRealConstant(2, "the input 'scales'");
      if (!step.ok() || scales->size() != axes->size()) return step.Refuse("the scales do not fit the axes");
      Reals all(static_cast<std::size_t>(rank), 1);
      for (std::size_t i = 0; i < axes->size(); ++i) all[static_cast<std::size_t>((*axes)[i])] = (*scales)[i];
      step.SetInput(2, step.NewConstant("scales", TensorText(onnx::TensorProto::FLOAT, {rank}, all)));
    }
    if (step.HasInput(1) && step.String(kCoordinates, "half_pixel") == "tf_crop_and_resize") {
      const auto roi = step.NeedRealConstant(1, "the input 'roi'");
      if (!step.ok() || roi->size() != 2 * axes->size()) return step.Refuse("the input 'roi' does not fit the axes");
      Reals all(2 * static_cast<std::size_t>(rank), 0);
      std::fill(all.begin() + rank, all.end(), 1);
      for (std::size_t i = 0; i < axes->size(); ++i) {
        all[static_cast<std::size_t>((*axes)[i])] = (*roi)[i];
        all[static_cast<std::size_t>((*axes)[i] + rank)] = (*roi)[i + axes->size()];
      }
      step.SetInput(1, step.NewConstant("roi", TensorText(step.ElementType(1), {2 * rank}, all)));
    } else if (step.HasInput(1)) {
      step.SetInput(1, "");
    }
  }
  step.Remove("axes");
  step.Remove("keep_aspect_ratio_policy");
}

void NotSymmetric(Step& step) {
  if (step.String(kCoordinates, "half_pixel") != "half_pixel_symmetric") return;
  if (!step.HasInput(3)) {
    const auto scales = step.NeedRealConstant(2, "the input 'scales'");
    const auto shape = step.NeedSizes(0);
    if (!step.ok()) return;
    const auto axes = AxesFromFront(step, shape->size());
    for (std::size_t i = 0; axes && i < axes->size() && i < scales->size(); ++i) {
      const double size = (*scales)[i] * static_cast<double>((*shape)[static_cast<std::size_t>((*axes)[i])]);
      if (size != std::floor(size))
        return step.Refuse(
            "before version 19, there is no 'half_pixel_symmetric', and the scales do not give whole sizes");
    }
  }
  step.Set(kCoordinates, std::string_view("half_pixel"));
}

void WriteOutputHalfPixel(Step& step) { step.Set(kCoordinates, std::string_view("output_half_pixel")); }
void OnlyOutputHalfPixel(Step& step) {
  if (step.String(kCoordinates, "half_pixel") != "output_half_pixel") {
    return step.Refuse("before version 16, the coordinates are those of 'output_half_pixel', not of 'half_pixel'");
  }
  step.Remove(kCoordinates);
}

void LinearMode(Step& step) {
  const std::string mode = step.String("mode", "linear");
  if (mode == "bilinear") step.Set("mode", std::string_view("linear"));
  if (mode == "bicubic") step.Set("mode", std::string_view("cubic"));
}
void BilinearMode(Step& step) {
  const int rank = step.NeedRank(0);
  if (step.ok() && rank != 4) return step.Refuse("before version 20, GridSample takes only images (rank 4)");
  const std::string mode = step.String("mode", "linear");
  if (mode == "linear" && step.HasAttribute("mode")) step.Set("mode", std::string_view("bilinear"));
  if (mode == "cubic") step.Set("mode", std::string_view("bicubic"));
}

// ---- pooling

void ExponentToInt(Step& step) {
  if (step.Is("LpPool") && !step.HasAttribute("kernel_shape"))
    return step.Refuse("since version 2, kernel_shape is required");
  if (!step.HasAttribute("p")) return;
  const float p = step.Float("p", 2);
  if (p != std::floor(p)) return step.Refuse(fmt::format("since version 2, p is an integer, not {}", p));
  step.Set("p", static_cast<std::int64_t>(p));
}
void ExponentToFloat(Step& step) {
  if (step.HasAttribute("p")) step.Set("p", static_cast<float>(step.Int("p", 2)));
}

namespace {

bool AreAll(const std::optional<Integers>& list, std::int64_t value) {
  return !list || std::ranges::all_of(*list, [&](std::int64_t each) { return each == value; });
}

/// How the windows of a node with ceil_mode end on its axes.
struct Windows {
  bool cover_exactly = true;    ///< no window ends behind the padding, so that ceil_mode changes nothing
  bool end_in_padding = false;  ///< a window begins in the padding at the end
};

/// Returns nothing if the sizes are not known.
std::optional<Windows> WindowsOf(Step& step) {
  const auto shape = step.Shape(0);
  const auto kernel = step.Ints("kernel_shape");
  const std::string padding = step.String("auto_pad", "NOTSET");
  if (!shape || !kernel || shape->size() != kernel->size() + 2) return std::nullopt;
  if (padding != "NOTSET" && padding != "VALID") return std::nullopt;
  const std::size_t axes = kernel->size();
  const Integers strides = step.Ints("strides").value_or(Integers(axes, 1));
  const Integers dilations = step.Ints("dilations").value_or(Integers(axes, 1));
  const Integers pads = padding == "VALID" ? Integers(2 * axes, 0) : step.Ints("pads").value_or(Integers(2 * axes, 0));
  if (strides.size() != axes || dilations.size() != axes || pads.size() != 2 * axes) return std::nullopt;
  Windows windows;
  for (std::size_t i = 0; i < axes; ++i) {
    const std::int64_t size = (*shape)[i + 2];
    if (size < 0 || strides[i] <= 0) return std::nullopt;
    const std::int64_t room = size + pads[i] + pads[i + axes] - (((*kernel)[i] - 1) * dilations[i] + 1);
    const std::int64_t last = (room + strides[i] - 1) / strides[i] * strides[i];
    windows.cover_exactly = windows.cover_exactly && room % strides[i] == 0;
    windows.end_in_padding = windows.end_in_padding || last >= size + pads[i];
  }
  return windows;
}

}  // namespace

void DropCeilMode(Step& step) {
  if (step.Int("ceil_mode", 0) != 0 && WindowsOf(step).value_or(Windows{.cover_exactly = false}).cover_exactly)
    step.Remove("ceil_mode");
  if (AreAll(step.Ints("dilations"), 1)) step.Remove("dilations");
}
void DropDilations(Step& step) {
  if (AreAll(step.Ints("dilations"), 1)) step.Remove("dilations");
}
void DropPadCount(Step& step) {
  const std::string padding = step.String("auto_pad", "NOTSET");
  if (AreAll(step.Ints("pads"), 0) && (padding == "NOTSET" || padding == "VALID")) step.Remove("count_include_pad");
}
void DropStorageOrder(Step& step) {
  if (!step.IsRead(1)) step.Remove("storage_order");
}
void OtherSizes(Step& step) {
  if (step.Int("ceil_mode", 0) == 0 || !step.ok()) return;
  if (step.up) {
    step.sizes_may_change = true;
  } else if (const auto windows = WindowsOf(step); windows && windows->end_in_padding) {
    step.other_sizes = true;  // by the texts of these versions, that window counts
  }
}

// ---- movement

void BlocksByTranspose(Step& step) {
  if (step.String("mode", "DCR") != "CRD") return;
  const std::int64_t b = step.Int("blocksize", 1);
  const auto shape = step.Shape(0);
  if (!shape || shape->size() != 4 || (*shape)[1] < 0 || (*shape)[2] < 0 || (*shape)[3] < 0)
    return step.RefuseUnknown("sizes", 0);
  const std::int64_t c = (*shape)[1];
  const std::int64_t h = (*shape)[2];
  const std::int64_t w = (*shape)[3];
  const bool to_space = step.Is("DepthToSpace");
  const Integers inner = to_space ? Integers{0, c / (b * b), b, b, h, w} : Integers{0, c, h / b, b, w / b, b};
  const Integers result = to_space ? Integers{0, c / (b * b), h * b, w * b} : Integers{0, c * b * b, h / b, w / b};
  step.Expand(
      "inner = Constant <value = {}> ()\nblocks = Reshape (in0, inner)\nmoved = Transpose <perm = {}> (blocks)\n"
      "shape = Constant <value = {}> ()\nout0 = Reshape (moved, shape)",
      ListText(inner), to_space ? "[0, 1, 4, 2, 5, 3]" : "[0, 1, 3, 5, 2, 4]", ListText(result));
}

void SliceOfShape(Step& step) {
  const std::int64_t start = step.Int("start", 0);
  const bool has_end = step.HasAttribute("end");
  const std::int64_t end = step.Int("end", INT64_MAX);
  if (!step.ok()) return;
  step.Remove("start");
  step.Remove("end");
  if (start == 0 && !has_end) return;
  step.Expand(
      "shape = Shape (in0)\nstart = Constant <value = int64[1] {{{}}}> ()\nend = Constant <value = int64[1] {{{}}}> "
      "()\nout0 = Slice (shape, start, end)",
      start, end);
}

void LastFromBack(Step& step) {
  if (step.Int("select_last_index", 0) == 0) return;
  step.Remove("select_last_index");
  const std::int64_t axis = step.Int("axis", 0);
  const auto shape = step.Shape(0);
  const std::int64_t at = axis < 0 && shape ? axis + static_cast<std::int64_t>(shape->size()) : axis;
  const bool is_known =
      shape && at >= 0 && at < static_cast<std::int64_t>(shape->size()) && (*shape)[static_cast<std::size_t>(at)] >= 0;
  std::string text = fmt::format(
      "minus_one = Constant <value = int64[1] {{-1}}> ()\nend = Constant <value = int64[1] {{{}}}> ()\naxis = Constant "
      "<value = int64[1] {{{}}}> ()\n"
      "reversed = Slice (in0, minus_one, end, axis, minus_one)\nfrom_back = Self (reversed)\n",
      -INT64_MAX, axis);
  if (is_known) {
    text += fmt::format("last = Constant <value = int64 {{{}}}> ()\n", (*shape)[static_cast<std::size_t>(at)] - 1);
  } else {
    text += fmt::format(
        "shape = Shape (in0)\nindex = Constant <value = int64 {{{}}}> ()\nsize = Gather (shape, index)\none = Constant "
        "<value = int64 {{1}}> ()\nlast = Sub (size, one)\n",
        axis);
  }
  step.Replace(text + "out0 = Sub (last, from_back)");
}

void IndicesFromFront(Step& step) {
  const std::int64_t axis = step.Int("axis", 0);
  CountAxesFromFront(step);
  const auto indices = step.Constant(1);
  if (!indices) return step.Warn(std::string(kNoNegativeIndex));
  if (std::ranges::none_of(*indices, [](std::int64_t each) { return each < 0; })) return;
  const auto shape = step.Shape(0);
  const std::int64_t at = axis < 0 && shape ? axis + static_cast<std::int64_t>(shape->size()) : axis;
  if (!shape || at < 0 || at >= static_cast<std::int64_t>(shape->size()) || (*shape)[static_cast<std::size_t>(at)] < 0)
    return step.RefuseUnknown("size along the axis", 0);
  Reals values;
  for (const std::int64_t each : *indices)
    values.push_back(static_cast<double>(each < 0 ? each + (*shape)[static_cast<std::size_t>(at)] : each));
  step.SetInput(1, step.NewConstant("indices", TensorText(step.ElementType(1), *step.Shape(1), values)));
}

void WarnOfNegativeIndices(Step& step) {
  const auto indices = step.Constant(0);
  const bool may_be_negative = !indices || std::ranges::any_of(*indices, [](std::int64_t each) { return each < 0; });
  const ElementType* const type = FindElementType(step.ElementType(0));
  if (may_be_negative && (type == nullptr || type->is_signed)) {
    step.Warn(
        "a negative index counts from the back since version 11; by the text of version 9 it selects nothing, but "
        "runtimes count from the back there, too");
  }
}

void PositiveIndices(Step& step) {
  CountAxesFromFront(step);
  const auto indices = step.Constant(0);
  if (!indices) return step.Warn(std::string(kNoNegativeIndex));
  if (std::ranges::any_of(*indices, [](std::int64_t each) { return each < 0; }))
    step.Refuse("before version 11, OneHot takes no negative indices");
}

void ToScatterElements(Step& step) { step.node().set_op_type("ScatterElements"); }
void ToScatter(Step& step) {
  CountAxesFromFront(step);
  step.node().set_op_type("Scatter");
}
void NoExtremes(Step& step) {
  const std::string reduction = step.String("reduction", "none");
  if (reduction == "max" || reduction == "min")
    step.Refuse(fmt::format("before version 18, there is no reduction '{}'", reduction));
}

}  // namespace onnxc::convert
