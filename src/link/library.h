// Reads files of functions.
#pragma once

#include <onnxc/linker.h>

#include <string>

namespace onnxc {

/// Reads the functions of `library->source`, in any format. A source without functions is an error.
[[nodiscard]] Diagnostics ReadFunctions(ParseOptions parse, LinkInput* library);

/// Like ReadFunctions(), for a file.
[[nodiscard]] Diagnostics ReadLibrary(const std::string& path, ParseOptions parse, LinkInput* library);

/// Like ReadLibrary(), for a file that a settings file names. The settings may be untrusted, so links are followed only
/// inside of the folder. `path` must be a path that LocationProblem() accepts.
[[nodiscard]] Diagnostics ReadLibraryIn(const std::string& folder, const std::string& path, ParseOptions parse,
                                        LinkInput* library);

/// Returns whether the model calls something that neither its own functions nor the operators of ONNX define.
[[nodiscard]] bool CallsOthers(const onnx::ModelProto& model);

}  // namespace onnxc
