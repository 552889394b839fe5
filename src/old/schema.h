// The schemas that ONNX had before today's: which of them a file is in.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace onnxc::old {

enum class Schema {
  kOnnx01,  ///< September 2017: a file is a graph
  kOnnx02,  ///< October 2017: IR version 1
  kTorch,   ///< PyTorch's fork of 2018: package torch
};

struct SchemaRow {
  Schema schema;
  std::string_view word;  ///< as on the command line
  std::string_view what;
};

inline constexpr std::array<SchemaRow, 3> kSchemas = {{
    {Schema::kOnnx01, "onnx-0.1", "a graph of onnx 0.1 (September 2017)"},
    {Schema::kOnnx02, "onnx-0.2", "a model of onnx 0.2 (October 2017)"},
    {Schema::kTorch, "torch", "a model of PyTorch's 2018 schema"},
}};

/// The fork marks its versions of the IR with 0x100.
[[nodiscard]] constexpr bool IsVersionOfTorch(std::int64_t version) { return (version & ~std::int64_t{0xFF}) == 0x100; }

/// The schema that these bytes, or this text in protobuf's text format, are in for sure, where that is not today's. A
/// model of onnx 0.2 is a model of today but for sparse types, which only its bytes have elsewhere.
[[nodiscard]] std::optional<Schema> FindSchema(std::string_view bytes);

/// The same for protobuf's text format alone.
[[nodiscard]] std::optional<Schema> FindSchemaOfText(std::string_view text);

}  // namespace onnxc::old
