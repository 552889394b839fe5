// The documentation of the kinds of findings.
#pragma once

#include <onnxc/diagnostic.h>

#include <string>

namespace onnxc {

/// Returns the address of the page about a kind of finding.
[[nodiscard]] std::string HelpAddress(DiagnosticKind kind);

}  // namespace onnxc
