// What a request with a position is about.
#pragma once

#include "lsp/view.h"

namespace onnxc::lsp {

/// The document of a request, the offset of its position in the text that was analysed, and the name that stands there.
struct Target {
  View view;
  std::size_t offset = 0;
  const Occurrence* occurrence = nullptr;  ///< null where there is no name
  SymbolId symbol_id = kNoSymbol;
  const Symbol* symbol = nullptr;
};
/// Does not wait for the analysis of the current text where an older version was analysed that has the same name in the
/// same place, and the same definition.
[[nodiscard]] Target TargetOf(const Workspace& workspace, const Json& params);
/// The same for requests that change the text or list places in it: the current text is analysed.
[[nodiscard]] Target CurrentTargetOf(const Workspace& workspace, const Json& params);

/// The Location of a range of a text.
[[nodiscard]] Json LocationOf(SourceRange range, const Snapshot& snapshot);

}  // namespace onnxc::lsp
