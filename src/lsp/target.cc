#include "lsp/target.h"

#include <utility>

namespace onnxc::lsp {
namespace {

Target TargetIn(View view, const Json& params) {
  Target target{.view = std::move(view)};
  target.offset = target.view.ToKnown(target.view.current().OffsetOf(Member(params, "position")));
  const SymbolIndex& symbols = target.view.symbols();
  target.occurrence = symbols.OccurrenceAt(target.offset);
  if (target.occurrence == nullptr || target.occurrence->symbol == kNoSymbol) return target;
  target.symbol_id = target.occurrence->symbol;
  target.symbol = &symbols.symbols()[target.symbol_id];
  return target;
}

}  // namespace

Target TargetOf(const Workspace& workspace, const Json& params) {
  const View view = ViewOf(workspace, params);
  if (view.IsNew(view.current().OffsetOf(Member(params, "position")))) return CurrentTargetOf(workspace, params);
  Target target = TargetIn(view, params);
  const SymbolId definition = target.symbol == nullptr ? kNoSymbol : target.symbol->definition;
  const auto& occurrences = target.view.symbols().occurrences();
  const bool is_changed = (target.occurrence != nullptr && view.IsChanged(target.occurrence->range)) ||
                          (definition != kNoSymbol && view.IsChanged(occurrences[definition].range));
  return is_changed ? CurrentTargetOf(workspace, params) : target;
}

Target CurrentTargetOf(const Workspace& workspace, const Json& params) {
  const auto current = workspace.DocumentOf(params);
  return TargetIn({current, current}, params);
}

Json LocationOf(SourceRange range, const Snapshot& snapshot) {
  return {{"uri", snapshot.uri()}, {"range", snapshot.RangeOf(range)}};
}

}  // namespace onnxc::lsp
