// The table of attribute types, with one row for each value of AttributeProto.AttributeType.
#pragma once

#include <onnxc/proto.h>

#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

namespace onnxc {

// Rows in the order of the codes:
// ONNXC_ATTRIBUTE_VALUE(enumerator, code in the schema, keyword in texts, field, number of the field, type of its list)
// ONNXC_ATTRIBUTE_LIST(the same arguments, but the last one is the type of the list's members)
#define ONNXC_ATTRIBUTE_TYPES                                                                                       \
  ONNXC_ATTRIBUTE_VALUE(kFloat, FLOAT, "float", f, kFFieldNumber, kFloats)                                          \
  ONNXC_ATTRIBUTE_VALUE(kInt, INT, "int", i, kIFieldNumber, kInts)                                                  \
  ONNXC_ATTRIBUTE_VALUE(kString, STRING, "string", s, kSFieldNumber, kStrings)                                      \
  ONNXC_ATTRIBUTE_VALUE(kTensor, TENSOR, "tensor", t, kTFieldNumber, kTensors)                                      \
  ONNXC_ATTRIBUTE_VALUE(kGraph, GRAPH, "graph", g, kGFieldNumber, kGraphs)                                          \
  ONNXC_ATTRIBUTE_LIST(kFloats, FLOATS, "floats", floats, kFloatsFieldNumber, kFloat)                               \
  ONNXC_ATTRIBUTE_LIST(kInts, INTS, "ints", ints, kIntsFieldNumber, kInt)                                           \
  ONNXC_ATTRIBUTE_LIST(kStrings, STRINGS, "strings", strings, kStringsFieldNumber, kString)                         \
  ONNXC_ATTRIBUTE_LIST(kTensors, TENSORS, "tensors", tensors, kTensorsFieldNumber, kTensor)                         \
  ONNXC_ATTRIBUTE_LIST(kGraphs, GRAPHS, "graphs", graphs, kGraphsFieldNumber, kGraph)                               \
  ONNXC_ATTRIBUTE_VALUE(kSparseTensor, SPARSE_TENSOR, "sparse_tensor", sparse_tensor, kSparseTensorFieldNumber,     \
                        kSparseTensors)                                                                             \
  ONNXC_ATTRIBUTE_LIST(kSparseTensors, SPARSE_TENSORS, "sparse_tensors", sparse_tensors, kSparseTensorsFieldNumber, \
                       kSparseTensor)                                                                               \
  ONNXC_ATTRIBUTE_VALUE(kTypeProto, TYPE_PROTO, "type_proto", tp, kTpFieldNumber, kTypeProtos)                      \
  ONNXC_ATTRIBUTE_LIST(kTypeProtos, TYPE_PROTOS, "type_protos", type_protos, kTypeProtosFieldNumber, kTypeProto)

/// The types as a separate enum. A switch over it has no `default:`, so the compiler reports each place that must
/// handle a new type.
enum class AttributeKind : int {
#define ONNXC_ATTRIBUTE_VALUE(enumerator, code, ...) enumerator = onnx::AttributeProto::code,
#define ONNXC_ATTRIBUTE_LIST ONNXC_ATTRIBUTE_VALUE
  ONNXC_ATTRIBUTE_TYPES
#undef ONNXC_ATTRIBUTE_LIST
#undef ONNXC_ATTRIBUTE_VALUE
};

struct AttributeType {
  int code;                  ///< AttributeProto.AttributeType
  std::string_view keyword;  ///< the word after `name:`
  int field;                 ///< the field of AttributeProto that holds the value
  bool is_list;
  bool is_message;  ///< the value is a single message; if it is absent, there is no default value
  int other;        ///< for a list type: the code of its members' type; otherwise the code of the type for lists of
                    ///< this type

