// Finds the name at the position of a request.
#pragma once

#include "lsp/view.h"

namespace onnxc::lsp {

/// The document of a request, the offset of the position in the analysed text, and the name at that offset.
struct Target {
  View view;
  std::size_t offset = 0;
  const Occurrence* occurrence = nullptr;  ///< null if there is no name
  SymbolId symbol_id = kNoSymbol;
  const Symbol* symbol = nullptr;
};
/// Returns the target of a request. If the current text is not analysed yet, an older analysed version is used, unless
/// the name at the position or its definition has changed since.
[[nodiscard]] Target TargetOf(const Workspace& workspace, const Json& params);
/// Like TargetOf(), but always waits for the analysis of the current text. Use it for requests that change the text or
/// list places in it.
[[nodiscard]] Target CurrentTargetOf(const Workspace& workspace, const Json& params);

/// Returns a range of a text as a Location of the protocol.
[[nodiscard]] Json LocationOf(SourceRange range, const Snapshot& snapshot);

}  // namespace onnxc::lsp
