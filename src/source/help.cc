#include "source/help.h"

#include <fmt/format.h>

namespace onnxc {

std::string HelpAddress(DiagnosticKind kind, std::string_view documents) {
  if (kind == kUserFinding || documents.empty()) return "";
  return fmt::format("{}/explain/{}.md", documents, Name(kind));
}

std::string HelpAddress(DiagnosticKind kind) { return HelpAddress(kind, ONNXC_DOCS_URL); }

}  // namespace onnxc
