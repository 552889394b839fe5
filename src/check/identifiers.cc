// The optional rules of the specification that names must be C identifiers.
#include <array>

#include "check/context.h"
#include "syntax/spelling.h"

namespace onnxc::check {

void CheckIdentifier(Named what, std::string_view name, const Spot& spot, Run& run) {
  if (!run.options.optional_rules || name.empty() || syntax::IsIdentifier(name)) return;
  constexpr std::array<std::string_view, 5> kWords = {"graph", "node", "value", "attribute", "operator"};
  run.findings.Report(diag::kCIdentifier, spot, kWords[static_cast<std::size_t>(what)], Quoted(name));
}

}  // namespace onnxc::check
