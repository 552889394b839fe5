// From protobuf to the ONNX text syntax.
#pragma once

#include <onnxc/diagnostic.h>
#include <onnxc/proto.h>

#include <ostream>
#include <string>

namespace onnxc {

struct PrintOptions {
  /// Leave out what the dialect cannot carry, each with a warning, instead of failing.
  bool allow_loss = false;
  /// Findings reported in one run; the rest are counted.
  std::size_t max_diagnostics = 100;
};

struct [[nodiscard]] PrintResult {
  std::string text;         ///< empty when !diagnostics.ok()
  Diagnostics diagnostics;  ///< each field that cannot be carried, with its path
};

/// Prints in the reference dialect: the bytes of the reference printer wherever the reference reads them back with the
/// same meaning, otherwise the nearest text that it reads. Never text that does not parse.
[[nodiscard]] PrintResult Print(const onnx::ModelProto& message, const PrintOptions& options = {});
[[nodiscard]] PrintResult Print(const onnx::GraphProto& message, const PrintOptions& options = {});
[[nodiscard]] PrintResult Print(const onnx::FunctionProto& message, const PrintOptions& options = {});
[[nodiscard]] PrintResult Print(const onnx::NodeProto& message, const PrintOptions& options = {});
[[nodiscard]] PrintResult Print(const onnx::AttributeProto& message, const PrintOptions& options = {});
[[nodiscard]] PrintResult Print(const onnx::TypeProto& message, const PrintOptions& options = {});
[[nodiscard]] PrintResult Print(const onnx::TensorProto& message, const PrintOptions& options = {});
[[nodiscard]] PrintResult Print(const onnx::TensorShapeProto& message, const PrintOptions& options = {});

/// The text of a message, with losses left out: the function that users of the reference know.
template <typename Proto>
[[nodiscard]] std::string ProtoToString(const Proto& proto) {
  return Print(proto, {.allow_loss = true}).text;
}

}  // namespace onnxc
