// The table of header keys: the words that may stand in the `<...>` before a model or a function, in printing order.
#pragma once

#include <array>
#include <string_view>

namespace onnxc {

/// What follows a key: `7`, `"text"`, `["" : 17]` or `["key": "value"]`.
enum class HeaderValue { kInteger, kString, kOpsets, kStrings };

struct HeaderKey {
  std::string_view word;
  HeaderValue value;
  int model_field;     ///< field number in ModelProto, 0 where models have no such key
  int function_field;  ///< field number in FunctionProto, 0 where functions have no such key
};

inline constexpr std::array<HeaderKey, 9> kHeaderKeys = {{
    {"ir_version", HeaderValue::kInteger, 1, 0},
    {"opset_import", HeaderValue::kOpsets, 8, 9},
    {"producer_name", HeaderValue::kString, 2, 0},
    {"producer_version", HeaderValue::kString, 3, 0},
    {"domain", HeaderValue::kString, 4, 10},
    {"model_version", HeaderValue::kInteger, 5, 0},
    {"doc_string", HeaderValue::kString, 6, 8},
    {"metadata_props", HeaderValue::kStrings, 14, 0},
    {"overload", HeaderValue::kString, 0, 13},
}};

[[nodiscard]] constexpr const HeaderKey* FindHeaderKey(std::string_view word) {
  for (const HeaderKey& key : kHeaderKeys) {
    if (key.word == word) return &key;
  }
  return nullptr;
}

}  // namespace onnxc
