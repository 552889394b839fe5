// Reads files of functions.
#pragma once

#include <onnxc/linker.h>

#include <string>

namespace onnxc {

/// Reads the functions of `library->source`, in any format. A source without functions is an error.
[[nodiscard]] Diagnostics ReadFunctions(ParseOptions parse, LinkInput* library);

/// Like ReadFunctions(), for a file.
[[nodiscard]] Diagnostics ReadLibrary(const std::string& path, ParseOptions parse, LinkInput* library);

/// Like ReadLibrary(), for a file that settings name, which a stranger may have written. `path` must be a relative path
/// without problems. Links are followed only if they stay inside of the folder.
[[nodiscard]] Diagnostics ReadLibraryIn(const std::string& folder, const std::string& path, ParseOptions parse,
                                        LinkInput* library);

/// Returns whether the model calls something that neither its own functions nor the operators of ONNX define.
[[nodiscard]] bool CallsOthers(const onnx::ModelProto& model);

}  // namespace onnxc