  [[nodiscard]] constexpr AttributeKind kind() const { return static_cast<AttributeKind>(code); }
};

inline constexpr std::array kAttributeTypes = {AttributeType{0, "undefined", 0, false, false, 0},
#define ONNXC_ATTRIBUTE_VALUE(enumerator, code, keyword, field, number, list)                                   \
  AttributeType{onnx::AttributeProto::code,                                                                     \
                keyword,                                                                                        \
                onnx::AttributeProto::number,                                                                   \
                false,                                                                                          \
                std::is_base_of_v<google::protobuf::MessageLite,                                                \
                                  std::remove_cvref_t<decltype(std::declval<onnx::AttributeProto>().field())>>, \
                static_cast<int>(AttributeKind::list)},
#define ONNXC_ATTRIBUTE_LIST(enumerator, code, keyword, field, number, member) \
  AttributeType{onnx::AttributeProto::code,                                    \
                keyword,                                                       \
                onnx::AttributeProto::number,                                  \
                true,                                                          \
                false,                                                         \
                static_cast<int>(AttributeKind::member)},
                                               ONNXC_ATTRIBUTE_TYPES
#undef ONNXC_ATTRIBUTE_LIST
#undef ONNXC_ATTRIBUTE_VALUE
};
static_assert([] {
  for (std::size_t i = 0; i < kAttributeTypes.size(); ++i) {
    if (kAttributeTypes[i].code != static_cast<int>(i)) return false;
  }
  return true;
}());

/// Returns the row of `code`, or null. UNDEFINED (0) has no row.
[[nodiscard]] constexpr const AttributeType* FindAttributeType(int code) {
  return code > 0 && code < static_cast<int>(kAttributeTypes.size()) ? &kAttributeTypes[static_cast<std::size_t>(code)]
                                                                     : nullptr;
}

/// For each length, the codes of the keywords with this length, followed by 0, so that a lookup compares only a few
/// keywords.
inline constexpr auto kAttributeTypesByLength = [] {
  constexpr std::size_t kLongest = 14;
  constexpr std::size_t kMost = 4;
  std::array<std::array<int, kMost + 1>, kLongest + 1> codes{};
  for (const AttributeType& type : kAttributeTypes) {
    std::size_t i = 0;
    while (codes[type.keyword.size()][i] != 0) ++i;
    codes[type.keyword.size()][i] = type.code;
  }
  return codes;
}();

/// Returns the row of `word`, or null. "undefined" has no row.
[[nodiscard]] constexpr const AttributeType* FindAttributeType(std::string_view word) {
  if (word.size() >= kAttributeTypesByLength.size()) return nullptr;
  for (const int* code = kAttributeTypesByLength[word.size()].data(); *code != 0; ++code) {
    const AttributeType& type = kAttributeTypes[static_cast<std::size_t>(*code)];
    if (type.keyword == word) return &type;
  }
  return nullptr;
}

/// Calls `visit` with the field that holds a value of this type: a number, a string, a message, or a list of these.
template <typename Visit>
void VisitValue(const onnx::AttributeProto& attribute, AttributeKind kind, const Visit& visit) {
  switch (kind) {
#define ONNXC_ATTRIBUTE_VALUE(enumerator, code, keyword, field, ...) \
  case AttributeKind::enumerator:                                    \
    return visit(attribute.field());
#define ONNXC_ATTRIBUTE_LIST ONNXC_ATTRIBUTE_VALUE
    ONNXC_ATTRIBUTE_TYPES
#undef ONNXC_ATTRIBUTE_LIST
#undef ONNXC_ATTRIBUTE_VALUE
  }
}

/// Returns whether the attribute has a value of this type.
[[nodiscard]] inline bool HasValue(const onnx::AttributeProto& attribute, const AttributeType& type) {
  switch (type.kind()) {
#define ONNXC_ATTRIBUTE_VALUE(enumerator, code, keyword, field, ...) \
  case AttributeKind::enumerator:                                    \
    return attribute.has_##field();
#define ONNXC_ATTRIBUTE_LIST(enumerator, code, keyword, field, ...) \
  case AttributeKind::enumerator: return !attribute.field().empty();
    ONNXC_ATTRIBUTE_TYPES
#undef ONNXC_ATTRIBUTE_LIST
#undef ONNXC_ATTRIBUTE_VALUE
  }
  return false;
}

/// Returns how many fields of the attribute hold a value.
[[nodiscard]] inline int CountValues(const onnx::AttributeProto& attribute) {
  int values = 0;
#define ONNXC_ATTRIBUTE_VALUE(enumerator, code, keyword, field, ...) values += int{attribute.has_##field()};
#define ONNXC_ATTRIBUTE_LIST(enumerator, code, keyword, field, ...) values += int{!attribute.field().empty()};
  ONNXC_ATTRIBUTE_TYPES
#undef ONNXC_ATTRIBUTE_LIST
#undef ONNXC_ATTRIBUTE_VALUE
  return values;
}

/// Returns the type of the first value that is present, or null.
[[nodiscard]] inline const AttributeType* TypeOfValue(const onnx::AttributeProto& attribute) {
  for (const AttributeType& type : kAttributeTypes) {
    if (HasValue(attribute, type)) return &type;
  }
  return nullptr;
}

/// Combines several functions into one overloaded function, for VisitValue().
template <typename... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <typename... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

}  // namespace onnxc
