#include "lsp/list_values.h"

namespace onnxc::lsp {

Json ListValues(const Workspace& workspace, const Json& place) {
  const auto snapshot = workspace.OpenAt(StringMember(place, "uri"));
  const SymbolIndex& symbols = snapshot->symbols();
  const std::size_t offset = snapshot->OffsetOf(Member(place, "position"));
  const bool is_one = IsTrue(place, "/node");
  const SymbolId scope = symbols.ScopeAt(offset);
  const bool is_inside = scope != kNoSymbol && symbols.scopes()[scope].kind == TextScope::Kind::kSubgraph;
  Json values = Json::array();
  for (const TextNode& node : symbols.nodes()) {
    if (symbols.scopes()[node.scope].kind != TextScope::Kind::kGraph) continue;
    if (is_one && (offset < node.range.begin || offset > node.range.end)) continue;
    for (const SymbolId output : symbols.OutputsOf(node)) {
      if (output == kNoSymbol) continue;
      const Occurrence& occurrence = symbols.occurrences()[output];
      values.push_back({{"name", symbols.symbols()[occurrence.symbol].name},
                        {"range", snapshot->RangeOf(occurrence.range)},
                        {"node", snapshot->RangeOf(node.range)}});
      if (is_one && is_inside) values.back()["inside"] = true;
    }
  }
  return values;
}

}  // namespace onnxc::lsp
