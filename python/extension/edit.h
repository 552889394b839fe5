// Changes of a model, as the commands extract, rename and set make them.
#pragma once

#include <string_view>

#include "service.h"

namespace onnxc::python {

/// A model to the bytes of the changed model. `request` is a JSON object: its `verb` is "extract", "rename",
/// "set_model" or "strip_weights", and the others are the arguments that python/onnxc/editing.py gives.
[[nodiscard]] Answer Edit(const Input& input, std::string_view request);

}  // namespace onnxc::python
