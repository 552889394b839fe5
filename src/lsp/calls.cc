#include "lsp/calls.h"

#include <algorithm>
#include <utility>

#include "lsp/operators.h"

namespace onnxc::lsp {

bool MayHold(std::string_view text, std::string_view name) {
  return text.find(name) != std::string_view::npos || text.find('\\') != std::string_view::npos;
}

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

Callers CallersOf(Workspace& workspace, const DefinedFunction& function) {
  const SymbolIndex& defining = function.text->symbols();
  const SymbolId id = defining.scopes()[function.scope].symbol;
  if (id == kNoSymbol) return {};
  const Symbol& wanted = defining.symbols()[id];
  const std::string& path = function.text->path();
  Callers callers;
  for (auto& text : workspace.AllTexts()) {
    const auto is_function_text = [&](const auto& library) { return library->path() == path; };
    if (text->path() == path || !MayHold(text->text(), wanted.name)) continue;
    if (std::ranges::none_of(text->libraries().texts, is_function_text)) continue;
    const SymbolIndex& symbols = text->symbols();
    for (SymbolId called = 0; called < symbols.symbols().size(); ++called) {
      const Symbol& symbol = symbols.symbols()[called];
      if (symbol.kind != SymbolKind::kOperator || symbol.name != wanted.name) continue;
      if (symbol.domain != wanted.domain || symbol.overload != wanted.overload) continue;
      const auto found = FindInLibraries(workspace, *text, symbol.domain, symbol.name, symbol.overload);
      if (!found.IsKnown() || found.text->path() != path) continue;
      for (const Occurrence* const place : symbols.OccurrencesOf(called)) callers.calls.push_back({text, place->range});
    }
    callers.texts.push_back(std::move(text));
  }
  return callers;
}

}  // namespace onnxc::lsp
