// Operators with windows that move over an image: convolution and pooling. Images have the shape [N, C, D1, ..., Dn].
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "infer/operands.h"
#include "infer/registry.h"

namespace onnxc::infer {
namespace {

constexpr int kFirstSpatial = 2;

enum class Padding : std::uint8_t { kExplicit, kSame };

/// How a window moves over the spatial axes.
struct Window {
  Numbers strides;
  Numbers dilations;
  Numbers pads;  ///< the paddings at the beginnings of all axes, then those at the ends
  Padding padding = Padding::kExplicit;

  [[nodiscard]] Dim PadsAt(Memory& dims, std::size_t axis) const {
    return dims.Add(pads[axis], pads[axis + strides.size()]);
  }
};

std::optional<Window> ReadWindow(NodeContext& context, std::size_t axes) {
  Window window;
  const auto strides = ListOf(context, "strides", axes, 1, 1, axes);
  const auto dilations = strides ? ListOf(context, "dilations", axes, 1, 1, axes) : std::nullopt;
  const auto pads = dilations ? ListOf(context, "pads", 2 * axes, 0, 0, axes) : std::nullopt;
  if (!pads) return std::nullopt;
  const std::string_view word = Choice(context, "auto_pad");
  if (word.starts_with("SAME") && !context.Ints("pads")) window.padding = Padding::kSame;
  window.strides = *strides;
  window.dilations = *dilations;
  window.pads = *pads;
  return window;
}

/// Reports an attribute kernel_shape that differs from the shape of the weights. If the weights have data, the
/// attribute is certainly wrong, so a fix-it corrects it.
void FailKernel(NodeContext& context, Numbers kernel, int weights) {
  const auto sizes = context.Shape(weights).subspan(kFirstSpatial);
  std::string window;
  for (const Dim& size : sizes) window += (window.empty() ? "" : ", ") + ToString(size);
  window = fmt::format("[{}]", window);
  Diagnostic finding = MakeDiagnostic(rule::kAttributeRange, kNowhere, context.Describe(Attr("kernel_shape")),
                                      context.name(), fmt::format("[{}]", fmt::join(kernel, ", ")),
                                      fmt::format("{}, the window of {}", window, context.Describe(In(weights))));
  if (context.host().HasDataOfItsShape(context.InputValue(weights))) finding.fix_its = {{kNowhere, window}};
  context.Fail(std::move(finding), Attr("kernel_shape"));
}

/// Returns the sizes of the window: those in the attribute or, if the attribute is missing, those in the shape of the
/// input `weights`. `weights` is -1 if there is no such input. Returns nothing after an error.
std::optional<std::span<const Dim>> ReadKernel(NodeContext& context, std::size_t axes, int weights) {
  const std::span<Dim> kernel = context.New<Dim>(axes);
  if (weights >= 0 && context.HasRank(weights)) {
    const auto sizes = context.Shape(weights).subspan(kFirstSpatial);
    std::copy(sizes.begin(), sizes.end(), kernel.begin());
  }
  if (!context.Ints("kernel_shape")) return kernel;
  const auto numbers = ListOf(context, "kernel_shape", axes, 1, 1, axes);
  if (!numbers) return std::nullopt;
  for (std::size_t i = 0; i < axes; ++i) {
    const Dim size = (*numbers)[i];
    if (size.Contradicts(kernel[i])) {
      FailKernel(context, *numbers, weights);
      return std::nullopt;
    }
    kernel[i] = size;
  }
  return kernel;
}

/// Returns the distance that a window with this number of elements and this dilation covers.
Dim Extent(Memory& dims, Dim kernel, std::int64_t dilation) {
  return dims.Add(dims.Multiply(dims.Subtract(kernel, 1), dilation), 1);
}

/// Reports an error if the window is larger than the padded image by a stride or more. Runtimes round the difference
/// toward zero, so a window that is too large by less than a stride still has one position.
bool Fits(NodeContext& context, int image, const Window& window, Dim kernel, std::size_t axis) {
  Memory& dims = context.dims();
  if (window.padding == Padding::kSame) return true;
  const Dim whole = dims.Subtract(Extent(dims, kernel, window.dilations[axis]), window.PadsAt(dims, axis));
  const Dim least = dims.Subtract(whole, window.strides[axis] - 1);
  const Dim size = context.Shape(image)[axis + kFirstSpatial];
  if (!size.IsNumber() || !least.IsNumber() || size.number() >= least.number()) return true;
  return FailDimension(context, image, axis + kFirstSpatial,
                       fmt::format("at least {}, or the window does not fit", least.number()));
}

/// Returns the number of positions of the window on an axis.
Dim Positions(NodeContext& context, Dim size, const Window& window, Dim kernel, std::size_t axis) {
  Memory& dims = context.dims();
  const std::int64_t stride = window.strides[axis];
  if (window.padding == Padding::kSame) return dims.CeilDivide(size, stride);
  const Dim room =
      dims.Subtract(dims.Add(size, window.PadsAt(dims, axis)), Extent(dims, kernel, window.dilations[axis]));
  if (room.IsNumber() && room.number() < 0) return 1;
  if (context.Int("ceil_mode", 0) == 0 || stride == 1) return dims.Add(dims.FloorDivide(room, stride), 1);
  if (!room.IsNumber() || !size.IsNumber()) return {};
  // A position of the window that begins in the padding at the end does not count.
  const Dim count = dims.Add(dims.CeilDivide(room, stride), 1);
  const Dim last = dims.Multiply(dims.Subtract(count, 1), stride);
  return last.number() >= dims.Add(size, window.pads[axis]).number() ? dims.Subtract(count, 1) : count;
}

/// Sets the shape of the output for a window that moves over the input `image`. `channels` is the number of channels of
/// the output.
void SlideWindow(NodeContext& context, int image, int weights, Dim channels) {
  const std::span<const Dim> shape = context.Shape(image);
  const std::size_t axes = shape.size() - kFirstSpatial;
  const auto window = ReadWindow(context, axes);
  if (!window) return;
  const auto kernel = ReadKernel(context, axes, weights);
  if (!kernel) return;
  const std::span<Dim> result = context.NewShape(static_cast<int>(shape.size()));
  result[0] = shape[0];
  result[1] = channels;
  for (std::size_t i = 0; i < axes; ++i) {
    if (!Fits(context, image, *window, (*kernel)[i], i)) return;
    result[i + kFirstSpatial] = Positions(context, shape[i + kFirstSpatial], *window, (*kernel)[i], i);
  }
  for (int i = 0; i < context.outputs(); ++i) context.SetShape(i, result);
}

/// Checks the channels of an image against those of the weights [M, C / group, ...].
bool CheckChannels(NodeContext& context, int image, int weights) {
  const std::int64_t group = context.Int("group", 1);
  if (group < 1) return FailAttribute(context, "group", group, "positive");
  const Dim channels = context.Shape(image)[1];
  if (channels.IsNumber() && channels.number() % group != 0) {
    return FailAttribute(
        context, "group", group,
        fmt::format("a divisor of {}, the channels of {}", channels.number(), context.Describe(In(image))));
  }
  const Dim each = context.Shape(weights)[1];
  const Dim wanted = context.dims().Multiply(each, group);
  if (channels.Contradicts(wanted)) {
    return FailDimension(context, image, 1,
                         fmt::format("{} = {} * {}: 'group' times dimension 1 of {}", ToString(wanted), group,
                                     ToString(each), context.Describe(In(weights))),
                         weights);
  }
  const Dim maps = context.Shape(weights)[0];
  if (maps.IsNumber() && maps.number() % group != 0) {
    return FailDimension(context, weights, 0, fmt::format("a multiple of 'group', {}", group));
  }
  return true;
}

/// Reports an error if the padding is specified in two ways.
bool CheckPadding(NodeContext& context) {
  const std::string_view word = context.String("auto_pad", {});
  if (word.empty() || word == "NOTSET" || !context.Ints("pads")) return true;
  return FailClash(context, "auto_pad", "'pads'", "only one of them may be given");
}

/// Reports an error unless the bias has one number for each of the M maps of the weights [M, C / group, ...].
bool CheckBias(NodeContext& context, int weights, int bias) {
  Size maps;
  return Match(context, weights, 0, maps) && MatchShape(context, bias, {&maps});
}

void Convolve(NodeContext& context, int image, int weights, int bias) {
  if (!CheckPadding(context) || (bias >= 0 && !CheckBias(context, weights, bias))) return;
  if (!CheckRankAtLeast(context, image, kFirstSpatial + 1)) return;
  if (!context.HasRank(image)) {
    if (context.Rank(weights) <= kFirstSpatial) return;
    const std::span<Dim> result = context.NewShape(context.Rank(weights));
    result[1] = context.Shape(weights)[0];
    return context.SetShape(0, result);
  }
  if (!CheckRank(context, weights, context.Rank(image))) return;
  if (!context.HasRank(weights)) return SlideWindow(context, image, -1, {});
  if (CheckChannels(context, image, weights)) SlideWindow(context, image, weights, context.Shape(weights)[0]);
}

}  // namespace

void Convolution(NodeContext& context) { Convolve(context, 0, 1, 2); }

/// The inputs after the weights are zero points, not a bias.
void IntegerConvolution(NodeContext& context) { Convolve(context, 0, 1, -1); }

/// The weights have one scale in total, or one for each map.
void QuantizedConvolution(NodeContext& context) {
  constexpr bool kApart = true;
  if (!MatchScales(context, 1, 2, kApart) || !MatchScales(context, 4, 5, kApart)) return;
  if (!MatchScales(context, 6, 7, kApart)) return;
  Size maps;
  if (!Match(context, 3, 0, maps)) return;
  for (const int list : {4, 5}) {
    if (context.Rank(list) == 1 && !MayBeSingle(context, list) && !Match(context, list, 0, maps)) return;
  }
  Convolve(context, 0, 3, 8);
}

namespace {

/// Reports pads that allow a window to lie completely in the padding. Runtimes refuse such a window, but the output
/// sizes are still defined.
bool CheckPoolPads(NodeContext& context) {
  const auto kernel = context.Ints("kernel_shape");
  const auto pads = context.Ints("pads");
  if (!kernel || !pads || pads->size() != 2 * kernel->size()) return true;
  for (std::size_t i = 0; i < pads->size(); ++i) {
    const std::int64_t size = (*kernel)[i % kernel->size()];
    if ((*pads)[i] < size) continue;
    return context.Mention(
        rule::kAttributesClash, Attr("pads"), context.Describe(Attr("pads")), context.name(), "'kernel_shape'",
        fmt::format("a pad must be smaller than the window, but {} is not smaller than {}", (*pads)[i], size));
  }
  return true;
}

}  // namespace

void Pool(NodeContext& context) {
  if (!CheckRankAtLeast(context, 0, kFirstSpatial + 1) || !CheckPoolPads(context)) return;
  if (!context.HasRank(0) || !context.Ints("kernel_shape")) return;
  SlideWindow(context, 0, -1, context.Shape(0)[1]);
}

/// Produces one number for each channel.
void GlobalPool(NodeContext& context) {
  if (context.Rank(0) < kFirstSpatial) return;
  const std::span<Dim> result = context.NewShape(context.Rank(0));
  std::fill(result.begin(), result.end(), Dim(1));
  std::copy_n(context.Shape(0).begin(), kFirstSpatial, result.begin());
  context.SetShape(0, result);
}

// Infers nothing if channels_last is set, because the axes then have another order. ONNX Runtime itself sets this
// attribute.
void QuantizedPool(NodeContext& context) {
  if (context.Int("channels_last", 0) == 0) Pool(context);
}

void QuantizedGlobalPool(NodeContext& context) {
  if (context.Int("channels_last", 0) == 0) GlobalPool(context);
}

namespace {

/// Returns the size of the output of ConvTranspose on an axis, computed from the attributes.
Dim TransposedSize(NodeContext& context, Dim size, const Window& window, Dim kernel, std::int64_t extra,
                   std::size_t axis) {
  Memory& dims = context.dims();
  const Dim reach = Extent(dims, kernel, window.dilations[axis]);
  Dim pads = window.PadsAt(dims, axis);
  if (window.padding == Padding::kSame) {
    if (!reach.IsNumber()) return {};
    pads = std::max<std::int64_t>(reach.number() - window.strides[axis], 0);
  }
  const Dim spread = dims.Add(dims.Multiply(dims.Subtract(size, 1), window.strides[axis]), extra);
  return dims.Subtract(dims.Add(spread, reach), pads);
}

/// Checks the channels of an image against those of the weights [C, M / group, ...].
bool CheckTransposedChannels(NodeContext& context) {
  const std::int64_t group = context.Int("group", 1);
  if (group < 1) return FailAttribute(context, "group", group, "positive");
  Size channels;
  if (!Match(context, 0, 1, channels) || !Match(context, 1, 0, channels)) return false;
  if (channels.dim.IsNumber() && channels.dim.number() % group != 0) {
    return FailDimension(context, channels.input, static_cast<std::size_t>(channels.axis),
                         fmt::format("a multiple of 'group', {}", group));
  }
  return true;
}

}  // namespace

void TransposedConvolution(NodeContext& context) {
  if (!CheckRankAtLeast(context, 0, kFirstSpatial + 1) || !CheckRankAtLeast(context, 1, kFirstSpatial + 1)) return;
  const int rank = std::max(context.Rank(0), context.Rank(1));
  if (rank < 0 || !CheckRank(context, 1, rank) || !CheckRank(context, 0, rank)) return;
  if (!CheckTransposedChannels(context) || !CheckPadding(context)) return;
  const std::size_t axes = static_cast<std::size_t>(rank - kFirstSpatial);
  const auto window = ReadWindow(context, axes);
  const auto kernel = window ? ReadKernel(context, axes, 1) : std::nullopt;
  if (!kernel) return;
  const auto sizes = ListOf(context, "output_shape", axes, -1, 0, axes);
  const auto extra = sizes ? ListOf(context, "output_padding", axes, 0, 0, axes) : std::nullopt;
  if (!extra) return;
  const std::span<Dim> result = context.NewShape(rank);
  if (context.HasRank(0)) result[0] = context.Shape(0)[0];
  Size maps;
  if (context.HasRank(1)) maps.dim = context.dims().Multiply(context.Shape(1)[1], context.Int("group", 1));
  if (!MatchShape(context, 2, {&maps})) return;
  result[1] = maps.dim;
  for (std::size_t i = 0; i < axes; ++i) {
    const Dim size = context.HasRank(0) ? context.Shape(0)[i + kFirstSpatial] : Dim();
    Dim& set = result[i + kFirstSpatial];
    set = (*sizes)[i];
    if (set.number() < 0) set = TransposedSize(context, size, *window, (*kernel)[i], (*extra)[i], i);
    if (set.IsNumber() && set.number() < 0) {
      FailDimension(context, 0, i + kFirstSpatial, "larger, because the padding removes the whole output");
      return;
    }
  }
  context.SetShape(0, result);
}

void MaxUnpool(NodeContext& context) {
  if (!CheckRankAtLeast(context, 0, kFirstSpatial) || !context.HasRank(0)) return;
  const std::span<const Dim> shape = context.Shape(0);
  const std::size_t axes = shape.size() - kFirstSpatial;
  const auto pads = ListOf(context, "pads", 2 * axes, 0, INT64_MIN, axes);
  const auto strides = pads ? ListOf(context, "strides", axes, 1, INT64_MIN, axes) : std::nullopt;
  const auto kernel = strides ? ListOf(context, "kernel_shape", axes, 1, INT64_MIN, axes) : std::nullopt;
  if (!kernel || !CheckRank(context, 2, 1)) return;
  if (context.HasInput(2)) {
    const auto length = LengthOf(context, 2);
    if (length && *length != static_cast<int>(shape.size())) {
      FailCount(context, 2, static_cast<std::size_t>(*length), shape.size());
      return;
    }
    const auto sizes = context.Integers(2);
    if (sizes && CheckSizes(context, 2, *sizes)) context.SetShape(0, *sizes);
    return;
  }
  if (!CheckRankAtLeast(context, 1, kFirstSpatial)) return;
  Memory& dims = context.dims();
  const std::span<Dim> result = context.NewShape(static_cast<int>(shape.size()));
  result[0] = shape[0];
  result[1] = shape[1];
  for (std::size_t i = 0; i < axes; ++i) {
    const Dim spread = dims.Multiply(dims.Subtract(shape[i + kFirstSpatial], 1), (*strides)[i]);
    result[i + kFirstSpatial] = dims.Subtract(dims.Add(spread, (*kernel)[i]), dims.Add((*pads)[i], (*pads)[i + axes]));
  }
  context.SetShape(0, result);
}

void DeformableConvolution(NodeContext& context) { Convolve(context, 0, 1, 3); }

/// Combines columns [N, C * product(block), L] into an image [N, C, ...].
void ColumnsToImage(NodeContext& context) {
  if (!CheckRank(context, 0, 3) || !CheckRank(context, 1, 1) || !CheckRank(context, 2, 1)) return;
  Size axes;
  if (!Match(context, 1, 0, axes) || !Match(context, 2, 0, axes)) return;
  if (!axes.dim.IsNumber() || axes.dim.number() > static_cast<std::int64_t>(kMostRank) - kFirstSpatial) return;
  const std::size_t count = static_cast<std::size_t>(axes.dim.number());
  if (!ListOf(context, "pads", 2 * count, 0, INT64_MIN, count) ||
      !ListOf(context, "dilations", count, 1, INT64_MIN, count) ||
      !ListOf(context, "strides", count, 1, INT64_MIN, count)) {
    return;
  }
  const std::span<Dim> result = context.NewShape(static_cast<int>(count) + kFirstSpatial);
  if (context.HasRank(0)) result[0] = context.Shape(0)[0];
  if (const auto block = context.Integers(2)) {
    for (const Dim size : *block) {
      if (size.IsNumber() && size.number() <= 0) {
        FailElements(context, 2, ToString(size), "positive");
        return;
      }
    }
    if (context.HasRank(0)) {
      result[1] = context.dims().DivideExactly(context.Shape(0)[1], context.dims().Product(*block));
    }
  }
  if (const auto image = context.Integers(1)) std::copy(image->begin(), image->end(), result.begin() + kFirstSpatial);
  context.SetShape(0, result);
}

/// Pools the regions [R, 5] of an image.
void RegionPool(NodeContext& context) {
  Size batch, channels, height, width, regions, five{.dim = 5};
  if (!MatchShape(context, 0, {&batch, &channels, &height, &width}) || !MatchShape(context, 1, {&regions, &five})) {
    return;
  }
  if (!context.Ints("pooled_shape")) return;
  const auto sizes = ListOf(context, "pooled_shape", 2, 1, 1);
  if (sizes) context.SetShape(0, {regions.dim, channels.dim, (*sizes)[0], (*sizes)[1]});
}

/// Samples the regions [R, 4]. Another input contains, for each region, the index of its image.
void RegionAlign(NodeContext& context) {
  Size batch, channels, height, width, regions, four{.dim = 4};
  if (!MatchShape(context, 0, {&batch, &channels, &height, &width}) || !MatchShape(context, 1, {&regions, &four}) ||
      !MatchShape(context, 2, {&regions})) {
    return;
  }
  const auto rows = CountOf(context, "output_height", 1);
  const auto columns = CountOf(context, "output_width", 1);
  if (rows && columns) context.SetShape(0, {regions.dim, channels.dim, *rows, *columns});
}

}  // namespace onnxc::infer
