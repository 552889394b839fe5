// Gives findings about tensors the places of these tensors in the text.
#pragma once

#include <onnxc/diagnostic.h>
#include <onnxc/kind.h>
#include <onnxc/model_io.h>

#include <string>

namespace onnxc::verdict {

/// Returns the findings. If the source is a text, each path of a tensor in a finding is replaced by the tensor's place
/// in the text. If there is such a path, the text is parsed again, because moving weights may have invalidated the
/// source map of the message. `path` is the file of the text.
[[nodiscard]] Diagnostics AtTensors(Diagnostics found, const SourceText& source, const std::string& path, Kind kind,
                                    const ParseOptions& options);

}  // namespace onnxc::verdict
