// The colours of a text.
#pragma once

#include <cstdint>
#include <vector>

#include "lsp/snapshot.h"

namespace onnxc::lsp {

/// The legend: token types and modifiers, as the protocol names them.
[[nodiscard]] Json SemanticLegend();

/// Five numbers for each token that begins in the range, as the protocol encodes them.
[[nodiscard]] std::vector<std::uint32_t> SemanticTokensIn(const Snapshot& snapshot, SourceRange range);

}  // namespace onnxc::lsp
