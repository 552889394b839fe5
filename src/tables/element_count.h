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

/// The entries that the elements of a tensor need in a field of typed data. Types of 2 and 4 bits are counted as the
/// reference does: as many as 32 bits hold count as one entry, though an entry is a byte.
[[nodiscard]] inline std::optional<std::int64_t> EntriesFor(const ElementType& type, std::int64_t elements) {
  if (type.literal == Literal::kComplex) return Multiply(elements, 2);
  if (type.bits == 4) return elements / 8 + (elements % 8 != 0);
  if (type.bits == 2) return elements / 16 + (elements % 16 != 0);
  return elements;
}

/// The entries that such a field may have at most: those of one byte each, where a byte holds several elements.
[[nodiscard]] inline std::optional<std::int64_t> MostEntriesFor(const ElementType& type, std::int64_t elements) {
  return type.bits == 4 || type.bits == 2 ? ByteSize(type, elements) : EntriesFor(type, elements);
}

}  // namespace onnxc
