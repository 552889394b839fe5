#include "infer/contents.h"

#include <cstring>

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
  return NewConstant(memory, type.code, shape, reals);
}

const Constant* NewConstant(Memory& memory, int element_type, std::span<const std::int64_t> shape,
                            std::span<const Dim> integers) {
  return Make(memory, element_type, shape, integers, &Constant::integers);
}

const Constant* NewConstant(Memory& memory, int element_type, std::span<const std::int64_t> shape,
                            std::span<const double> reals) {
  return Make(memory, element_type, shape, reals, &Constant::reals);
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
