// Converts models of old schemas to the current schema.
#pragma once

#include <onnxc/diagnostic.h>
#include <onnxc/model_io.h>

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "old/schema.h"

namespace onnxc::old {

struct ConvertOptions {
  /// Leave out what cannot be kept, with a warning that names it, instead of failing.
  bool allow_loss = false;
  /// The types of inputs, which graphs of onnx 0.1 do not contain.
  std::map<std::string, onnx::TypeProto, std::less<>> input_types = {};
  std::size_t max_diagnostics = ParseOptions().max_diagnostics;
};

/// Reads a model in an old schema, from bytes in protobuf's wire format or in its text format. Each finding names the
/// element of the old model. If the result is not ok(), the model is empty.
[[nodiscard]] Diagnostics Convert(std::string_view bytes, Schema schema, const ConvertOptions& options,
                                  onnx::ModelProto* model);

/// Upgrades a model of IR version 1 or 2 to version 3: attributes get the type of their value, and version 1 of the
/// operators is imported. Other models are unchanged.
[[nodiscard]] Diagnostics Upgrade(onnx::ModelProto* model);

}  // namespace onnxc::old
