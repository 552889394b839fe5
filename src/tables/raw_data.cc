#include "tables/raw_data.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <type_traits>

#include "tables/element_count.h"

namespace onnxc {
namespace {

static_assert(std::endian::native == std::endian::little,
              "raw_data is little-endian and is written as it stands in memory");

constexpr std::array kTypedFields = {Storage::kInt32, Storage::kInt64,  Storage::kUint64,
                                     Storage::kFloat, Storage::kDouble, Storage::kString};

/// Calls `visitor` with the entries of the type's field and the number of bytes of each entry in raw_data. Does nothing
/// for strings. For types of 2 and 4 bits, an entry is one byte with several elements. For complex types, an entry
/// is half an element.
template <typename Visitor>
void VisitEntries(const onnx::TensorProto& tensor, const ElementType& type, const Visitor& visitor) {
  const std::size_t bytes = type.bits < 8 ? 1 : static_cast<std::size_t>(type.bits) / 8;
  switch (type.storage) {
    case Storage::kInt32: return visitor(tensor.int32_data(), bytes);
    case Storage::kInt64: return visitor(tensor.int64_data(), bytes);
    case Storage::kUint64: return visitor(tensor.uint64_data(), bytes);
    case Storage::kFloat: return visitor(tensor.float_data(), sizeof(float));
    case Storage::kDouble: return visitor(tensor.double_data(), sizeof(double));
    case Storage::kString:
    case Storage::kNone: return;
  }
}

/// Returns whether every entry fits in `bytes` bytes.
template <typename Number>
bool Fit(const google::protobuf::RepeatedField<Number>& entries, std::size_t bytes, bool is_signed) {
  if constexpr (std::is_integral_v<Number>) {
    if (bytes < sizeof(Number)) {
      const Number half = static_cast<Number>(Number{1} << (8 * bytes - 1));
      return std::ranges::all_of(entries, [&](Number entry) {
        return is_signed ? entry >= -half && entry < half : entry >= 0 && entry / 2 < half;
      });
    }
  }
  return true;
}

/// Returns the number of bytes that AppendRaw() appends.
std::optional<std::uint64_t> SizeOfEntries(const onnx::TensorProto& tensor, const ElementType& type) {
  const bool is_signed = type.is_signed && type.literal == Literal::kInteger && type.bits >= 8;
  std::optional<std::uint64_t> size;
  VisitEntries(tensor, type, [&](const auto& entries, std::size_t bytes) {
    if (Fit(entries, bytes, is_signed)) size = static_cast<std::uint64_t>(entries.size()) * bytes;
  });
  return size;
}

// Returns whether the data of a tensor of a 6-bit type are complete and valid. Each entry contains one element, but in
// raw_data the elements are a stream of bits, the lowest bit first.
bool AreSixBits(const onnx::TensorProto& tensor) {
  return Product(tensor.dims()) == tensor.int32_data_size() &&
         std::ranges::all_of(tensor.int32_data(), [](std::int32_t entry) { return entry >= 0 && entry < 1 << 6; });
}

void AppendSixBits(const onnx::TensorProto& tensor, std::string* raw) {
  std::uint32_t bits = 0;
  int count = 0;
  for (const std::int32_t entry : tensor.int32_data()) {
    bits |= static_cast<std::uint32_t>(entry) << count;
    count += 6;
    for (; count >= 8; count -= 8, bits >>= 8) raw->push_back(static_cast<char>(bits & 0xff));
  }
  if (count > 0) raw->push_back(static_cast<char>(bits));
}

}  // namespace

int CountEntries(const onnx::TensorProto& tensor, Storage storage) {
  switch (storage) {
    case Storage::kNone: break;
    case Storage::kInt32: return tensor.int32_data_size();
    case Storage::kInt64: return tensor.int64_data_size();
    case Storage::kUint64: return tensor.uint64_data_size();
    case Storage::kFloat: return tensor.float_data_size();
    case Storage::kDouble: return tensor.double_data_size();
    case Storage::kString: return tensor.string_data_size();
  }
  return 0;
}

int CountDataFields(const onnx::TensorProto& tensor) {
  const auto is_used = [&](Storage storage) { return CountEntries(tensor, storage) != 0; };
  return static_cast<int>(std::ranges::count_if(kTypedFields, is_used)) + (tensor.raw_data().empty() ? 0 : 1);
}

std::optional<std::uint64_t> DataSize(const onnx::TensorProto& tensor) {
  const ElementType* type = FindElementType(tensor.data_type());
  if (type == nullptr || type->bits == 0) return std::nullopt;
  const std::optional<std::int64_t> elements = Product(tensor.dims());
  if (!elements.has_value()) return std::nullopt;
  return ByteSize(*type, *elements);
}

bool HasWholeData(const onnx::TensorProto& tensor) {
  const std::optional<std::uint64_t> size = DataSize(tensor);
  if (!size.has_value() || CountDataFields(tensor) != (*size == 0 ? 0 : 1)) return false;
  if (*size == 0 || !tensor.raw_data().empty()) return tensor.raw_data().size() == *size;
  const ElementType& type = *FindElementType(tensor.data_type());
  return type.bits == 6 ? AreSixBits(tensor) : SizeOfEntries(tensor, type) == size;
}

std::optional<std::string_view> RawBytes(const onnx::TensorProto& tensor, std::string* scratch) {
  if (!HasWholeData(tensor)) return std::nullopt;
  if (CountDataFields(tensor) == 0 || !tensor.raw_data().empty()) return tensor.raw_data();
  scratch->clear();
  const ElementType& type = *FindElementType(tensor.data_type());
  if (type.bits == 6) {
    AppendSixBits(tensor, scratch);
  } else if (!AppendRaw(tensor, type, scratch)) {
    return std::nullopt;
  }
  return *scratch;
}

bool AppendRaw(const onnx::TensorProto& tensor, const ElementType& type, std::string* raw) {
  const std::optional<std::uint64_t> size = SizeOfEntries(tensor, type);
  if (!size.has_value()) return false;
  raw->reserve(raw->size() + static_cast<std::size_t>(*size));
  VisitEntries(tensor, type, [&](const auto& entries, std::size_t bytes) {
    if (bytes == sizeof(*entries.data())) {
      raw->append(reinterpret_cast<const char*>(entries.data()), static_cast<std::size_t>(*size));
    } else {
      for (const auto& entry : entries) raw->append(reinterpret_cast<const char*>(&entry), bytes);
    }
  });
  return true;
}

}  // namespace onnxc
