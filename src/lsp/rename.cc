// textDocument/prepareRename and rename
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "lsp/edits.h"
#include "lsp/methods.h"
#include "lsp/target.h"
#include "source/report.h"
#include "syntax/spelling.h"

namespace onnxc::lsp {
namespace {

[[noreturn]] void Refuse(const std::string& why) { throw RequestError(ErrorCode::kRequestFailed, why); }

/// What stands at the position may be renamed; else the request is refused.
void RequireRenamable(const Target& target) {
  if (target.symbol == nullptr) Refuse("no name stands here");
  switch (target.symbol->kind) {
    case SymbolKind::kValue:
    case SymbolKind::kFunction:
    case SymbolKind::kDimension: return;
    case SymbolKind::kAttribute: {
      const SymbolId owner = target.symbol->owner;
      const auto& symbols = target.snapshot->symbols().symbols();
      if (owner != kNoSymbol && symbols[owner].kind == SymbolKind::kFunction) return;
      Refuse("the attributes of operators have fixed names");
    }
    case SymbolKind::kOperator: Refuse("operators have fixed names");
    case SymbolKind::kDomain: Refuse("domains are not renamed: other files may name them");
  }
}

/// A name as the text writes it.
std::string Spelled(std::string_view name) {
  if (syntax::IsIdentifier(name)) return std::string(name);
  std::string quoted;
  syntax::AppendQuoted(name, &quoted);
  return quoted;
}

/// Whether `inner` is `outer`, or inside of it.
bool IsInside(const SymbolIndex& symbols, SymbolId inner, SymbolId outer) {
  while (inner != kNoSymbol && inner != outer) inner = symbols.scopes()[inner].parent;
  return inner == outer;
}

std::string LineOf(const Snapshot& snapshot, const Occurrence& occurrence) {
  return fmt::format("line {}", snapshot.lines().LineOf(occurrence.range.begin) + 1);
}

// With its new name, a value must not take the uses of another one, nor may another one take its uses. (Names that are
// seen through several graphs may not be given twice, either.)
void RequireNoCapture(const Target& target, std::string_view name) {
  const SymbolIndex& symbols = target.snapshot->symbols();
  for (SymbolId id = 0; id < symbols.symbols().size(); ++id) {
    const Symbol& other = symbols.symbols()[id];
    if (id == target.symbol_id || other.kind != SymbolKind::kValue || other.name != name) continue;
    const bool is_near =
        IsInside(symbols, other.scope, target.symbol->scope) || IsInside(symbols, target.symbol->scope, other.scope);
    if (!is_near || other.first == kNoSymbol) continue;
    const Occurrence& first = symbols.occurrences()[other.definition == kNoSymbol ? other.first : other.definition];
    Refuse(fmt::format("'{}' is another value here: {}", Quoted(name), LineOf(*target.snapshot, first)));
  }
}

// Functions, attributes and dimensions of one owner have different names.
void RequireNoDouble(const Target& target, std::string_view name) {
  const SymbolIndex& symbols = target.snapshot->symbols();
  const Symbol& renamed = *target.symbol;
  for (SymbolId id = 0; id < symbols.symbols().size(); ++id) {
    const Symbol& other = symbols.symbols()[id];
    if (id == target.symbol_id || other.name != name || other.first == kNoSymbol) continue;
    const bool is_function = renamed.kind == SymbolKind::kFunction &&
                             (other.kind == SymbolKind::kFunction || other.kind == SymbolKind::kOperator) &&
                             other.domain == renamed.domain;
    const bool is_same_kind =
        other.kind == renamed.kind && other.scope == renamed.scope && other.owner == renamed.owner;
    if (!is_function && (renamed.kind == SymbolKind::kFunction || !is_same_kind)) continue;
    Refuse(fmt::format("'{}' is there already: {}", Quoted(name),
                       LineOf(*target.snapshot, symbols.occurrences()[other.first])));
  }
}

}  // namespace

Json PrepareRename(Workspace& workspace, const Json& params) {
  const Target target = TargetOf(workspace, params);
  RequireRenamable(target);
  return {{"range", target.snapshot->RangeOf(target.occurrence->range)}, {"placeholder", target.symbol->name}};
}

Json Rename(Workspace& workspace, const Json& params) {
  const Target target = TargetOf(workspace, params);
  const std::string name = StringMember(params, "newName");
  RequireRenamable(target);
  if (!target.snapshot->parsed().diagnostics.ok()) Refuse("the text has errors: what stands there might be missed");
  if (name.empty()) Refuse("a name has at least one character");
  if (name == target.symbol->name) return nullptr;
  if (target.symbol->kind == SymbolKind::kValue) {
    RequireNoCapture(target, name);
  } else {
    RequireNoDouble(target, name);
  }
  std::vector<FixIt> edits;
  const std::string spelled = Spelled(name);
  for (const Occurrence* occurrence : target.snapshot->symbols().OccurrencesOf(target.symbol_id)) {
    edits.push_back({occurrence->range, spelled});
  }
  return WorkspaceEditOf(edits, *target.snapshot, workspace.client);
}

}  // namespace onnxc::lsp
