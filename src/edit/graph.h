// The requirements of the functions that change the graph of a model.
#pragma once

#include "source/report.h"
#include "wire/nesting.h"

namespace onnxc::edit {

/// Returns an error if the model has no graph that can be changed: it is a library, or messages are nested too deeply.
[[nodiscard]] inline Diagnostics CheckGraph(const onnx::ModelProto& model) {
  if (model.has_graph()) return wire::CheckNesting(model);
  const bool is_library = !model.functions().empty();
  return Only(
      MakeDiagnostic(DiagnosticKind::kNotTheKind, Severity::kError, kNowhere,
                     is_library ? "this is a library of functions, which has no graph" : "the model has no graph"));
}

}  // namespace onnxc::edit
