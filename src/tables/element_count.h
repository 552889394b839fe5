// The number of elements and bytes of a tensor. Dimensions are multiplied only in this header.
#pragma once

#include <cstdint>
#include <optional>

#include "tables/element_types.h"

namespace onnxc {

/// Returns the product, or nothing on overflow.
[[nodiscard]] inline std::optional<std::int64_t> Multiply(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

/// Returns the number of elements for these dimensions. Returns nothing if a dimension is negative or the number
/// overflows.
template <typename Dims>
[[nodiscard]] std::optional<std::int64_t> Product(const Dims& dims) {
  std::optional<std::int64_t> product = 1;
  for (const std::int64_t dim : dims) {
    product = dim < 0 ? std::nullopt : Multiply(*product, dim);
    if (!product) break;
  }
  return product;
}

/// Returns the size in raw_data of this number of elements of the type, or nothing on overflow. Returns 0 for strings.
[[nodiscard]] inline std::optional<std::int64_t> ByteSize(const ElementType& type, std::int64_t elements) {
  if (type.bits % 8 == 0) return Multiply(elements, type.bits / 8);
  if (type.bits == 6 && !Multiply(elements, 6).has_value()) return std::nullopt;
  const std::int64_t whole = elements / 8 * type.bits;
  return whole + (elements % 8 * type.bits + 7) / 8;
}

/// Returns the number of entries that the elements need in a field of typed data. For types of 2 and 4 bits, the result
/// is the number that the reference computes. The reference assumes that an entry holds 32 bits of elements, although
/// it holds only 8.
[[nodiscard]] inline std::optional<std::int64_t> EntriesFor(const ElementType& type, std::int64_t elements) {
  if (type.literal == Literal::kComplex) return Multiply(elements, 2);
  if (type.bits == 4) return elements / 8 + (elements % 8 != 0);
  if (type.bits == 2) return elements / 16 + (elements % 16 != 0);
  return elements;
}

/// Returns the largest valid number of entries in a field of typed data. It differs from EntriesFor() for types of 2
/// and 4 bits, because an entry of these types holds only 8 bits.
[[nodiscard]] inline std::optional<std::int64_t> MostEntriesFor(const ElementType& type, std::int64_t elements) {
  return type.bits == 4 || type.bits == 2 ? ByteSize(type, elements) : EntriesFor(type, elements);
}

}  // namespace onnxc
