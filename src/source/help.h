// The documentation of the kinds of findings.
#pragma once

#include <onnxc/diagnostic.h>

#include <string>
#include <string_view>

namespace onnxc {

/// Returns the address of the page about a kind of finding; "" for the findings of other programs, and if the documents
/// are not published.
[[nodiscard]] std::string HelpAddress(DiagnosticKind kind);

/// Like the function above, with the address of the documents.
[[nodiscard]] std::string HelpAddress(DiagnosticKind kind, std::string_view documents);

}  // namespace onnxc
