// Changes a model like the commands extract, inline, remove, rename, set, sort and strip.
#pragma once

#include <string_view>

#include "service.h"

namespace onnxc::python {

/// Returns the bytes of the changed model. `request` is a JSON object. Its member `verb` is "extract",
/// "inline_functions", "remove_nodes", "rename", "set_model", "sort_nodes", "strip" or "strip_weights"; its other
/// members are the arguments from python/onnxc/editing.py.
[[nodiscard]] Answer Edit(const Input& input, std::string_view request);

}  // namespace onnxc::python
