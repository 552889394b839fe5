// Removes declared types that contradict the model.
#pragma once

#include <onnxc/proto.h>

#include "source/names.h"

namespace onnxc::edit {

/// Removes the value_info of these values if it contradicts the inferred types.
void RemoveUntrueTypes(onnx::ModelProto* model, const OwnedNameSet& values);

}  // namespace onnxc::edit
