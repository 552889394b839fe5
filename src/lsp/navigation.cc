// Handles textDocument/definition, declaration, typeDefinition, references and documentHighlight.
#include <algorithm>

#include "lsp/calls.h"
#include "lsp/methods.h"
#include "lsp/target.h"

namespace onnxc::lsp {
namespace {

using ValueInfos = google::protobuf::RepeatedPtrField<onnx::ValueInfoProto>;

/// Returns the range of the entry that declares the type of the value, or null if no entry does.
const SourceRange* FindIn(const ValueInfos& values, std::string_view name, const SourceMap& places) {
  for (const onnx::ValueInfoProto& value : values) {
    if (value.name() == name) return places.Find(value, onnx::ValueInfoProto::kNameFieldNumber, 0);
  }
  return nullptr;
}

/// Returns where a graph or function declares the type of a value: in its value_info or its outputs. Returns null if
/// neither contains the value. Inputs are not searched: the type of an input is written at the definition of the input.
const SourceRange* TypeRangeOf(const Symbol& value, const PartialModel& read) {
  const auto* const around = value.scope == kNoSymbol ? nullptr : read.messages[value.scope];
  if (const auto* function = dynamic_cast<const onnx::FunctionProto*>(around)) {
    return FindIn(function->value_info(), value.name, read.places);
  }
  const auto* const graph = dynamic_cast<const onnx::GraphProto*>(around);
  if (graph == nullptr) return nullptr;
  const bool is_input = std::ranges::any_of(
      graph->input(), [&](const onnx::ValueInfoProto& input) { return input.name() == value.name; });
  if (is_input) return nullptr;
  const SourceRange* const found = FindIn(graph->value_info(), value.name, read.places);
  return found != nullptr ? found : FindIn(graph->output(), value.name, read.places);
}

}  // namespace

Json Declaration(Workspace& workspace, const Json& params) {
  const Target target = CurrentTargetOf(workspace, params);
  if (target.symbol == nullptr) return nullptr;
  const bool is_value = target.symbol->kind == SymbolKind::kValue;
  const SourceRange* const range = is_value ? TypeRangeOf(*target.symbol, target.view.current().parsed()) : nullptr;
  return range == nullptr ? Definition(workspace, params) : LocationOf(*range, target.view.current());
}

Json Definition(Workspace& workspace, const Json& params) {
  const Target target = CurrentTargetOf(workspace, params);
  if (target.symbol == nullptr) return nullptr;
  SymbolId definition = target.symbol->definition;
  const SymbolIndex& symbols = target.view.symbols();
  if (definition == kNoSymbol) {
    const DefinedFunction function = FunctionOf(workspace, target);
    if (!function.IsKnown()) return nullptr;
    return LocationOf(function.text->symbols().scopes()[function.scope].name_range, *function.text);
  }
  return LocationOf(symbols.occurrences()[definition].range, target.view.current());
}

Json References(Workspace& workspace, const Json& params) {
  const Target target = CurrentTargetOf(workspace, params);
  if (target.symbol == nullptr) return nullptr;
  const bool with_definition = IsTrue(params, "/context/includeDeclaration");
  Json locations = Json::array();
  const auto add = [&](SymbolId symbol, const Snapshot& text) {
    for (const Occurrence* occurrence : text.symbols().OccurrencesOf(symbol)) {
      if (!occurrence->is_definition || with_definition) locations.push_back(LocationOf(occurrence->range, text));
    }
  };
  const DefinedFunction function = FunctionOf(workspace, target);
  if (!function.IsKnown()) {
    add(target.symbol_id, target.view.current());
    return locations;
  }
  add(function.text->symbols().scopes()[function.scope].symbol, *function.text);
  for (const Call& call : CallersOf(workspace, function).calls) {
    locations.push_back(LocationOf(call.range, *call.text));
  }
  return locations;
}

Json Highlights(Workspace& workspace, const Json& params) {
  constexpr int kRead = 2;  // DocumentHighlightKind of the protocol
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
