// The rules of the ONNX IR and of the operators' signatures.
#pragma once

#include <onnxc/diagnostic.h>
#include <onnxc/parser.h>
#include <onnxc/proto.h>

#include <cstddef>
#include <stdexcept>
#include <string>

namespace onnxc {

struct CheckOptions {
  /// Of the text that the message was parsed from: findings are then blamed on ranges of the text. Without it they carry
  /// a path such as `graph.node[12] "conv1".attribute["pads"]`.
  const SourceMap* source_map = nullptr;
  /// Warnings count as errors.
  bool strict = false;
  /// Findings reported in one run; the rest are counted.
  std::size_t max_diagnostics = 100;
};

/// All findings about a model, in its order. Any message is safe as input.
[[nodiscard]] Diagnostics CheckModel(const onnx::ModelProto& model, const CheckOptions& options = {});

}  // namespace onnxc
