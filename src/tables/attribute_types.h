// The table of attribute types: one row for each value of AttributeProto.AttributeType.
#pragma once

#include <array>
#include <string_view>

namespace onnxc {

struct AttributeType {
  int code;                  ///< AttributeProto.AttributeType
  std::string_view keyword;  ///< the word after `name:`
  int field;                 ///< the field of AttributeProto that holds the value
  bool is_list;
  int other;  ///< the code of the list of this type, or of the member of this list
};

inline constexpr std::array<AttributeType, 15> kAttributeTypes = {{
    {0, "undefined", 0, false, 0},
    {1, "float", 2, false, 6},
    {2, "int", 3, false, 7},
    {3, "string", 4, false, 8},
    {4, "tensor", 5, false, 9},
    {5, "graph", 6, false, 10},
    {6, "floats", 7, true, 1},
    {7, "ints", 8, true, 2},
    {8, "strings", 9, true, 3},
    {9, "tensors", 10, true, 4},
    {10, "graphs", 11, true, 5},
    {11, "sparse_tensor", 22, false, 12},
    {12, "sparse_tensors", 23, true, 11},
    {13, "type_proto", 14, false, 14},
    {14, "type_protos", 15, true, 13},
}};

/// The row of `code`, or null; UNDEFINED (0) counts as none.
[[nodiscard]] constexpr const AttributeType* FindAttributeType(int code) {
  return code > 0 && code < static_cast<int>(kAttributeTypes.size()) ? &kAttributeTypes[code] : nullptr;
}

[[nodiscard]] constexpr const AttributeType* FindAttributeType(std::string_view word) {
  for (const AttributeType& type : kAttributeTypes) {
    if (type.code != 0 && type.keyword == word) return &type;
  }
  return nullptr;
}

}  // namespace onnxc
