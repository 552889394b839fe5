// How many elements the dimensions of a tensor make, and their bytes: the one place where dimensions are multiplied.
#pragma once

#include <cstdint>
#include <optional>

#include "tables/element_types.h"

namespace onnxc {

/// The product, if it fits.
[[nodiscard]] inline std::optional<std::int64_t> Multiply(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

/// The elements that the dimensions make. Nothing where one is negative, or they make more than can be counted.
template <typename Dims>
[[nodiscard]] std::optional<std::int64_t> Product(const Dims& dims) {
  std::optional<std::int64_t> product = 1;
  for (const std::int64_t dim : dims) {
    product = dim < 0 ? std::nullopt : Multiply(*product, dim);
    if (!product) break;
  }
  return product;
}

/// The bytes that elements of the type take in raw_data, if they can be counted. 0 for strings.
[[nodiscard]] inline std::optional<std::int64_t> ByteSize(const ElementType& type, std::int64_t elements) {
  if (type.bits % 8 == 0) return Multiply(elements, type.bits / 8);
  if (type.bits == 6 && !Multiply(elements, 6).has_value()) return std::nullopt;
  const std::int64_t whole = elements / 8 * type.bits;
  return whole + (elements % 8 * type.bits + 7) / 8;
}

}  // namespace onnxc
