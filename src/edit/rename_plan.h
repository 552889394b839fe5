// Plans the edits that rename symbols of a text, or finds the reason why they cannot be renamed. The command and the
// language server use it.
#pragma once

#include <onnxc/diagnostic.h>
#include <onnxc/symbols.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "source/report.h"

namespace onnxc::edit {

/// The new name of a symbol.
struct NewName {
  SymbolId symbol = kNoSymbol;
  std::string name;
};

/// The reason why a symbol cannot be renamed, and the place that shows it.
struct Refusal {
  std::string old_name;
  std::string new_name;
  std::string why;
  SourceRange range = {};
  DiagnosticKind kind = DiagnosticKind::kDuplicateName;
};

struct RenamePlan {
  std::vector<FixIt> edits;
  std::optional<Refusal> refusal;  ///< if set, there are no edits
};

/// Returns the name as a string literal of the text.
[[nodiscard]] std::string InQuotes(std::string_view name);

/// Renames all symbols at once. `others` are edits of names that are not symbols, such as the names of nodes. The
/// renaming is refused if a node would then read a different value; if two functions, attributes, dimensions or domains
/// would get the same name; or if a record, which is not in the index, refers to a symbol. The text must not have
/// errors. Time and memory are linear in the text.
[[nodiscard]] RenamePlan PlanRename(std::string_view text, const SymbolIndex& symbols,
                                    std::span<const NewName> new_names, std::vector<FixIt> others = {});

}  // namespace onnxc::edit
