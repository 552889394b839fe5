// Makes other values the outputs of a model.
#pragma once

#include <onnxc/set.h>

namespace onnxc::edit {

/// Removes and adds the outputs that the options name. Time and memory are linear in the model.
[[nodiscard]] Diagnostics SetOutputs(onnx::ModelProto* model, const SetOptions& options);

}  // namespace onnxc::edit
