// Models of old schemas to models of today.
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
  /// What cannot be kept is left out, with a warning that names it, instead of an error.
  bool allow_loss = false;
  /// The types of inputs, which graphs of onnx 0.1 do not tell.
  std::map<std::string, onnx::TypeProto, std::less<>> input_types = {};
  std::size_t max_diagnostics = ParseOptions().max_diagnostics;
};

/// Reads a model in an old schema, from bytes in protobuf's wire format or in its text format. Each finding names the
/// element of the old model. When the result is not ok(), the model is left empty.
[[nodiscard]] Diagnostics Convert(std::string_view bytes, Schema schema, const ConvertOptions& options,
                                  onnx::ModelProto* model);

/// Makes a model of IR version 1 or 2 one of version 3: attributes get the type of the value that they have, and
/// version 1 of the operators is imported. Other models stay as they are.
[[nodiscard]] Diagnostics Upgrade(onnx::ModelProto* model);

}  // namespace onnxc::old
