// Handles textDocument/prepareRename and textDocument/rename.
#include <fmt/format.h>

#include <iterator>
#include <string>

#include "edit/rename_plan.h"
#include "lsp/calls.h"
#include "lsp/edits.h"
#include "lsp/methods.h"
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

// Throws a RequestError if other texts use the name, because these texts would keep the old name.
void RequireNoOtherText(Workspace& workspace, const Target& target) {
  const DefinedFunction function = FunctionOf(workspace, target);
  if (!function.IsKnown()) return;
  const std::vector<Call> calls = CallsElsewhere(workspace, function);
  if (calls.empty()) return;
  Refuse(fmt::format("other texts call the function: {} in '{}'", Counted(std::ssize(calls), "call"),
                     Quoted(calls.front().text->path())));
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
  const edit::NewName new_name{target.symbol_id, name};
  const Snapshot& current = target.view.current();
  const edit::RenamePlan plan = edit::PlanRename(current.text(), current.symbols(), {&new_name, 1});
  if (plan.refusal) {
    Refuse(fmt::format("{}: line {}", plan.refusal->why, current.lines().LineOf(plan.refusal->range.begin) + 1));
  }
  return WorkspaceEditOf(plan.edits, current, workspace.client);
}

}  // namespace onnxc::lsp
