// Functions that one text defines and others call.
#pragma once

#include <memory>
#include <vector>

#include "lsp/target.h"

namespace onnxc::lsp {

/// A function in the text that defines it.
struct DefinedFunction {
  std::shared_ptr<const Snapshot> text = nullptr;
  SymbolId scope = kNoSymbol;  ///< kNoSymbol: there is none

  [[nodiscard]] bool IsKnown() const { return scope != kNoSymbol; }
};

/// The texts that are libraries of this one: as the editor has them, where they are open.
[[nodiscard]] std::vector<std::shared_ptr<const Snapshot>> LibrariesOf(const Workspace& workspace,
                                                                       const Snapshot& text);

/// The function of a library that a call in the text means.
[[nodiscard]] DefinedFunction FindInLibraries(const Workspace& workspace, const Snapshot& text, std::string_view domain,
                                              std::string_view name, std::string_view overload);

/// The function that is defined or called there: of the text itself, or of a library.
[[nodiscard]] DefinedFunction FunctionOf(const Workspace& workspace, const Target& target);

/// A name in a text.
struct Call {
  std::shared_ptr<const Snapshot> text;
  SourceRange range;
};
/// The calls of a function in other texts, open ones and those of the workspace's folders, whose library its text is.
[[nodiscard]] std::vector<Call> CallsElsewhere(Workspace& workspace, const DefinedFunction& function);

}  // namespace onnxc::lsp
