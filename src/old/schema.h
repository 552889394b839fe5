// Detects the old schemas of ONNX.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace onnxc::old {

enum class Schema {
  kOnnx01,  ///< September 2017: a file contains a graph
  kOnnx02,  ///< October 2017: IR version 1
  kTorch,   ///< PyTorch's fork of 2018: package torch
};

struct SchemaRow {
  Schema schema;
  std::string_view word;  ///< the word on the command line
  std::string_view what;
};

inline constexpr std::array<SchemaRow, 3> kSchemas = {{
    {Schema::kOnnx01, "onnx-0.1", "a graph of onnx 0.1 (September 2017)"},
    {Schema::kOnnx02, "onnx-0.2", "a model of onnx 0.2 (October 2017)"},
    {Schema::kTorch, "torch", "a model of PyTorch's 2018 schema"},
}};

/// Returns whether the IR version is one of PyTorch's fork, which adds 0x100 to its IR versions.
[[nodiscard]] constexpr bool IsVersionOfTorch(std::int64_t version) { return (version & ~std::int64_t{0xFF}) == 0x100; }

/// Returns the old schema in which `bytes` (a binary, or protobuf's text format) were certainly written, or nothing if
/// they may be in the current schema. A model of onnx 0.2 is also valid in the current schema unless it has sparse
/// types, and their encoding differs only in binary files.
[[nodiscard]] std::optional<Schema> FindSchema(std::string_view bytes);

/// Like FindSchema(), only for protobuf's text format.
[[nodiscard]] std::optional<Schema> FindSchemaOfText(std::string_view text);

}  // namespace onnxc::old
