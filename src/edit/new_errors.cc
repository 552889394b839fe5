#include "edit/new_errors.h"

#include <fmt/format.h>
#include <onnxc/checker.h>
#include <onnxc/diagnostic_kinds.h>

#include <cstddef>
#include <limits>
#include <utility>

namespace onnxc::edit {

ErrorsBefore::ErrorsBefore(const onnx::ModelProto& model, const SourceMap* places) : places_(places) {
  const Diagnostics errors = ErrorsOf(model);
  for (const Diagnostic& error : errors.items()) ++counts_[error.kind];
}

Diagnostics ErrorsBefore::NewIn(const onnx::ModelProto& model, std::string_view what) {
  Diagnostics found;
  const Diagnostics errors = ErrorsOf(model);
  for (const Diagnostic& error : errors.items()) {
    if (error.kind == DiagnosticKind::kExternalElided || counts_[error.kind]-- > 0) continue;
    Diagnostic diagnostic = error;
    diagnostic.message = fmt::format("{}: {}", what, error.message);
    diagnostic.fix_its.clear();
    found.Add(std::move(diagnostic));
  }
  found.Finish(CheckOptions().max_diagnostics);
  return found;
}

Diagnostics ErrorsBefore::ErrorsOf(const onnx::ModelProto& model) const {
  return CheckModel(model, {.source_map = places_,
                            .max_diagnostics = std::numeric_limits<std::size_t>::max(),
                            .external_files = false})
      .ErrorsOnly();
}

}  // namespace onnxc::edit
