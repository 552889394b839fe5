// For findings about tensors: finds the places of these tensors in the text.
#pragma once

#include <onnxc/diagnostic.h>
#include <onnxc/kind.h>
#include <onnxc/model_io.h>

#include <string>

namespace onnxc::verdict {

/// Returns the findings. If the source is a text, the path of a tensor in a finding is replaced by its place in the
/// text. Moving weights changes the message, which may invalidate its source map, so the text is parsed again if there
/// is such a finding. `path` is the file of the text.
[[nodiscard]] Diagnostics AtTensors(Diagnostics found, const SourceText& source, const std::string& path, Kind kind,
                                    const ParseOptions& options);

}  // namespace onnxc::verdict
