// What a request with a position is about.
#pragma once

#include <memory>

#include "lsp/workspace.h"

namespace onnxc::lsp {

/// The document of a request, the offset of its position, and the name that stands there.
struct Target {
  std::shared_ptr<const Snapshot> snapshot;
  std::size_t offset = 0;
  const Occurrence* occurrence = nullptr;  ///< null where there is no name
  SymbolId symbol_id = kNoSymbol;
  const Symbol* symbol = nullptr;
};
[[nodiscard]] Target TargetOf(const Workspace& workspace, const Json& params);

/// A Location in the document.
[[nodiscard]] Json LocationOf(SourceRange range, const Snapshot& snapshot);

}  // namespace onnxc::lsp
