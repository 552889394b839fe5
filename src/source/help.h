// Where the kinds of findings are explained.
#pragma once

#include <onnxc/diagnostic.h>

#include <string>

namespace onnxc {

/// The address of the page about a kind of finding.
[[nodiscard]] std::string HelpAddress(DiagnosticKind kind);

}  // namespace onnxc
