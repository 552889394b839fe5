// Finds functions that one text defines and other texts call.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "lsp/target.h"

namespace onnxc::lsp {

/// A function, and the text that defines it.
struct DefinedFunction {
  std::shared_ptr<const Snapshot> text = nullptr;
  SymbolId scope = kNoSymbol;  ///< the function's scope; kNoSymbol if no function was found

  [[nodiscard]] bool IsKnown() const { return scope != kNoSymbol; }
};

/// Returns the libraries that the settings of this text name. For a library that is open in the editor, the editor's
/// text is used.
[[nodiscard]] std::vector<std::shared_ptr<const Snapshot>> LibrariesOf(const Workspace& workspace,
                                                                       const Snapshot& text);

/// Returns the library function that a call in the text refers to. IsKnown() is false if there is none.
[[nodiscard]] DefinedFunction FindInLibraries(const Workspace& workspace, const Snapshot& text, std::string_view domain,
                                              std::string_view name, std::string_view overload);

/// Returns the function that is defined or called at the target. The function's definition may be in the text of the
/// target or in a library of this text.
[[nodiscard]] DefinedFunction FunctionOf(const Workspace& workspace, const Target& target);

/// The name of a called function, at its place in a text.
struct Call {
  std::shared_ptr<const Snapshot> text;
  SourceRange range;
};
/// The texts that may call a function of another text, and its calls there.
struct Callers {
  /// The texts that use the function's text as a library and contain the function's name. They are open or in the
  /// folders of the workspace.
  Workspace::Texts texts = {};
  std::vector<Call> calls = {};  ///< without calls in records, which are not in the symbol index
};
[[nodiscard]] Callers CallersOf(Workspace& workspace, const DefinedFunction& function);

/// Returns whether the text may contain the name. The result is true for each text with a backslash, because an escape
/// can spell any letter.
[[nodiscard]] bool MayHold(std::string_view text, std::string_view name);

}  // namespace onnxc::lsp
