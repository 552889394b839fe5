// Operators that choose the element type of their output.
#include <fmt/format.h>

#include "infer/operands.h"
#include "infer/registry.h"
#include "tables/element_types.h"

namespace onnxc::infer {
namespace {

/// Returns the element type in the attribute 'to'. In version 1 the attribute contains the name of the type.
std::optional<int> CastTarget(NodeContext& context) {
  const onnx::AttributeProto* const attribute = context.Attribute("to");
  if (attribute == nullptr) return 0;
  if (attribute->type() == onnx::AttributeProto::STRING) {
    onnx::TensorProto::DataType named = onnx::TensorProto::UNDEFINED;
    return onnx::TensorProto::DataType_Parse(attribute->s(), &named) ? named : onnx::TensorProto::UNDEFINED;
  }
  return ElementOf(context, "to", onnx::TensorProto::FLOAT);
}

}  // namespace

void Cast(NodeContext& context) {
  context.CopyShape(0, 0);
  if (const auto element = CastTarget(context)) context.SetElement(0, *element);
}

/// The output has the element type of the second input.
void CastLike(NodeContext& context) { context.CopyShape(0, 0); }

void BitCast(NodeContext& context) {
  context.CopyShape(0, 0);
  const auto element = CastTarget(context);
  if (!element) return;
  context.SetElement(0, *element);
  const ElementType* const from = FindElementType(context.Element(0));
  const ElementType* const to = FindElementType(*element);
  if (from == nullptr || to == nullptr || from->bits == 0 || to->bits == 0 || from->bits == to->bits) return;
  FailAttribute(context, "to", to->keyword, fmt::format("a type of {} bits, as {} is", from->bits, from->keyword));
}

namespace {

/// Checks the scale of blocks along an axis. Each block has `size` elements; the last block may have fewer.
bool CheckBlocks(NodeContext& context, int axis, std::int64_t size) {
  if (!CheckRank(context, 1, context.Rank(0))) return false;
  for (int i = 0; i < context.Rank(1); ++i) {
    Size shared;
    if (i != axis && !(Match(context, 0, i, shared) && Match(context, 1, i, shared))) return false;
  }
  if (!context.HasRank(1)) return true;
  const auto at = static_cast<std::size_t>(axis);
  const Dim blocks = context.dims().CeilDivide(context.Shape(0)[at], size);
  if (!context.Shape(1)[at].Contradicts(blocks)) return true;
  return FailDimension(context, 1, at, fmt::format("{}, the number of blocks", blocks.number()), 0);
}

/// Checks the scale. It is a scalar; since version 13 it can be a list with one element for each position on an axis,
/// and since version 21 a tensor with one element for each block. The zero point must have the same shape.
bool CheckScale(NodeContext& context) {
  if (!MatchScales(context, 1, 2)) return false;
  const std::int64_t block = context.Int("block_size", 0);
  if (context.HasRank(1) && context.Rank(1) < context.Rank(0) && MayBeSingle(context, 1))
    return true;  // a single number
  const bool is_list = context.Rank(1) == 1 && !MayBeSingle(context, 1);
  if (context.op().since < 13 || context.Rank(0) < 1 || (block <= 0 && !is_list)) return true;
  const auto axis = AxisOf(context, "axis", 1, context.Rank(0), In(0));
  if (!axis || block > 0) return axis && CheckBlocks(context, *axis, block);
  Size size;
  return Match(context, 0, *axis, size) && Match(context, 1, 0, size);
}

}  // namespace

/// The output has the element type of the zero point or of an attribute, or uint8 if both are missing.
void QuantizeLinear(NodeContext& context) {
  context.CopyShape(0, 0);
  if (!CheckScale(context)) return;
  const auto element = ElementOf(context, "output_dtype", 0);
  if (!element) return;
  const int zero_point = context.Element(2);
  if (*element != 0 && zero_point != 0 && *element != zero_point) {
    FailClash(context, "output_dtype", "input 'y_zero_point'",
              fmt::format("the first is {}, but the second is {}", FindElementType(*element)->keyword,
                          FindElementType(zero_point) == nullptr ? "?" : FindElementType(zero_point)->keyword));
    return;
  }
  if (zero_point != 0) return context.SetElement(0, zero_point);
  if (*element != 0) return context.SetElement(0, *element);
  if (!context.HasInput(2)) context.SetElement(0, onnx::TensorProto::UINT8);
}

void DequantizeLinear(NodeContext& context) {
  context.CopyShape(0, 0);
  if (!CheckScale(context)) return;
  const auto element = ElementOf(context, "output_dtype", 0);
  if (!element) return;
  if (*element != 0) return context.SetElement(0, *element);
  if (context.op().since < 19) return context.SetElement(0, onnx::TensorProto::FLOAT);
  if (context.Element(1) != 0) context.SetElement(0, context.Element(1));
}

void DynamicQuantizeLinear(NodeContext& context) {
  context.CopyShape(0, 0);
  context.SetShape(1, {});
  context.SetShape(2, {});
}

}  // namespace onnxc::infer
