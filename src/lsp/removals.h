// Removes the parts of a text that warnings report as unused.
#pragma once

#include <onnxc/diagnostic.h>

#include <string>
#include <vector>

#include "lsp/snapshot.h"

namespace onnxc::lsp {

/// Returns edits that remove the part of the text that the finding reports: an unused import, initializer, function or
/// node; a type declaration of a value that does not exist or that has two type declarations; an attribute that the
/// called function does not have. Returns no edits if the finding reports nothing that can be removed, or if a comment
/// would be lost.
[[nodiscard]] std::vector<FixIt> RemovalOf(const Diagnostic& finding, const Snapshot& snapshot);

/// Returns the text without unused parts. Parts that become unused when other parts are removed are removed, too.
[[nodiscard]] std::string WithoutUnused(const Snapshot& snapshot);

/// Returns the text of `changed` without the imports that are unused in `changed` but used in `before`.
[[nodiscard]] std::string WithoutNewUnusedImports(const Snapshot& changed, const Snapshot& before);

}  // namespace onnxc::lsp
