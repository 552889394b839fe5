// What warnings call unused, taken out of the text.
#pragma once

#include <onnxc/diagnostic.h>

#include <string>
#include <vector>

#include "lsp/snapshot.h"

namespace onnxc::lsp {

/// Removes what the finding names: an import, an initializer, a function, a node whose results nothing uses, the type
/// of a value that there is not or that is told twice, an attribute that a function lacks. Empty if the finding names
/// nothing to remove, or if a comment would be lost.
[[nodiscard]] std::vector<FixIt> RemovalOf(const Diagnostic& finding, const Snapshot& snapshot);

/// The text without all that is unused, and without what is unused after that.
[[nodiscard]] std::string WithoutUnused(const Snapshot& snapshot);

/// A changed text without the imports that are unused in it and were used before.
[[nodiscard]] std::string WithoutNewUnusedImports(const Snapshot& changed, const Snapshot& before);

}  // namespace onnxc::lsp
