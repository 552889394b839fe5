// SymbolKind of the protocol.
#pragma once

namespace onnxc::lsp::symbol_kind {

inline constexpr int kModule = 2;
inline constexpr int kNamespace = 3;
inline constexpr int kFunction = 12;
inline constexpr int kVariable = 13;
inline constexpr int kConstant = 14;
inline constexpr int kOperator = 25;

}  // namespace onnxc::lsp::symbol_kind
