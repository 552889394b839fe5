#include "infer/contents.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <vector>

#include "tables/element_count.h"
#include "tables/element_types.h"
#include "tables/raw_data.h"
#include "tables/small_float.h"

namespace onnxc::infer {
namespace {

/// Returns the element at `index` of a type whose elements are whole bytes.
std::uint64_t BitsAt(std::string_view raw, std::size_t index, const ElementType& type) {
  const std::size_t bytes = static_cast<std::size_t>(type.bits) / 8;
  std::uint64_t bits = 0;
  std::memcpy(&bits, raw.data() + index * bytes, bytes);
  return bits;
}

std::int64_t IntegerAt(std::string_view raw, std::size_t index, const ElementType& type) {
  const std::uint64_t bits = BitsAt(raw, index, type);
  const int unused = type.is_signed ? 64 - type.bits : 0;
  return static_cast<std::int64_t>(bits << unused) >> unused;
}

double RealAt(std::string_view raw, std::size_t index, const ElementType& type) {
  const std::uint64_t bits = BitsAt(raw, index, type);
  if (type.literal == Literal::kBits) {
    return DecodeSmallFloat(*FindSmallFloat(type.code), static_cast<std::uint32_t>(bits));
  }
  if (type.bits == 32) {
    float value = 0;
    std::memcpy(&value, &bits, sizeof(value));
    return value;
  }
  double value = 0;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

std::span<const std::int64_t> Kept(Memory& memory, std::span<const std::int64_t> shape) {
  const std::span<std::int64_t> kept = memory.NewSpan<std::int64_t>(shape.size());
  std::copy(shape.begin(), shape.end(), kept.begin());
  return kept;
}

template <typename T>
const Constant* Make(Memory& memory, int element_type, std::span<const std::int64_t> shape, std::span<const T> elements,
                     std::span<const T> Constant::*field) {
  if (elements.size() > kMostElements || shape.size() > kMostRank) return nullptr;
  if (!memory.Charge(elements.size() * (1 + shape.size()))) return nullptr;  // the same cost as CostOf() returns
  const std::span<T> kept = memory.NewSpan<T>(elements.size());
  std::copy(elements.begin(), elements.end(), kept.begin());
  Constant constant{.element_type = element_type, .shape = Kept(memory, shape)};
  constant.*field = kept;
  return memory.Keep(constant);
}

/// Returns the number, or an unknown one if it is outside of the range of the element type: then it would wrap around.
/// (Numbers of 64 bits are kept as int64, where a large uint64 is negative.)
Dim Fit(Dim dim, const ElementType& type) {
  if (!dim.IsNumber() || (type.bits >= 64 && type.is_signed)) return dim;
  if (type.bits >= 64) return dim.number() >= 0 ? dim : Dim();
  const std::int64_t half = std::int64_t{1} << (type.bits - 1);
  const std::int64_t least = type.is_signed ? -half : 0;
  return dim.number() >= least && dim.number() < least + 2 * half ? dim : Dim();
}

/// Returns the number of the type that is nearest to the result of an operation; ties round to even. Returns nothing if
/// the type has no such number, and no infinity. (A double has more than twice the bits of the other types, so rounding
/// twice gives what their own arithmetic gives.)
std::optional<double> Rounded(double real, int element_type) {
  if (element_type == onnx::TensorProto::DOUBLE || std::isnan(real)) return real;
  constexpr SmallFloat kFloat{.code = onnx::TensorProto::FLOAT,
                              .exponent_bits = 8,
                              .mantissa_bits = std::numeric_limits<float>::digits - 1,
                              .bias = 127,
                              .has_sign = true,
                              .has_infinity = true,
                              .has_subnormals = true,
                              .nan = 0,
                              .max = 0};
  const bool is_float = element_type == onnx::TensorProto::FLOAT;
  const SmallFloat* const format = is_float ? &kFloat : FindSmallFloat(element_type);
  if (format == nullptr || !format->has_sign) return std::nullopt;
  if (std::isinf(real)) return format->has_infinity ? std::optional(real) : std::nullopt;
  int exponent = 0;
  (void)std::frexp(real, &exponent);
  exponent = std::max(exponent - 1, 1 - format->bias);
  const double unit = std::ldexp(1.0, exponent - format->mantissa_bits);
  const double rounded = std::nearbyint(real / unit) * unit;
  const double largest = is_float ? std::numeric_limits<float>::max() : DecodeSmallFloat(*format, format->max);
  if (std::abs(rounded) <= largest) return rounded;
  if (!format->has_infinity) return std::nullopt;
  return std::copysign(std::numeric_limits<double>::infinity(), real);
}

}  // namespace

bool IsInteger(int element_type) {
  const ElementType* const type = FindElementType(element_type);
  return type != nullptr && type->literal == Literal::kInteger && type->bits >= 8;
}

bool IsReal(int element_type) {
  const ElementType* const type = FindElementType(element_type);
  if (type == nullptr || type->bits < 8) return false;
  return type->literal == Literal::kFloat || type->literal == Literal::kBits;
}

const Constant* ContentsOf(const onnx::TensorProto& tensor, Memory& memory) {
  const std::optional<std::int64_t> count = Product(tensor.dims());
  const bool is_number = IsInteger(tensor.data_type()) || IsReal(tensor.data_type());
  if (!is_number || !count || *count > static_cast<std::int64_t>(kMostElements)) return nullptr;
  if (tensor.data_location() == onnx::TensorProto::EXTERNAL) return nullptr;
  const ElementType& type = *FindElementType(tensor.data_type());
  if (CountEntries(tensor, type.storage) > static_cast<int>(kMostElements)) return nullptr;
  std::string scratch;
  const std::optional<std::string_view> raw = RawBytes(tensor, &scratch);
  if (!raw) return nullptr;
  const std::span shape(tensor.dims().data(), static_cast<std::size_t>(tensor.dims_size()));
  const auto size = static_cast<std::size_t>(*count);
  if (IsInteger(type.code)) {
    std::vector<Dim> integers(size);
    for (std::size_t i = 0; i < size; ++i) integers[i] = IntegerAt(*raw, i, type);
    return NewConstant(memory, type.code, shape, integers);
  }
  std::vector<double> reals(size);
  for (std::size_t i = 0; i < size; ++i) reals[i] = RealAt(*raw, i, type);
  return Make(memory, type.code, shape, std::span<const double>(reals), &Constant::reals);
}

const Constant* NewConstant(Memory& memory, int element_type, std::span<const std::int64_t> shape,
                            std::span<const Dim> integers) {
  if (element_type == onnx::TensorProto::INT64) return Make(memory, element_type, shape, integers, &Constant::integers);
  std::vector<Dim> fitting(integers.begin(), integers.end());
  const ElementType* const type = FindElementType(element_type);
  for (Dim& dim : fitting) dim = type == nullptr ? Dim() : Fit(dim, *type);
  return Make(memory, element_type, shape, std::span<const Dim>(fitting), &Constant::integers);
}

const Constant* NewConstant(Memory& memory, int element_type, std::span<const std::int64_t> shape,
                            std::span<const double> reals) {
  std::vector<double> rounded;
  for (const double real : reals) {
    const std::optional<double> number = Rounded(real, element_type);
    if (!number) return nullptr;
    rounded.push_back(*number);
  }
  return Make(memory, element_type, shape, std::span<const double>(rounded), &Constant::reals);
}

const Constant* Reshaped(Memory& memory, const Constant& from, std::span<const std::int64_t> shape) {
  if (memory.IsUsedUp() || shape.size() > kMostRank) return nullptr;
  Constant constant = from;
  constant.shape = Kept(memory, shape);
  return memory.Keep(constant);
}

const Constant* NewList(Memory& memory, std::span<const Dim> integers) {
  const auto size = static_cast<std::int64_t>(integers.size());
  return NewConstant(memory, onnx::TensorProto::INT64, std::span(&size, 1), integers);
}

}  // namespace onnxc::infer
