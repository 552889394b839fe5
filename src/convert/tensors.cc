// Tensors as text, and their elements.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "convert/step.h"
#include "tables/element_types.h"
#include "tables/raw_data.h"
#include "tables/raw_elements.h"
#include "tables/small_float.h"

namespace onnxc::convert {

// ---- texts of tensors

std::string_view KeywordOf(int element_type) {
  const onnxc::ElementType* const type = FindElementType(element_type);
  return type == nullptr ? "undefined" : type->keyword;
}

std::string FloatText(float value) { return fmt::format("{:#}", value); }

std::string IntsText(const Integers& list) { return fmt::format("[{}]", fmt::join(list, ", ")); }

namespace {

std::string NumberText(int element_type, double value) {
  if (const SmallFloat* const small = FindSmallFloat(element_type)) {
    return fmt::format("{}", EncodeSmallFloat(*small, fmt::format("{}", value)).bits);
  }
  const onnxc::ElementType* const type = FindElementType(element_type);
  if (type != nullptr && type->literal == Literal::kInteger) return fmt::format("{}", static_cast<std::int64_t>(value));
  return element_type == onnx::TensorProto::DOUBLE ? fmt::format("{}", value)
                                                   : fmt::format("{}", static_cast<float>(value));
}

}  // namespace

std::string TensorText(int element_type, const Integers& shape, const Reals& elements) {
  std::vector<std::string> numbers;
  for (const double element : elements) numbers.push_back(NumberText(element_type, element));
  const std::string sizes = shape.empty() ? "" : fmt::format("[{}]", fmt::join(shape, ", "));
  return fmt::format("{}{} {{{}}}", KeywordOf(element_type), sizes, fmt::join(numbers, ", "));
}

std::string ListText(const Integers& list) {
  return fmt::format("int64[{}] {{{}}}", list.size(), fmt::join(list, ", "));
}

std::string ScalarText(int element_type, double value) { return TensorText(element_type, {}, {value}); }

bool IsExact(double whole) { return std::abs(whole) < 9007199254740992.0; }

bool HasNumber(int element_type, double value) {
  if (element_type == onnx::TensorProto::DOUBLE || std::isnan(value)) return true;
  if (const SmallFloat* const small = FindSmallFloat(element_type)) {
    const SmallFloatBits bits = EncodeSmallFloat(*small, fmt::format("{}", value));
    return bits.error == SmallFloatError::kNone && DecodeSmallFloat(*small, bits.bits) == value;
  }
  if (element_type == onnx::TensorProto::FLOAT) return static_cast<double>(static_cast<float>(value)) == value;
  return value == std::floor(value);
}

Integers IntegersOf(const onnx::TensorProto& tensor) {
  std::string scratch;
  const auto raw = RawBytes(tensor, &scratch);
  if (!raw || tensor.data_type() != onnx::TensorProto::INT64) return {};
  const auto elements = RawElements<std::int64_t>(*raw);
  Integers integers;
  for (const std::int64_t element : elements) integers.push_back(element);
  return integers;
}

Reals RealsOf(const onnx::TensorProto& tensor) {
  std::string scratch;
  const auto raw = RawBytes(tensor, &scratch);
  if (!raw) return {};
  const auto all = [&]<typename Number>(Number) -> Reals {
    Reals numbers;
    for (const Number number : RawElements<Number>(*raw)) {
      numbers.push_back(static_cast<double>(number));
      if (std::is_integral_v<Number> && !IsExact(numbers.back())) return {};
    }
    return numbers;
  };
  using onnx::TensorProto;
  if (const SmallFloat* const small = FindSmallFloat(tensor.data_type()); small != nullptr && raw->size() % 2 == 0) {
    Reals numbers;
    for (const std::uint16_t bits : RawElements<std::uint16_t>(*raw)) numbers.push_back(DecodeSmallFloat(*small, bits));
    return tensor.data_type() == TensorProto::FLOAT16 || tensor.data_type() == TensorProto::BFLOAT16 ? numbers
                                                                                                     : Reals();
  }
  switch (tensor.data_type()) {
    case TensorProto::FLOAT: return all(float{});
    case TensorProto::DOUBLE: return all(double{});
    case TensorProto::INT8: return all(std::int8_t{});
    case TensorProto::BOOL:
    case TensorProto::UINT8: return all(std::uint8_t{});
    case TensorProto::INT16: return all(std::int16_t{});
    case TensorProto::UINT16: return all(std::uint16_t{});
    case TensorProto::INT32: return all(std::int32_t{});
    case TensorProto::UINT32: return all(std::uint32_t{});
    case TensorProto::INT64: return all(std::int64_t{});
    case TensorProto::UINT64: return all(std::uint64_t{});
    default: return {};
  }
}

bool ToFloats(onnx::TensorProto* tensor) {
  const Reals numbers = RealsOf(*tensor);
  std::int64_t count = 1;
  for (const std::int64_t size : tensor->dims()) count *= size;
  if (static_cast<std::int64_t>(numbers.size()) != count || !std::ranges::all_of(numbers, IsExact)) return false;
  const bool are_floats =
      std::ranges::all_of(numbers, [](double each) { return HasNumber(onnx::TensorProto::FLOAT, each); });
  onnx::TensorProto floats;
  *floats.mutable_dims() = tensor->dims();
  floats.set_data_type(are_floats ? onnx::TensorProto::FLOAT : onnx::TensorProto::DOUBLE);
  for (const double number : numbers) {
    if (are_floats) {
      floats.add_float_data(static_cast<float>(number));
    } else {
      floats.add_double_data(number);
    }
  }
  *tensor = std::move(floats);
  return true;
}

/// Returns the text of a Constant with the value in the type of the input.
std::string Scalar(Step& step, std::string_view name, double value, int input) {
  const int type = step.NeedElementType(input);
  return fmt::format("{} = Constant <value = {}> ()\n", name, ScalarText(type, value));
}

std::string List(std::string_view name, const Integers& list) {
  return fmt::format("{} = Constant <value = {}> ()\n", name, ListText(list));
}

}  // namespace onnxc::convert
