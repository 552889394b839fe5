// Constants, conversions of types, and quantization.
#include <fmt/format.h>

#include <algorithm>

#include "convert/rules.h"
#include "tables/element_types.h"
#include "tables/raw_data.h"

namespace onnxc::convert {
namespace {

using onnx::AttributeProto;
using onnx::TensorProto;

bool IsFloat8(int type) { return type >= TensorProto::FLOAT8E4M3FN && type <= TensorProto::FLOAT8E5M2FNUZ; }

}  // namespace

// ---- Constant

void CastOfFloats(Step& step) {
  const AttributeProto* const value = step.Attribute("value");
  if (value == nullptr || !value->has_t() || IsOldConstant(value->t().data_type())) return;
  if (step.target < kFirstCastOfNumbers) return;  // it becomes an initializer
  TensorProto floats = value->t();
  const int type = floats.data_type();
  if (!ToFloats(&floats))
    return step.Refuse(
        fmt::format("before version 9, there are no constants of type {}; make it an initializer", KeywordOf(type)));
  *step.Add("value", AttributeProto::TENSOR)->mutable_t() = std::move(floats);
  step.Expand("number = Self ()\nout0 = Cast <to = {}> (number)", type);
}

void DenseValue(Step& step) {
  const AttributeProto* const given = step.Attribute("sparse_value");
  if (given == nullptr) return;
  const onnx::SparseTensorProto sparse = given->sparse_tensor();
  const TensorProto& values = sparse.values();
  const ElementType* const type = FindElementType(values.data_type());
  std::string scratch;
  std::string index_scratch;
  const auto raw = RawBytes(values, &scratch);
  const auto indices = RealsOf(sparse.indices());
  std::int64_t count = 1;
  for (const std::int64_t size : sparse.dims()) count *= size;
  constexpr std::int64_t kMost = 1 << 26;
  if (type == nullptr || !raw || type->bits < 8 || count > kMost || count < 0)
    return step.Refuse("the sparse tensor cannot be written as a dense one");
  const auto width = static_cast<std::size_t>(type->bits / 8);
  std::string dense(static_cast<std::size_t>(count) * width, '\0');
  const auto entries = static_cast<std::size_t>(values.dims_size() > 0 ? values.dims(0) : 0);
  const auto rank = static_cast<std::size_t>(sparse.dims_size());
  const bool is_linear = sparse.indices().dims_size() == 1;
  for (std::size_t i = 0; i < entries; ++i) {
    std::int64_t at = 0;
    for (std::size_t j = 0; j < (is_linear ? 1 : rank); ++j) {
      const std::size_t k = is_linear ? i : i * rank + j;
      if (k >= indices.size()) return step.Refuse("the sparse tensor has too few indices");
      at = is_linear ? static_cast<std::int64_t>(indices[k])
                     : at * sparse.dims(static_cast<int>(j)) + static_cast<std::int64_t>(indices[k]);
    }
    if (at < 0 || at >= count || (i + 1) * width > raw->size())
      return step.Refuse("an index of the sparse tensor is out of range");
    raw->copy(dense.data() + static_cast<std::size_t>(at) * width, width, i * width);
  }
  step.Remove("sparse_value");
  TensorProto& tensor = *step.Add("value", AttributeProto::TENSOR)->mutable_t();
  *tensor.mutable_dims() = sparse.dims();
  tensor.set_data_type(values.data_type());
  tensor.set_raw_data(std::move(dense));
}

void TensorValue(Step& step) {
  for (const AttributeProto& attribute : step.node().attribute()) {
    if (!attribute.name().starts_with("value_")) continue;
    const AttributeProto given = attribute;
    if (!given.ref_attr_name().empty()) {
      return step.Refuse(
          "before version 12, a Constant cannot have the value of a parameter of the function; inline the calls of the "
          "function first");
    }
    step.Remove(given.name());
    TensorProto& tensor = *step.Add("value", AttributeProto::TENSOR)->mutable_t();
    const std::string_view form = std::string_view(given.name()).substr(6);
    const bool is_list = form.ends_with('s');
    if (form.starts_with("float")) {
      tensor.set_data_type(TensorProto::FLOAT);
      if (!is_list) tensor.add_float_data(given.f());
      tensor.mutable_float_data()->MergeFrom(given.floats());
    } else if (form.starts_with("int")) {
      tensor.set_data_type(TensorProto::INT64);
      if (!is_list) tensor.add_int64_data(given.i());
      tensor.mutable_int64_data()->MergeFrom(given.ints());
    } else {
      tensor.set_data_type(TensorProto::STRING);
      if (!is_list) tensor.add_string_data(given.s());
      tensor.mutable_string_data()->MergeFrom(given.strings());
    }
    if (is_list) tensor.add_dims(tensor.float_data_size() + tensor.int64_data_size() + tensor.string_data_size());
    return;
  }
}

// ---- Cast

namespace {
int ResultType(Step& step) {
  return step.Is("CastLike") ? step.ElementType(1) : static_cast<int>(step.HasAttribute("to") ? step.Int("to", 0) : 0);
}
}  // namespace

void DropSaturate(Step& step) {
  const int type = step.Is("QuantizeLinear") ? step.ElementType(2) : ResultType(step);
  const bool is_default = step.Is("QuantizeLinear") && !step.HasInput(2);
  if ((type != 0 || is_default) && !IsFloat8(type)) step.Remove("saturate");
}
void DropRoundMode(Step& step) {
  const int type = ResultType(step);
  if (type != 0 && type != TensorProto::FLOAT8E8M0) step.Remove("round_mode");
}

// ---- quantization

namespace {

bool HasOneScale(const Step& step) {
  const auto shape = step.Shape(1);
  return shape && (shape->empty() || (shape->size() == 1 && shape->front() == 1));
}

/// Writes (x - zero_point) * scale, where `shape` is the shape of both for broadcasting.
void Dequantize(Step& step, const std::optional<Integers>& shape) {
  const int type = step.version >= 19 ? step.NeedElementType(1) : int{TensorProto::FLOAT};
  if (!step.ok()) return;
  std::string text = fmt::format("number = Cast <to = {}> (in0)\n", type);
  std::string number = "number";
  std::string scale = "in1";
  if (shape) {
    text += fmt::format("shape = Constant <value = {}> ()\nscale = Reshape (in1, shape)\n", ListText(*shape));
    scale = "scale";
  }
  if (step.HasInput(2)) {
    text += fmt::format("zero_number = Cast <to = {}> (in2)\n", type);
    if (shape) text += "zero = Reshape (zero_number, shape)\n";
    text += fmt::format("centred = Sub (number, {})\n", shape ? "zero" : "zero_number");
    number = "centred";
  }
  step.Replace(text + fmt::format("out0 = Mul ({}, {})", number, scale));
}

}  // namespace

void DequantizeTensor(Step& step) { Dequantize(step, std::nullopt); }

void DequantizeAxis(Step& step) {
  if (HasOneScale(step)) return step.Remove("axis");
  const int rank = step.NeedRank(0);
  const int scale_rank = step.NeedRank(1);
  if (!step.ok() || scale_rank == 0) return step.Remove("axis");
  const std::int64_t axis = step.Int("axis", 1);
  const std::int64_t at = axis < 0 ? axis + rank : axis;
  if (at < 0 || at >= rank) return step.Refuse("the axis is out of range");
  Integers shape(static_cast<std::size_t>(rank), 1);
  shape[static_cast<std::size_t>(at)] = -1;
  Dequantize(step, shape);
}

void DequantizeBlocks(Step& step) {
  const std::int64_t block = step.Int("block_size", 0);
  if (block == 0 || !step.ok()) return;
  const auto sizes = step.NeedSizes(0);
  const auto scales = step.NeedSizes(1);
  const auto scale = step.NeedRealConstant(1, "the scale");
  if (!step.ok()) return;
  const auto zero = step.HasInput(2) ? step.NeedRealConstant(2, "the zero point") : std::optional<Reals>();
  if (!step.ok()) return;
  const std::int64_t axis = step.Int("axis", 1);
  const auto at = static_cast<std::size_t>(axis < 0 ? axis + static_cast<std::int64_t>(sizes->size()) : axis);
  if (at >= sizes->size() || scales->size() != sizes->size()) return step.Refuse("the axis is out of range");
  std::size_t inner = 1;
  for (std::size_t i = at + 1; i < sizes->size(); ++i) inner *= static_cast<std::size_t>((*sizes)[i]);
  const auto repeat = [&](const Reals& values) {
    const auto size = static_cast<std::size_t>((*sizes)[at]);
    const auto blocks = static_cast<std::size_t>((*scales)[at]);
    Reals all;
    for (std::size_t outer = 0; inner * blocks > 0 && outer < values.size() / (inner * blocks); ++outer) {
      for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t j = 0; j < inner; ++j)
          all.push_back(values[(outer * blocks + i / static_cast<std::size_t>(block)) * inner + j]);
      }
    }
    return all;
  };
  const int type = step.NeedElementType(1);
  std::string text = fmt::format("number = Cast <to = {}> (in0)\n", type);
  if (zero)
    text += fmt::format("zero = Constant <value = {}> ()\ncentred = Sub (number, zero)\n",
                        TensorText(type, *sizes, repeat(*zero)));
  text += fmt::format("scale = Constant <value = {}> ()\nout0 = Mul ({}, scale)",
                      TensorText(type, *sizes, repeat(*scale)), zero ? "centred" : "number");
  step.Replace(text);
}

