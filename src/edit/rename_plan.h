// New names for what a text names: the edits, or why there are none. For the command and the language server alike.
#pragma once

#include <onnxc/diagnostic.h>
#include <onnxc/symbols.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace onnxc::edit {

/// A symbol gets a name.
struct NewName {
  SymbolId symbol = kNoSymbol;
  std::string name;
};

/// Why there is a name that cannot be given, and the place that tells it.
struct Refusal {
  std::string old_name;
  std::string new_name;
  std::string why;
  SourceRange range = {};
};

struct RenamePlan {
  std::vector<FixIt> edits;
  std::optional<Refusal> refusal;  ///< there are no edits then
};

/// A name as a string of the text.
[[nodiscard]] std::string InQuotes(std::string_view name);

/// Gives all of them their names at once. `others` are edits of names that are no symbols, such as those of nodes. It
/// is refused where a value would take the uses of another one, where two functions, attributes, dimensions or domains
/// would become one, and where a record of the text names a symbol: the index does not know these. The text must have
/// no errors. Time and memory are linear in the text.
[[nodiscard]] RenamePlan PlanRename(std::string_view text, const SymbolIndex& symbols,
                                    std::span<const NewName> new_names, std::vector<FixIt> others = {});

}  // namespace onnxc::edit
