// Handles textDocument/prepareCallHierarchy, callHierarchy/incomingCalls and callHierarchy/outgoingCalls, which show
// the calls between functions.
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "lsp/methods.h"
#include "lsp/operators.h"
#include "lsp/symbol_kind.h"
#include "lsp/target.h"

namespace onnxc::lsp {
namespace {

/// Returns the CallHierarchyItem of a graph or a function. Its `data` identifies the graph or function in later
/// requests.
Json ItemOf(SymbolId id, const Snapshot& snapshot) {
  const TextScope& scope = snapshot.symbols().scopes()[id];
  const bool is_function = scope.kind == TextScope::Kind::kFunction;
  Json item = {{"name", scope.name.empty() ? "(no name)" : scope.name},
               {"kind", is_function ? symbol_kind::kFunction : symbol_kind::kModule},
               {"uri", snapshot.uri()},
               {"range", snapshot.RangeOf(scope.range)},
               {"selectionRange", snapshot.RangeOf(scope.name_range)}};
  if (is_function && scope.symbol != kNoSymbol) item["detail"] = snapshot.symbols().symbols()[scope.symbol].domain;
  return item;
}

/// The document that a CallHierarchyItem names, and the graph or function whose name is at the item's position.
struct Place {
  std::shared_ptr<const Snapshot> snapshot;
  SymbolId scope = kNoSymbol;
};
Place PlaceOf(const Workspace& workspace, const Json& params) {
  const Json& item = Member(params, "item");
  Place place{.snapshot = workspace.OpenAt(StringMember(item, "uri"))};
  const SourceRange name = place.snapshot->SourceRangeOf(Member(item, "selectionRange"));
  const SymbolIndex& symbols = place.snapshot->symbols();
  place.scope = symbols.ItemOf(symbols.ScopeAt(name.begin));
  return place;
}

/// Returns calls as the protocol lists them. The key of `ranges` is the caller or the called function, the value is the
/// list of the calls' ranges, and `end` is the protocol's name for the key: "from" or "to".
Json CallsOf(const std::map<SymbolId, Json>& ranges, const char* end, const Snapshot& snapshot) {
  Json calls = Json::array();
  for (const auto& [scope, places] : ranges) calls.push_back({{end, ItemOf(scope, snapshot)}, {"fromRanges", places}});
  return calls;
}

}  // namespace

Json PrepareCallHierarchy(Workspace& workspace, const Json& params) {
  const Target target = CurrentTargetOf(workspace, params);
  const SymbolIndex& symbols = target.view.symbols();
  SymbolId scope = symbols.ItemOf(symbols.ScopeAt(target.offset));
  if (target.symbol != nullptr && target.symbol->kind == SymbolKind::kFunction) {
    scope = FunctionScope(symbols, target.symbol_id);
  } else if (scope != kNoSymbol && target.offset > symbols.scopes()[scope].name_range.end) {
    return nullptr;
  }
  if (scope == kNoSymbol) return nullptr;
  return Json::array({ItemOf(scope, target.view.current())});
}

Json IncomingCalls(Workspace& workspace, const Json& params) {
  const auto [snapshot, scope] = PlaceOf(workspace, params);
  const SymbolIndex& symbols = snapshot->symbols();
  std::map<SymbolId, Json> ranges;
  if (scope == kNoSymbol || symbols.scopes()[scope].symbol == kNoSymbol) return Json::array();
  for (const Occurrence* call : symbols.OccurrencesOf(symbols.scopes()[scope].symbol)) {
    if (call->is_definition) continue;
    ranges[symbols.ItemOf(symbols.ScopeAt(call->range.begin))].push_back(snapshot->RangeOf(call->range));
  }
  return CallsOf(ranges, "from", *snapshot);
}

Json OutgoingCalls(Workspace& workspace, const Json& params) {
  const auto [snapshot, scope] = PlaceOf(workspace, params);
  const SymbolIndex& symbols = snapshot->symbols();
  std::map<SymbolId, SymbolId> scopes;  // maps each function's symbol to the function's scope
  for (SymbolId id = 0; id < symbols.scopes().size(); ++id) {
    if (symbols.scopes()[id].symbol != kNoSymbol) scopes[symbols.scopes()[id].symbol] = id;
  }
  std::map<SymbolId, Json> ranges;
  for (const TextNode& node : symbols.nodes()) {
    if (symbols.ItemOf(node.scope) != scope || node.operator_name == kNoSymbol) continue;
    const Occurrence& call = symbols.occurrences()[node.operator_name];
    const auto callee = scopes.find(call.symbol);
    if (callee != scopes.end()) ranges[callee->second].push_back(snapshot->RangeOf(call.range));
  }
  return CallsOf(ranges, "to", *snapshot);
}

}  // namespace onnxc::lsp