void DropOutputType(Step& step) {
  if (!step.HasAttribute("output_dtype")) return;
  if (const int type = step.NeedElementType(1); type == step.Int("output_dtype", 0)) step.Remove("output_dtype");
}

void QuantizeTensor(Step& step) {
  if (!HasOneScale(step)) {
    const int rank = step.NeedRank(1);
    if (step.ok() && rank != 0) return step.Refuse("before version 13, QuantizeLinear has one scale for all elements");
  }
  step.Remove("axis");
}

void WriteZeroPoint(Step& step) {
  const std::int64_t type = step.Int("output_dtype", 0);
  step.Remove("output_dtype");
  if (type == 0 || step.HasInput(2)) return;
  const auto shape = step.NeedSizes(1);
  if (!step.ok()) return;
  std::size_t count = 1;
  for (const std::int64_t size : *shape) count *= static_cast<std::size_t>(size);
  const Reals zeros(count, 0);
  step.SetInput(2, step.NewConstant("zero_point", TensorText(static_cast<int>(type), *shape, zeros)));
}

void DropPrecision(Step& step) {
  if (!step.HasAttribute("precision")) return;
  if (const int type = step.NeedElementType(1); type == step.Int("precision", 0)) step.Remove("precision");
}

// ---- arithmetic

void ExponentLikeBase(Step& step) {
  const int base = step.ElementType(0);
  const int exponent = step.ElementType(1);
  if (base == 0) return step.RefuseUnknown("element type", 0);
  if (exponent == 0) return step.RefuseUnknown("element type", 1);
  if (base != exponent) step.Expand("exponent = Cast <to = {}> (in1)\nout0 = Self (in0, exponent)", base);
}

