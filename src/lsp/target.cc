#include "lsp/target.h"

namespace onnxc::lsp {

Target TargetOf(const Workspace& workspace, const Json& params) {
  Target target{.snapshot = workspace.DocumentOf(params)};
  target.offset = target.snapshot->OffsetOf(Member(params, "position"));
  const SymbolIndex& symbols = target.snapshot->symbols();
  target.occurrence = symbols.OccurrenceAt(target.offset);
  if (target.occurrence == nullptr || target.occurrence->symbol == kNoSymbol) return target;
  target.symbol_id = target.occurrence->symbol;
  target.symbol = &symbols.symbols()[target.symbol_id];
  return target;
}

Json LocationOf(SourceRange range, const Snapshot& snapshot) {
  return {{"uri", snapshot.uri()}, {"range", snapshot.RangeOf(range)}};
}

}  // namespace onnxc::lsp
