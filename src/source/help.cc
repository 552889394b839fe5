#include "source/help.h"

#include <fmt/format.h>

namespace onnxc {

std::string HelpAddress(DiagnosticKind kind) { return fmt::format("{}/explain/{}.md", ONNXC_DOCS_URL, Name(kind)); }

}  // namespace onnxc
