// The semantic tokens of a text, which editors show as colours.
#pragma once

#include <cstdint>
#include <vector>

#include "lsp/snapshot.h"

namespace onnxc::lsp {

/// Returns the legend: the token types and modifiers with the names of the protocol.
[[nodiscard]] Json SemanticLegend();

/// Returns the tokens that begin in the range, five numbers for each as the protocol encodes them.
[[nodiscard]] std::vector<std::uint32_t> SemanticTokensIn(const Snapshot& snapshot, SourceRange range);

}  // namespace onnxc::lsp
