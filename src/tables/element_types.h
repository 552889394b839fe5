// The table of element types, with one row for each value of TensorProto.DataType. Every stage uses it.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace onnxc {

/// The field of TensorProto that holds the data of an element type if they are not in raw_data.
enum class Storage : std::uint8_t { kNone, kInt32, kInt64, kUint64, kFloat, kDouble, kString };

/// How texts write an element: as an integer (its value, or its bits for a small float), as a floating-point number
/// (two numbers for a complex type), or as a string.
enum class Literal : std::uint8_t { kNone, kInteger, kBits, kFloat, kComplex, kString };

struct ElementType {
  int code;                  ///< TensorProto.DataType
  std::string_view keyword;  ///< its keyword in the text
  Storage storage;
  Literal literal;
  int bits;  ///< bits of one element in raw_data; 0 if the size is not fixed
  bool is_signed;
  int since;  ///< the IR version that introduced the type
};

inline constexpr std::array<ElementType, 29> kElementTypes = {{
    {0, "undefined", Storage::kNone, Literal::kNone, 0, false, 1},
    {1, "float", Storage::kFloat, Literal::kFloat, 32, true, 1},
    {2, "uint8", Storage::kInt32, Literal::kInteger, 8, false, 1},
    {3, "int8", Storage::kInt32, Literal::kInteger, 8, true, 1},
    {4, "uint16", Storage::kInt32, Literal::kInteger, 16, false, 1},
    {5, "int16", Storage::kInt32, Literal::kInteger, 16, true, 1},
    {6, "int32", Storage::kInt32, Literal::kInteger, 32, true, 1},
    {7, "int64", Storage::kInt64, Literal::kInteger, 64, true, 1},
    {8, "string", Storage::kString, Literal::kString, 0, false, 1},
    {9, "bool", Storage::kInt32, Literal::kInteger, 8, false, 1},
    {10, "float16", Storage::kInt32, Literal::kBits, 16, true, 1},
    {11, "double", Storage::kDouble, Literal::kFloat, 64, true, 1},
    {12, "uint32", Storage::kUint64, Literal::kInteger, 32, false, 1},
    {13, "uint64", Storage::kUint64, Literal::kInteger, 64, false, 1},
    {14, "complex64", Storage::kFloat, Literal::kComplex, 64, true, 1},
    {15, "complex128", Storage::kDouble, Literal::kComplex, 128, true, 1},
    {16, "bfloat16", Storage::kInt32, Literal::kBits, 16, true, 4},
    {17, "float8e4m3fn", Storage::kInt32, Literal::kBits, 8, true, 9},
    {18, "float8e4m3fnuz", Storage::kInt32, Literal::kBits, 8, true, 9},
    {19, "float8e5m2", Storage::kInt32, Literal::kBits, 8, true, 9},
    {20, "float8e5m2fnuz", Storage::kInt32, Literal::kBits, 8, true, 9},
    {21, "uint4", Storage::kInt32, Literal::kInteger, 4, false, 10},
    {22, "int4", Storage::kInt32, Literal::kInteger, 4, true, 10},
    {23, "float4e2m1", Storage::kInt32, Literal::kBits, 4, true, 11},
    {24, "float8e8m0", Storage::kInt32, Literal::kBits, 8, false, 12},
    {25, "uint2", Storage::kInt32, Literal::kInteger, 2, false, 13},
    {26, "int2", Storage::kInt32, Literal::kInteger, 2, true, 13},
    {27, "float6e2m3", Storage::kInt32, Literal::kBits, 6, true, 14},
    {28, "float6e3m2", Storage::kInt32, Literal::kBits, 6, true, 14},
}};

/// Returns the row of `code`, or null if the schema has no such type. UNDEFINED (0) has no row.
[[nodiscard]] constexpr const ElementType* FindElementType(int code) {
  return code > 0 && code < static_cast<int>(kElementTypes.size()) ? &kElementTypes[code] : nullptr;
}

/// Returns the row of `word`, or null. "undefined" has no row.
[[nodiscard]] constexpr const ElementType* FindElementType(std::string_view word) {
  for (const ElementType& type : kElementTypes) {
    if (type.code != 0 && type.keyword == word) return &type;
  }
  return nullptr;
}

}  // namespace onnxc
