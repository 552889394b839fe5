#include "tables/raw_data.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace onnxc {
namespace {

static_assert(std::endian::native == std::endian::little,
              "raw_data is little-endian and is written as it stands in memory");

/// Each entry as `bytes` bytes; false where one has more.
template <typename Number>
bool Append(const google::protobuf::RepeatedField<Number>& values, std::size_t bytes, bool is_signed,
            std::string* raw) {
  raw->reserve(raw->size() + bytes * static_cast<std::size_t>(values.size()));
  for (const Number value : values) {
    if constexpr (std::is_integral_v<Number>) {
      if (bytes < sizeof(Number)) {
        const Number half = static_cast<Number>(Number{1} << (8 * bytes - 1));
        const bool fits = is_signed ? value >= -half && value < half : value >= 0 && value / 2 < half;
        if (!fits) return false;
      }
    }
    raw->append(reinterpret_cast<const char*>(&value), bytes);
  }
  return true;
}

}  // namespace

bool AppendRaw(const onnx::TensorProto& tensor, const ElementType& type, std::string* raw) {
  const std::size_t bytes = type.bits < 8 ? 1 : static_cast<std::size_t>(type.bits) / 8;
  const bool is_signed = type.is_signed && type.literal == Literal::kInteger && type.bits >= 8;
  switch (type.storage) {
    case Storage::kInt32: return Append(tensor.int32_data(), bytes, is_signed, raw);
    case Storage::kInt64: return Append(tensor.int64_data(), bytes, is_signed, raw);
    case Storage::kUint64: return Append(tensor.uint64_data(), bytes, is_signed, raw);
    // An entry each for the two parts of complex numbers.
    case Storage::kFloat: return Append(tensor.float_data(), sizeof(float), is_signed, raw);
    case Storage::kDouble: return Append(tensor.double_data(), sizeof(double), is_signed, raw);
    case Storage::kString:
    case Storage::kNone: break;
  }
  return false;
}

}  // namespace onnxc
