// textDocument/inlayHint: inferred types behind results, names of formal inputs before operands
#include <fmt/format.h>

#include <algorithm>

#include "lsp/methods.h"
#include "lsp/operators.h"

namespace onnxc::lsp {
namespace {

constexpr int kType = 1;  // InlayHintKind
constexpr int kParameter = 2;

void AddTypes(const Snapshot& snapshot, const TextNode& node, Json* hints) {
  for (const SymbolId output : snapshot.symbols().OutputsOf(node)) {
    if (output == kNoSymbol) continue;
    const Occurrence& occurrence = snapshot.symbols().occurrences()[output];
    const InferredValue* const known = snapshot.TypeOf(occurrence.symbol);
    if (known == nullptr || known->type.kind == ValueType::Kind::kUnknown) continue;
    hints->push_back({{"position", snapshot.PositionAt(occurrence.range.end)},
                      {"label", fmt::format(": {}", ToString(known->type))},
                      {"kind", kType},
                      {"paddingLeft", false}});
  }
}

void AddInputs(const Snapshot& snapshot, const TextNode& node, Json* hints) {
  const Operator* const op = OperatorOf(snapshot.symbols(), node);
  if (op == nullptr || Inputs(*op).size() < 2) return;  // the only input needs no name
  const auto inputs = snapshot.symbols().InputsOf(node);
  for (std::size_t i = 0; i < std::min(inputs.size(), Inputs(*op).size()); ++i) {
    if (inputs[i] == kNoSymbol) continue;
    const Occurrence& occurrence = snapshot.symbols().occurrences()[inputs[i]];
    const std::string_view formal = Word(Inputs(*op)[i].name);
    if (snapshot.TextOf(occurrence.range) == formal) continue;
    hints->push_back({{"position", snapshot.PositionAt(occurrence.range.begin)},
                      {"label", fmt::format("{}:", formal)},
                      {"kind", kParameter},
                      {"paddingRight", true}});
  }
}

}  // namespace

Json InlayHints(Workspace& workspace, const Json& params) {
  const auto snapshot = workspace.DocumentOf(params);
  const SourceRange range = snapshot->SourceRangeOf(Member(params, "range"));
  Json hints = Json::array();
  const auto nodes = snapshot->symbols().nodes();
  // Nodes around the range begin before it: their results and inputs may be inside.
  for (SymbolId around = snapshot->symbols().NodeAt(range.begin); around != kNoSymbol;
       around = snapshot->symbols().scopes()[nodes[around].scope].node) {
    if (nodes[around].range.begin >= range.begin) continue;
    if (snapshot->options().type_hints) AddTypes(*snapshot, nodes[around], &hints);
    if (snapshot->options().input_hints) AddInputs(*snapshot, nodes[around], &hints);
  }
  auto node = std::ranges::lower_bound(nodes, range.begin, {}, [](const TextNode& each) { return each.range.begin; });
  for (; node != nodes.end() && node->range.begin <= range.end; ++node) {
    if (snapshot->options().type_hints) AddTypes(*snapshot, *node, &hints);
    if (snapshot->options().input_hints) AddInputs(*snapshot, *node, &hints);
  }
  return hints;
}

}  // namespace onnxc::lsp