void OnlyIntegers(Step& step) {
  if (step.Int("fmod", 0) != 0) return;
  const int type = step.NeedElementType(0);
  const ElementType* const row = FindElementType(type);
  if (row != nullptr && row->literal != Literal::kInteger)
    step.Refuse("before version 28, Mod with fmod = 0 takes no floating-point numbers; A - Floor(A / B) * B is near");
}

void RangeOfFloats(Step& step) {
  const int type = step.ElementType(0);
  if (type == TensorProto::FLOAT16 || type == TensorProto::BFLOAT16) {
    if (step.Int("stash_type", 1) != TensorProto::FLOAT)
      return step.Refuse("before version 27, Range does not take this type");
    step.Remove("stash_type");
    return step.Expand(
        "start = Cast <to = 1> (in0)\nlimit = Cast <to = 1> (in1)\ndelta = Cast <to = 1> (in2)\nnumbers = Self (start, "
        "limit, delta)\nout0 = Cast <to = {}> (numbers)",
        type);
  }
  if (type != 0) step.Remove("stash_type");
}

// ---- optional values

void GetOfNoOptional(Step& step) {
  const InferredValue* const value = step.Value(0);
  if (value == nullptr || value->type.kind == ValueType::Kind::kUnknown) return step.RefuseUnknown("type", 0);
  if (value->type.kind != ValueType::Kind::kOptional) step.Replace("out0 = Identity (in0)");
}

void HasOfNoOptional(Step& step) {
  if (!step.HasInput(0)) return step.Replace("out0 = Constant <value = bool {0}> ()");
  const InferredValue* const value = step.Value(0);
  if (value == nullptr || value->type.kind == ValueType::Kind::kUnknown) return step.RefuseUnknown("type", 0);
  if (value->type.kind != ValueType::Kind::kOptional) step.Replace("out0 = Constant <value = bool {1}> ()");
}

}  // namespace onnxc::convert
