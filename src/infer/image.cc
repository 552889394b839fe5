// Operators that resize and sample images.
#include <fmt/format.h>

#include <cmath>

#include "infer/contents.h"
#include "infer/operands.h"
#include "infer/registry.h"

namespace onnxc::infer {
namespace {

/// The scales or sizes for Resize and Upsample, one for each of `axes`.
struct Targets {
  std::span<const int> axes;
  std::vector<double> scales = {};
  std::vector<Dim> sizes = {};
};

Dim ScaledSize(Dim size, double scale) {
  if (scale == 1) return size;
  if (!size.IsNumber()) return {};
  const double scaled = std::floor(static_cast<double>(size.number()) * scale);
  return scaled >= 0 && scaled < 1e15 ? Dim(static_cast<std::int64_t>(scaled)) : Dim();
}

/// Recomputes the sizes with a common scale for all axes: the smallest or the largest of the axes' scales.
void KeepAspectRatio(std::string_view policy, std::span<const Dim> shape, Targets& targets) {
  double scale = policy == "not_larger" ? 1e300 : 0;
  bool is_known = true;
  for (std::size_t i = 0; i < targets.axes.size(); ++i) {
    const Dim size = shape[static_cast<std::size_t>(targets.axes[i])];
    is_known = is_known && size.IsNumber() && size.number() > 0 && targets.sizes[i].IsNumber();
    if (!is_known) break;
    const double own = static_cast<double>(targets.sizes[i].number()) / static_cast<double>(size.number());
    scale = policy == "not_larger" ? std::min(scale, own) : std::max(scale, own);
  }
  for (std::size_t i = 0; i < targets.axes.size(); ++i) {
    const Dim size = shape[static_cast<std::size_t>(targets.axes[i])];
    targets.sizes[i] = is_known ? Dim(std::llround(scale * static_cast<double>(size.number()))) : Dim();
  }
}

/// Returns a scale that is not positive, or nothing if all are valid.
std::optional<double> WrongScale(const Targets& targets) {
  const auto wrong = std::ranges::find_if(targets.scales, [](double scale) { return !(scale > 0); });
  return wrong == targets.scales.end() ? std::nullopt : std::optional(*wrong);
}

void SetResized(NodeContext& context, const Targets& targets) {
  const std::span<Dim> result = context.NewShape(context.Rank(0));
  std::copy(context.Shape(0).begin(), context.Shape(0).end(), result.begin());
  for (std::size_t i = 0; i < targets.axes.size(); ++i) {
    Dim& size = result[static_cast<std::size_t>(targets.axes[i])];
    if (!targets.scales.empty()) {
      size = ScaledSize(size, targets.scales[i]);
    } else {
      size = targets.sizes.empty() ? Dim() : targets.sizes[i];
    }
    if (size.IsNumber() && size.number() < 0) size = {};
  }
  context.SetShape(0, result);
}

/// Returns the axes that are resized: all axes, or those in the attribute.
std::optional<std::span<const int>> ResizedAxes(NodeContext& context) {
  const Numbers axes = context.Ints("axes").value_or(AllAxes(context, context.Rank(0)));
  return CheckAxes(context, axes, context.Rank(0), Attr("axes"), In(0), true);
}

/// Reads the scales from an input. Returns false after an error.
bool ReadScales(NodeContext& context, int input, Targets& targets) {
  const Constant* const scales = context.Constant(input);
  if (scales == nullptr || scales->reals.empty()) return true;
  if (scales->reals.size() != targets.axes.size()) {
    return FailCount(context, input, scales->reals.size(), targets.axes.size());
  }
  targets.scales.assign(scales->reals.begin(), scales->reals.end());
  const auto wrong = WrongScale(targets);
  return !wrong || FailElements(context, input, fmt::format("{}", *wrong), "positive");
}

/// Returns whether the input is present and is not an empty list. In Resize, an empty list counts as missing.
bool IsGiven(NodeContext& context, int input) {
  return context.HasInput(input) && !(context.Rank(input) == 1 && context.Shape(input)[0].Is(0));
}

}  // namespace

/// Since version 11, Resize accepts scales or sizes; since version 18, they may be given for only some axes.
void Resize(NodeContext& context) {
  if (context.op().since == 10) return Upsample(context);
  const bool scales = IsGiven(context, 2);
  const bool sizes = IsGiven(context, 3);
  const std::string_view policy = Choice(context, "keep_aspect_ratio_policy");
  if (!context.HasRank(0) || !CheckRank(context, 2, 1) || !CheckRank(context, 3, 1)) return;
  if (context.op().since >= 13 && scales == sizes) {
    FailElements(context, 3, sizes ? "given" : "missing", "given if 'scales' is left out, and only then");
    return;
  }
  const auto axes = ResizedAxes(context);
  if (!axes) return;
  Targets targets{.axes = *axes};
  if (sizes) {
    const auto list = context.Integers(3);
    const auto length = LengthOf(context, 3);
    if (length && static_cast<std::size_t>(*length) != targets.axes.size()) {
      FailCount(context, 3, static_cast<std::size_t>(*length), targets.axes.size());
      return;
    }
    if (list) targets.sizes.assign(list->begin(), list->end());
    if (list && policy != "stretch") KeepAspectRatio(policy, context.Shape(0), targets);
  } else if (policy != "stretch") {
    FailClash(context, "keep_aspect_ratio_policy", "input 'scales'", "this policy applies only to the input 'sizes'");
    return;
  } else if (!ReadScales(context, 2, targets)) {
    return;
  }
  SetResized(context, targets);
}

/// The scales are two attributes in version 1, then one attribute, then an input.
void Upsample(NodeContext& context) {
  if (!context.HasRank(0)) return;
  const auto axes = ResizedAxes(context);
  if (!axes) return;
  Targets targets{.axes = *axes};
  if (context.op().since == 1) {
    if (context.Rank(0) != 4) return;
    targets.scales = {1, 1, context.Float("height_scale", 1), context.Float("width_scale", 1)};
  } else if (context.op().since == 7) {
    const auto scales = context.Floats("scales");
    if (!scales || scales->size() != targets.axes.size()) {
      FailLength(context, "scales", scales ? static_cast<std::int64_t>(scales->size()) : 0,
                 fmt::format("{} has rank {}", context.Describe(In(0)), targets.axes.size()));
      return;
    }
    targets.scales.assign(scales->begin(), scales->end());
    if (const auto wrong = WrongScale(targets)) {
      FailAttribute(context, "scales", fmt::format("{}", *wrong), "positive");
      return;
    }
  } else if (!ReadScales(context, 1, targets)) {
    return;
  }
  SetResized(context, targets);
}

/// The grid [N, D1, ..., n] specifies where the input is sampled for the output [N, C, D1, ...].
void GridSample(NodeContext& context) {
  if (!CheckRankAtLeast(context, 0, 3) || !CheckRankAtLeast(context, 1, 3)) return;
  const int rank = std::max(context.Rank(0), context.Rank(1));
  if (rank < 0 || !CheckRank(context, 1, rank) || !CheckRank(context, 0, rank)) return;
  Size batch, coordinates{.dim = rank - 2};
  if (!Match(context, 1, rank - 1, coordinates) || !Match(context, 0, 0, batch) || !Match(context, 1, 0, batch)) return;
  const std::span<Dim> result = context.NewShape(rank);
  result[0] = batch.dim;
  if (context.HasRank(0)) result[1] = context.Shape(0)[1];
  for (std::size_t i = 2; i < result.size(); ++i) {
    if (context.HasRank(1)) result[i] = context.Shape(1)[i - 1];
  }
  context.SetShape(0, result);
}

/// Produces a grid for images of the size [N, C, H, W] or [N, C, D, H, W].
void AffineGrid(NodeContext& context) {
  if (!CheckRank(context, 1, 1)) return;
  const auto length = LengthOf(context, 1);
  if (!length) return;
  if (*length != 4 && *length != 5) {
    FailCount(context, 1, static_cast<std::size_t>(*length), 4);
    return;
  }
  const std::span<Dim> result = context.NewShape(*length);
  if (const auto size = context.Integers(1)) {
    if (!CheckSizes(context, 1, *size)) return;
    result[0] = (*size)[0];
    std::copy(size->begin() + 2, size->end(), result.begin() + 1);
  }
  result.back() = *length - 2;
  context.SetShape(0, result);
}

/// Decodes bytes to an image with the axes rows, columns and channels.
void ImageDecoder(NodeContext& context) {
  if (!CheckRank(context, 0, 1)) return;
  context.SetShape(0, {Dim(), Dim(), Choice(context, "pixel_format") == "Grayscale" ? 1 : 3});
}

}  // namespace onnxc::infer
