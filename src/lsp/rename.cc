// Handles textDocument/prepareRename and textDocument/rename.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "edit/rename_plan.h"
#include "lsp/calls.h"
#include "lsp/edits.h"
#include "lsp/methods.h"
#include "lsp/operators.h"
#include "lsp/parts.h"
#include "lsp/target.h"
#include "source/report.h"
#include "source/words.h"

namespace onnxc::lsp {
namespace {

[[noreturn]] void Refuse(const std::string& why) { throw RequestError(ErrorCode::kRequestFailed, why); }

/// Throws a RequestError if the name at the position cannot be renamed.
void RequireRenamable(const Target& target) {
  if (target.symbol == nullptr || target.symbol->name.empty()) Refuse("no name is at this place");
  switch (target.symbol->kind) {
    case SymbolKind::kValue:
    case SymbolKind::kFunction:
    case SymbolKind::kDimension: return;
    case SymbolKind::kAttribute: {
      const SymbolId owner = target.symbol->owner;
      const auto& symbols = target.view.symbols().symbols();
      if (owner != kNoSymbol && symbols[owner].kind == SymbolKind::kFunction) return;
      Refuse("the attributes of operators have fixed names");
    }
    case SymbolKind::kOperator: Refuse("operators have fixed names");
    case SymbolKind::kDomain: Refuse("domains cannot be renamed, because other files may use them");
  }
}

/// Returns the function that has the name at the target: the function itself, or an attribute of it.
DefinedFunction OwnerOf(const Workspace& workspace, const Target& target) {
  if (target.symbol->kind != SymbolKind::kAttribute) return FunctionOf(workspace, target);
  const SymbolIndex& symbols = target.view.symbols();
  return {workspace.Find(target.view.known().uri()), FunctionScope(symbols, target.symbol->owner)};
}

/// Returns whether a call may set the attribute. A record in the call may do so, too.
bool MaySet(const Call& call, std::string_view attribute) {
  const SymbolIndex& symbols = call.text->symbols();
  const SymbolId id = symbols.NodeAt(call.range.begin);
  if (id == kNoSymbol || HasRecord(*call.text, symbols.nodes()[id].range)) return true;
  return std::ranges::any_of(symbols.AttributesOf(symbols.nodes()[id]), [&](const TextAttribute& set) {
    return set.name == kNoSymbol || symbols.symbols()[symbols.occurrences()[set.name].symbol].name == attribute;
  });
}

// Throws a RequestError if other texts use the name, because these texts would keep the old name.
void RequireNoOtherText(Workspace& workspace, const Target& target) {
  const DefinedFunction function = OwnerOf(workspace, target);
  if (!function.IsKnown()) return;
  const bool is_attribute = target.symbol->kind == SymbolKind::kAttribute;
  Callers callers = CallersOf(workspace, function);
  if (is_attribute) std::erase_if(callers.calls, [&](const Call& call) { return !MaySet(call, target.symbol->name); });
  if (!callers.calls.empty()) {
    Refuse(fmt::format("other texts {}: {} in '{}'", is_attribute ? "set the attribute" : "call the function",
                       Counted(std::ssize(callers.calls), "call"), Quoted(callers.calls.front().text->path())));
  }
  for (const auto& text : callers.texts) {
    if (!MayHold(text->text(), target.symbol->name) || !HasRecord(*text, {0, text->text().size()})) continue;
    Refuse(fmt::format("a record in '{}' may use the name", Quoted(text->path())));
  }
  const std::string& folder = function.text->libraries().folder;  // all texts in it can use the function
  if (folder.empty() || !workspace.IsNamed(function.text->path())) return;
  if (workspace.folders().AreLeftOut()) Refuse("texts that are too large or too many to be read may use the name");
  if (!workspace.folders().Contain(folder)) {
    Refuse(fmt::format("texts in the folder '{}' may use the name; please open this folder in the editor",
                       Quoted(folder)));
  }
}

}  // namespace

Json PrepareRename(Workspace& workspace, const Json& params) {
  const Target target = CurrentTargetOf(workspace, params);
  RequireRenamable(target);
  return {{"range", target.view.current().RangeOf(target.occurrence->range)}, {"placeholder", target.symbol->name}};
}

Json Rename(Workspace& workspace, const Json& params) {
  const Target target = CurrentTargetOf(workspace, params);
  const std::string name = StringMember(params, "newName");
  RequireRenamable(target);
  if (!target.view.current().parsed().diagnostics.ok()) Refuse("the text has errors, so some uses might be missed");
  if (name.empty()) Refuse("a name must have at least one character");
  if (name == target.symbol->name) return nullptr;
  RequireNoOtherText(workspace, target);
  const Snapshot& current = target.view.current();
  const edit::TextNames names(current.text(), current.parsed());
  const edit::NameId entity = names.EntityAt(target.occurrence->range, target.symbol->name);
  if (entity == edit::kNoName) Refuse("this name cannot be renamed");
  const edit::NewNames new_names{{entity, name}};
  std::optional<edit::Refusal> refusal = edit::FindConflict(names.names(), new_names);
  const std::vector<FixIt> edits = refusal ? std::vector<FixIt>() : names.Edits(new_names, &refusal);
  if (refusal) {
    const std::size_t line = current.lines().LineOf(names.PlaceOf(refusal->site).begin);
    Refuse(fmt::format("{}: line {}", refusal->why, line + 1));
  }
  return WorkspaceEditOf(edits, current, workspace.client);
}

}  // namespace onnxc::lsp
