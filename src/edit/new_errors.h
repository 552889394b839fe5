// Finds the errors that a change brings into a model.
#pragma once

#include <onnxc/diagnostic.h>
#include <onnxc/proto.h>
#include <onnxc/source_map.h>

#include <map>
#include <string_view>

namespace onnxc::edit {

/// The errors of a model before it changes. `places` may be null.
class ErrorsBefore {
 public:
  ErrorsBefore(const onnx::ModelProto& model, const SourceMap* places);

  /// Returns the errors that the changed model has in addition. `what` begins their messages: "the result is wrong".
  [[nodiscard]] Diagnostics NewIn(const onnx::ModelProto& model, std::string_view what);

 private:
  [[nodiscard]] Diagnostics ErrorsOf(const onnx::ModelProto& model) const;

  const SourceMap* places_;
  std::map<DiagnosticKind, int> counts_;
};

}  // namespace onnxc::edit
