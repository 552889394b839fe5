#include "lsp/calls.h"

#include "lsp/operators.h"

namespace onnxc::lsp {
namespace {

/// Returns whether the text may contain the name. The result is true for each text with a backslash, because an escape
/// can spell any letter.
bool MayHold(std::string_view text, std::string_view name) {
  return text.find(name) != std::string_view::npos || text.find('\\') != std::string_view::npos;
}

}  // namespace

std::vector<std::shared_ptr<const Snapshot>> LibrariesOf(const Workspace& workspace, const Snapshot& text) {
  std::vector<std::shared_ptr<const Snapshot>> libraries = text.libraries().texts;
  if (libraries.empty()) return libraries;
  for (const auto& open : workspace.All()) {
    for (auto& library : libraries) {
      if (library->path() == open->path()) library = open;
    }
  }
  std::erase_if(libraries, [&](const auto& library) { return library->path() == text.path(); });
  return libraries;
}

DefinedFunction FindInLibraries(const Workspace& workspace, const Snapshot& text, std::string_view domain,
                                std::string_view name, std::string_view overload) {
  for (const auto& library : LibrariesOf(workspace, text)) {
    const SymbolId scope = FindFunction(library->symbols(), domain, name, overload);
    if (scope != kNoSymbol) return {library, scope};
  }
  return {};
}

DefinedFunction FunctionOf(const Workspace& workspace, const Target& target) {
  if (target.symbol == nullptr) return {};
  const Symbol& symbol = *target.symbol;
  const SymbolIndex& symbols = target.view.symbols();
  if (symbol.kind == SymbolKind::kFunction) {
    return {workspace.Find(target.view.known().uri()), FunctionScope(symbols, target.symbol_id)};
  }
  if (symbol.kind != SymbolKind::kOperator) return {};
  return FindInLibraries(workspace, target.view.known(), symbol.domain, symbol.name, symbol.overload);
}

std::vector<Call> CallsElsewhere(Workspace& workspace, const DefinedFunction& function) {
  const SymbolIndex& defining = function.text->symbols();
  const SymbolId id = defining.scopes()[function.scope].symbol;
  std::vector<Call> calls;
  if (id == kNoSymbol) return calls;
  const Symbol& wanted = defining.symbols()[id];
  for (const auto& text : workspace.AllTexts()) {
    if (text->path() == function.text->path() || !MayHold(text->text(), wanted.name)) continue;
    if (text->libraries().texts.empty()) continue;
    const SymbolIndex& symbols = text->symbols();
    for (SymbolId called = 0; called < symbols.symbols().size(); ++called) {
      const Symbol& symbol = symbols.symbols()[called];
      if (symbol.kind != SymbolKind::kOperator || symbol.name != wanted.name) continue;
      if (symbol.domain != wanted.domain || symbol.overload != wanted.overload) continue;
      const auto found = FindInLibraries(workspace, *text, symbol.domain, symbol.name, symbol.overload);
      if (!found.IsKnown() || found.text->path() != function.text->path()) continue;
      for (const Occurrence* const place : symbols.OccurrencesOf(called)) calls.push_back({text, place->range});
    }
  }
  return calls;
}

}  // namespace onnxc::lsp
