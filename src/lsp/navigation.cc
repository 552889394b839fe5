// textDocument/definition, references and documentHighlight
#include "lsp/methods.h"
#include "lsp/target.h"

namespace onnxc::lsp {

Json Definition(Workspace& workspace, const Json& params) {
  const Target target = CurrentTargetOf(workspace, params);
  if (target.symbol == nullptr) return nullptr;
  SymbolId definition = target.symbol->definition;
  const SymbolIndex& symbols = target.view.symbols();
  if (definition == kNoSymbol) return nullptr;
  return LocationOf(symbols.occurrences()[definition].range, target.view.current());
}

Json References(Workspace& workspace, const Json& params) {
  const Target target = CurrentTargetOf(workspace, params);
  if (target.symbol == nullptr) return nullptr;
  const bool with_definition = IsTrue(params, "/context/includeDeclaration");
  Json locations = Json::array();
  for (const Occurrence* occurrence : target.view.symbols().OccurrencesOf(target.symbol_id)) {
    if (occurrence->is_definition && !with_definition) continue;
    locations.push_back(LocationOf(occurrence->range, target.view.current()));
  }
  return locations;
}

Json Highlights(Workspace& workspace, const Json& params) {
  constexpr int kRead = 2;  // DocumentHighlightKind
  constexpr int kWrite = 3;
  const Target target = CurrentTargetOf(workspace, params);
  if (target.symbol == nullptr) return nullptr;
  Json highlights = Json::array();
  for (const Occurrence* occurrence : target.view.symbols().OccurrencesOf(target.symbol_id)) {
    highlights.push_back({{"range", target.view.current().RangeOf(occurrence->range)},
                          {"kind", occurrence->is_definition ? kWrite : kRead}});
  }
  return highlights;
}

}  // namespace onnxc::lsp
