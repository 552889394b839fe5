// Prints tensor elements of less than 8 bits, of which several share a byte.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "print/lossless/printer.h"
#include "tables/element_count.h"
#include "tables/small_float.h"
#include "wire/wire.h"

namespace onnxc::print {
namespace {

// Returns the entries of int32_data as bytes, or nothing if one of them does not fit in a byte. `data` is the packed
// form of the field, if not empty.
std::optional<std::string> BytesOf(const onnx::TensorProto& tensor, std::string_view data) {
  std::string bytes;
  const auto add = [&](std::uint64_t entry) {
    bytes += static_cast<char>(entry);
    return entry < 256;
  };
  for (const std::int32_t entry : tensor.int32_data()) {
    if (!add(static_cast<std::uint64_t>(static_cast<std::int64_t>(entry)))) return std::nullopt;
  }
  while (!data.empty()) {
    const std::optional<std::uint64_t> entry = wire::TakeVarint(&data);
    if (!entry || !add(*entry)) return std::nullopt;
  }
  return bytes;
}

}  // namespace

// If several elements share a byte, prints each element as a separate number: `{{0.5, -1.5}}`. Returns false and prints
// nothing if no elements share bytes, or if the bytes contain more than the elements, such as set bits after the last
// element.
bool LosslessPrinter::SharedBytes(const onnx::TensorProto& tensor, const ElementType& type, std::string_view data) {
  const auto size = static_cast<std::size_t>(type.bits);
  const std::optional<std::int64_t> count = Product(tensor.dims());
  if (size == 0 || !count || *count <= 0 || (size == 6 && !scope_.raw)) return false;
  std::optional<std::string> bytes;
  if (!scope_.raw) bytes = BytesOf(tensor, data);
  const std::string_view all = bytes ? *bytes : data.empty() ? std::string_view(tensor.raw_data()) : data;
  const auto elements = static_cast<std::size_t>(*count);
  if ((!scope_.raw && !bytes) || elements / 8 > all.size() || (elements * size + 7) / 8 != all.size()) return false;
  const auto bits_at = [&](std::size_t bit) {
    std::uint32_t bits = static_cast<unsigned char>(all[bit / 8]);
    if (bit % 8 + size > 8) bits |= static_cast<std::uint32_t>(static_cast<unsigned char>(all[bit / 8 + 1])) << 8;
    return bits >> bit % 8;
  };
  const std::size_t last = elements * size % 8;
  if (last != 0 && static_cast<unsigned char>(all.back()) >> last != 0) return false;
  const SmallFloat* const format = type.literal == Literal::kBits ? FindSmallFloat(type.code) : nullptr;
  const std::uint32_t mask = (1u << size) - 1;
  const auto write = [&](std::size_t i, char* at) {
    const std::uint32_t bits = bits_at(i * size) & mask;
    if (format != nullptr) {
      if (const auto literal = SmallFloatLiteral(*format, bits)) return std::ranges::copy(*literal, at).out;
    }
    const bool is_negative = format == nullptr && type.is_signed && bits >> (size - 1) != 0;
    return WriteNumber(static_cast<std::int32_t>(bits) - (is_negative ? static_cast<std::int32_t>(mask) + 1 : 0), at);
  };
  out_.Put('{');
  out_.List(NumbersInMemory(elements, write), options_.threads);
  out_.Put('}');
  return true;
}

}  // namespace onnxc::print
