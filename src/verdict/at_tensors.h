// Where the tensors of findings stand in a text.
#pragma once

#include <onnxc/diagnostic.h>
#include <onnxc/kind.h>
#include <onnxc/model_io.h>

#include <string>

namespace onnxc::verdict {

/// The findings; those that tell the path of a tensor have its place in the text instead, where the source is one.
/// Moving weights changes the message, so that its own map of places may be of no use by then: the text is read again,
/// where there is such a finding. `path` is its file.
[[nodiscard]] Diagnostics AtTensors(Diagnostics found, const SourceText& source, const std::string& path, Kind kind,
                                    const ParseOptions& options);

}  // namespace onnxc::verdict
