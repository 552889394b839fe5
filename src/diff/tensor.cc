#include "diff/tensor.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <limits>

#include "tables/element_count.h"
#include "tables/raw_data.h"
#include "tables/small_float.h"

namespace onnxc::diff {

std::optional<Elements> Elements::Of(const onnx::TensorProto& tensor) {
  if (tensor.data_location() == onnx::TensorProto::EXTERNAL) return std::nullopt;
  Elements elements;
  const std::optional<std::string_view> bytes = RawBytes(tensor, &elements.copy_);
  if (!bytes.has_value()) return std::nullopt;
  const ElementType* const type = FindElementType(tensor.data_type());
  elements.type_ = type;
  elements.bits_ = type->literal == Literal::kComplex ? type->bits / 2 : type->bits;
  elements.count_ = static_cast<std::size_t>(*Product(tensor.dims())) * (type->literal == Literal::kComplex ? 2 : 1);
  if (elements.copy_.empty()) elements.bytes_ = *bytes;
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

double Elements::Magnitude(std::size_t index) const {
  const double value = std::abs(Value(index));
  return std::isfinite(value) ? value : 0;
}

double Elements::Distance(const Elements& a, const Elements& b, std::size_t index) {
  if (a.type_->literal == Literal::kInteger && a.bits_ == 64) {  // a double has fewer bits of precision
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

}  // namespace onnxc::diff
