// Changes of a text that keep its meaning.
#pragma once

#include <onnxc/diagnostic.h>

#include <string>
#include <string_view>
#include <vector>

#include "lsp/snapshot.h"

namespace onnxc::lsp {

struct Refactoring {
  std::string_view kind;  ///< CodeActionKind of the protocol
  std::string title;
  std::vector<FixIt> edits;
};

/// Returns the refactorings that are possible at the range. Returns none if the text has syntax errors.
[[nodiscard]] std::vector<Refactoring> RefactoringsIn(const Snapshot& snapshot, SourceRange range);

}  // namespace onnxc::lsp
