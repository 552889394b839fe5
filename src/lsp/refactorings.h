// Changes of a text that keep its meaning.
#pragma once

#include <onnxc/diagnostic.h>

#include <string>
#include <string_view>
#include <vector>

#include "lsp/snapshot.h"

namespace onnxc::lsp {

struct Refactoring {
  std::string_view kind;  ///< CodeActionKind
  std::string title;
  std::vector<FixIt> edits;
};

/// Those that are offered where the range is. None where the text has errors of syntax.
[[nodiscard]] std::vector<Refactoring> RefactoringsIn(const Snapshot& snapshot, SourceRange range);

}  // namespace onnxc::lsp
