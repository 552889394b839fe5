#include "lsp/reading.h"

#include <utility>

namespace onnxc::lsp {

void Reading::Link(std::shared_ptr<const Libraries> libraries) {
  if (!parsed_.diagnostics.ok() || !CallsOthers(*parsed_.model)) return;
  libraries_ = std::move(libraries);
  link_errors_.Append(libraries_->problems);
  const SourceText named(libraries_->NameOf(source_.name()), source_.text(), nullptr);
  LinkedParts linked;
  for (SourceFindings& found :
       onnxc::Link(parsed_.model, named, parsed_.places, libraries_->inputs, Adding::kReferences, &linked)) {
    if (found.source.name() == named.name()) {
      link_errors_.Append(std::move(found.diagnostics));
      continue;
    }
    for (const Diagnostic& finding : found.diagnostics.items()) link_errors_.Add(FoundElsewhere(finding, found.source));
  }
  linked_files_.Add(linked, libraries_->places, &parsed_.places);
}

}  // namespace onnxc::lsp
