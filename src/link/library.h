// Reading files of functions.
#pragma once

#include <onnxc/linker.h>

#include <string>

namespace onnxc {

/// Reads the functions of `library->source`, in any format. A source without functions is an error.
[[nodiscard]] Diagnostics ReadFunctions(ParseOptions parse, LinkInput* library);

/// The same for a file.
[[nodiscard]] Diagnostics ReadLibrary(const std::string& path, ParseOptions parse, LinkInput* library);

/// The same for a file at a relative path without problems, of settings that a stranger may have written: what links
/// lead to is read only if it is in the folder, too.
[[nodiscard]] Diagnostics ReadLibraryIn(const std::string& folder, const std::string& path, ParseOptions parse,
                                        LinkInput* library);

/// Whether the model calls what neither its own functions nor the operators of ONNX define.
[[nodiscard]] bool CallsOthers(const onnx::ModelProto& model);

}  // namespace onnxc
