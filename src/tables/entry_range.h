// Determines which numbers in a tensor's typed data are valid elements of its type.
#pragma once

#include <onnxc/proto.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

#include "tables/element_types.h"

namespace onnxc {

/// Returns the smallest and the greatest entry that is an element of the type, or nothing if every value of the field
/// is valid.
[[nodiscard]] inline std::optional<std::pair<std::int64_t, std::int64_t>> EntryRange(const ElementType& type) {
  if (type.code == onnx::TensorProto::BOOL) return {{0, 1}};
  if (type.code == onnx::TensorProto::UINT32) return {{0, std::numeric_limits<std::uint32_t>::max()}};
  if (type.storage != Storage::kInt32 || type.bits < 6 || type.bits > 16) return std::nullopt;
  const std::int64_t values = std::int64_t{1} << type.bits;
  if (type.literal == Literal::kBits || !type.is_signed) return {{0, values - 1}};
  return {{-values / 2, values / 2 - 1}};
}

/// Returns the index of the entry that is furthest outside of the range, or -1 if all are inside.
template <typename Entries>
[[nodiscard]] int FindOutside(const Entries& entries, std::pair<std::int64_t, std::int64_t> range) {
  if (entries.empty()) return -1;
  const auto [least, greatest] = std::minmax_element(entries.begin(), entries.end());
  using Number = std::remove_cvref_t<decltype(*least)>;
  if (*least < static_cast<Number>(range.first)) return static_cast<int>(least - entries.begin());
  return *greatest > static_cast<Number>(range.second) ? static_cast<int>(greatest - entries.begin()) : -1;
}

}  // namespace onnxc
