#include "diff/tensor.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <limits>

#include "check/tensor_size.h"
#include "tables/small_float.h"

namespace onnxc {
namespace {

/// Appends numbers in `bits` bits each. False: one of them does not fit.
template <typename Number>
bool AppendAll(const google::protobuf::RepeatedField<Number>& numbers, int bits, bool is_signed, std::string* bytes) {
  bytes->reserve(static_cast<std::size_t>(numbers.size()) * static_cast<std::size_t>(bits / 8));
  for (const Number number : numbers) {
    std::uint64_t value = 0;
    if constexpr (std::is_same_v<Number, float>) {
      value = std::bit_cast<std::uint32_t>(number);
    } else if constexpr (std::is_same_v<Number, double>) {
      value = std::bit_cast<std::uint64_t>(number);
    } else {
      value = static_cast<std::uint64_t>(number);
      const std::uint64_t rest = bits == 64 ? 0 : value >> (bits - (is_signed ? 1 : 0));
      const std::uint64_t negative = bits == 64 ? 0 : ~std::uint64_t{0} >> (bits - 1);
      if (rest != 0 && !(is_signed && rest == negative)) return false;
    }
    for (int shift = 0; shift < bits; shift += 8) bytes->push_back(static_cast<char>(value >> shift & 0xff));
  }
  return true;
}

/// The typed field's data in the form of raw_data. False: they have none.
bool AppendTyped(const onnx::TensorProto& tensor, const ElementType& type, std::string* bytes) {
  const bool is_packed = type.bits < 8;
  if (type.bits == 6) return tensor.int32_data().empty();
  const bool is_signed = type.literal == Literal::kInteger && type.is_signed && !is_packed;
  const int width = type.literal == Literal::kComplex ? type.bits / 2 : is_packed ? 8 : type.bits;
  switch (type.storage) {
    case Storage::kInt32: return AppendAll(tensor.int32_data(), width, is_signed, bytes);
    case Storage::kInt64: return AppendAll(tensor.int64_data(), width, is_signed, bytes);
    case Storage::kUint64: return AppendAll(tensor.uint64_data(), width, is_signed, bytes);
    case Storage::kFloat: return AppendAll(tensor.float_data(), width, is_signed, bytes);
    case Storage::kDouble: return AppendAll(tensor.double_data(), width, is_signed, bytes);
    case Storage::kString:
    case Storage::kNone: return false;
  }
  return false;
}

std::optional<std::int64_t> CountOf(const onnx::TensorProto& tensor) {
  std::int64_t elements = 1;
  for (const std::int64_t dim : tensor.dims()) {
    const auto product = dim < 0 ? std::nullopt : Multiply(elements, dim);
    if (!product) return std::nullopt;
    elements = *product;
  }
  return elements;
}

/// How many fields hold data.
int CountFields(const onnx::TensorProto& tensor) {
  const auto is_used = [](const auto& data) { return data.empty() ? 0 : 1; };
  return is_used(tensor.raw_data()) + is_used(tensor.float_data()) + is_used(tensor.int32_data()) +
         is_used(tensor.int64_data()) + is_used(tensor.double_data()) + is_used(tensor.uint64_data()) +
         is_used(tensor.string_data());
}

}  // namespace

std::optional<Elements> Elements::Of(const onnx::TensorProto& tensor) {
  const ElementType* const type = FindElementType(tensor.data_type());
  const std::optional<std::int64_t> count = CountOf(tensor);
  if (type == nullptr || type->bits == 0 || !count) return std::nullopt;
  if (tensor.data_location() == onnx::TensorProto::EXTERNAL) return std::nullopt;
  Elements elements;
  elements.type_ = type;
  elements.bits_ = type->literal == Literal::kComplex ? type->bits / 2 : type->bits;
  elements.count_ = static_cast<std::size_t>(*count) * (type->literal == Literal::kComplex ? 2 : 1);
  elements.bytes_ = tensor.raw_data();
  if (tensor.raw_data().empty() && !AppendTyped(tensor, *type, &elements.copy_)) return std::nullopt;
  const auto size = static_cast<std::int64_t>(elements.bytes().size());
  const bool has_nothing_else = CountFields(tensor) == (size == 0 ? 0 : 1);
  if (!has_nothing_else || ByteSize(*type, *count) != size) return std::nullopt;
  return elements;
}

std::uint64_t Elements::Bits(std::size_t index) const {
  const std::size_t bit = index * static_cast<std::size_t>(bits_);
  const std::string_view all = bytes();
  const std::size_t first = bit / 8;
  const std::size_t last = (bit + static_cast<std::size_t>(bits_) - 1) / 8;
  std::uint64_t value = 0;
  for (std::size_t i = last + 1; i-- > first;) value = value << 8 | static_cast<unsigned char>(all[i]);
  value >>= bit % 8;
  return bits_ == 64 ? value : value & ((std::uint64_t{1} << bits_) - 1);
}

double Elements::Value(std::size_t index) const {
  const std::uint64_t bits = Bits(index);
  if (const SmallFloat* format = FindSmallFloat(type_->code)) {
    return DecodeSmallFloat(*format, static_cast<std::uint32_t>(bits));
  }
  if (type_->literal == Literal::kInteger) {
    if (!type_->is_signed) return static_cast<double>(bits);
    const int unused = 64 - bits_;
    return static_cast<double>(static_cast<std::int64_t>(bits << unused) >> unused);
  }
  return bits_ == 32 ? std::bit_cast<float>(static_cast<std::uint32_t>(bits)) : std::bit_cast<double>(bits);
}

std::string Elements::Text(std::size_t index) const {
  if (type_->literal == Literal::kInteger) {
    const std::uint64_t bits = Bits(index);
    const int unused = 64 - bits_;
    return type_->is_signed ? fmt::to_string(static_cast<std::int64_t>(bits << unused) >> unused)
                            : fmt::to_string(bits);
  }
  return type_->bits == 32 ? fmt::to_string(static_cast<float>(Value(index))) : fmt::to_string(Value(index));
}

double Elements::Distance(const Elements& a, const Elements& b, std::size_t index) {
  if (a.type_->literal == Literal::kInteger && a.bits_ == 64) {  // more than a double can tell
    const std::uint64_t flip = a.type_->is_signed ? std::uint64_t{1} << 63 : 0;
    const std::uint64_t x = a.Bits(index) ^ flip;
    const std::uint64_t y = b.Bits(index) ^ flip;
    return static_cast<double>(x > y ? x - y : y - x);
  }
  const double x = a.Value(index);
  const double y = b.Value(index);
  if (std::isnan(x) && std::isnan(y)) return 0;
  if (x == y) return 0;
  const double distance = std::abs(x - y);
  return std::isnan(distance) ? std::numeric_limits<double>::infinity() : distance;
}

}  // namespace onnxc
