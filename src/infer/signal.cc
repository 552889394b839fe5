// Signal processing.
#include <fmt/format.h>

#include "infer/operands.h"
#include "infer/registry.h"

namespace onnxc::infer {
namespace {

/// Returns the number of different frequencies of a real signal of this length.
Dim Bins(Memory& dims, Dim length) { return dims.Add(dims.FloorDivide(length, 2), 1); }

/// Returns the number in a scalar input, or an unknown number if the input is missing or its contents are not known.
/// Reports an error and returns nothing if the input is a list.
std::optional<Dim> Scalar(NodeContext& context, int input) {
  if (!CheckRank(context, input, 0)) return std::nullopt;
  const auto number = NumberOf(context, input);
  return number ? Dim(*number) : Dim();
}

void SetOutputDatatype(NodeContext& context) {
  if (const auto element = ElementOf(context, "output_datatype", onnx::TensorProto::FLOAT)) {
    context.SetElement(0, *element);
  }
}

/// Returns the size of the signal axis after the transform. `size` is the size before it, and `length` is the number in
/// the input for the length.
Dim TransformedSize(NodeContext& context, Dim size, Dim length) {
  const bool onesided = context.Int("onesided", 0) != 0;
  const bool inverse = context.Int("inverse", 0) != 0;
  Memory& dims = context.dims();
  if (context.HasInput(1)) return onesided && !inverse ? Bins(dims, length) : length;
  if (!onesided) return size;
  return inverse ? dims.Multiply(dims.Subtract(size, 1), 2) : Bins(dims, size);
}

}  // namespace

/// The input has the shape [batch, ..., signal, ..., 1 or 2]: real numbers, or the two parts of complex numbers.
void Dft(NodeContext& context) {
  if (!CheckRankAtLeast(context, 0, 2) || !context.HasRank(0)) return;
  const bool onesided = context.Int("onesided", 0) != 0;
  const bool inverse = context.Int("inverse", 0) != 0;
  const int rank = context.Rank(0);
  Size parts{.dim = inverse ? 2 : 1};
  if (onesided && !Match(context, 0, rank - 1, parts)) return;
  const auto length = Scalar(context, 1);
  if (!length) return;
  const auto axis_input = NumberOf(context, 2);
  const std::span<Dim> result = context.NewShape(rank);
  const std::span<const Dim> shape = context.Shape(0);
  const bool is_known = context.op().since < 20 || !context.HasInput(2) || axis_input;
  if (is_known || (!onesided && !context.HasInput(1))) std::copy(shape.begin(), shape.end(), result.begin());
  result.back() = onesided && inverse ? 1 : 2;
  if (is_known) {
    const std::int64_t number = context.op().since < 20 ? context.Int("axis", 1)
                                : context.HasInput(2)   ? *axis_input
                                                        : -2;
    const auto axis = CheckAxis(context, number, rank, context.op().since < 20 ? Attr("axis") : In(2), In(0));
    if (!axis) return;
    if (*axis == rank - 1) {
      context.Fail(rule::kAxisRange, context.op().since < 20 ? Attr("axis") : In(2), {In(0)}, number,
                   "the part before the last axis", context.name(), rank - 1);
      return;
    }
    const std::size_t at = static_cast<std::size_t>(*axis);
    result[at] = TransformedSize(context, shape[at], *length);
  }
  context.SetShape(0, result);
}

/// Divides a signal [batch, length, 1 or 2] into frames, and transforms each frame.
void Stft(NodeContext& context) {
  if (!CheckRankAtLeast(context, 0, 2)) return;
  const auto step = NumberOf(context, 1);
  const auto given = Scalar(context, 3);
  if (!given || !CheckRank(context, 2, 1)) return;
  Memory& dims = context.dims();
  Dim length = *given;
  if (context.Rank(2) == 1) {
    const Dim window = context.Shape(2)[0];
    if (length.Contradicts(window)) {
      FailDimension(context, 2, 0, fmt::format("{}, the 'frame_length'", length.number()));
      return;
    }
    if (!length.IsNumber()) length = window;
  }
  const Dim batch = context.HasRank(0) ? context.Shape(0)[0] : Dim();
  const Dim signal = context.HasRank(0) ? context.Shape(0)[1] : Dim();
  Dim frames;
  const Dim room = dims.Subtract(signal, length);
  if (step && *step > 0 && !(room.IsNumber() && room.number() < 0)) {
    frames = dims.Add(dims.FloorDivide(room, *step), 1);
  }
  const bool onesided = context.Int("onesided", 1) != 0;
  context.SetShape(0, {batch, frames, onesided ? Bins(dims, length) : length, 2});
}

/// Hann, Hamming and Blackman windows: a list of the given length.
void WindowOfSize(NodeContext& context) {
  SetOutputDatatype(context);
  const auto size = Scalar(context, 0);
  if (!size) return;
  if (size->IsNumber() && size->number() <= 0) {
    FailElements(context, 0, ToString(*size), "positive");
    return;
  }
  context.SetShape(0, {*size});
}

void MelWeightMatrix(NodeContext& context) {
  SetOutputDatatype(context);
  const auto bins = Scalar(context, 0);
  const auto length = bins ? Scalar(context, 1) : std::nullopt;
  if (!length) return;
  context.SetShape(0, {length->IsNumber() && length->number() <= 0 ? Dim() : Bins(context.dims(), *length),
                       bins->IsNumber() && bins->number() <= 0 ? Dim() : *bins});
}

}  // namespace onnxc::infer
