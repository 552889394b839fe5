// Handles textDocument/inlayHint: inferred types and contents after outputs, and parameter names before operands.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "lsp/declarations.h"
#include "lsp/edits.h"
#include "lsp/elements.h"
#include "lsp/methods.h"
#include "lsp/operators.h"
#include "lsp/parts.h"

namespace onnxc::lsp {
namespace {

constexpr int kType = 1;  // InlayHintKind of the protocol
constexpr int kParameter = 2;

class Hints {
 public:
  explicit Hints(const Snapshot& snapshot) : snapshot_(snapshot), symbols_(snapshot.symbols()), room_(snapshot) {}

  void AddFor(const TextNode& node) {
    AddResults(node);
    if (snapshot_.options().input_hints) AddInputs(node);
  }

  [[nodiscard]] Json Take() { return std::move(hints_); }

 private:
  void AddResults(const TextNode& node) {
    const Symbol* const op = symbols_.OperatorOf(node);
    const bool is_written = op != nullptr && op->name == "Constant";  // the text already shows the value
    for (const SymbolId output : symbols_.OutputsOf(node)) {
      if (output == kNoSymbol) continue;
      const Occurrence& occurrence = symbols_.occurrences()[output];
      const InferredValue* const known = snapshot_.TypeOf(occurrence.symbol);
      if (known == nullptr || known->type.kind == ValueType::Kind::kUnknown || !room_.Take(known->type)) continue;
      constexpr std::size_t kMost = 8;  // elements
      std::string label;
      if (snapshot_.options().type_hints) label = fmt::format(": {}", ToString(known->type));
      if (snapshot_.options().value_hints && known->constant != nullptr && !is_written) {
        label += fmt::format(" = {}", ElementsOf(*known->constant, kMost));
      }
      if (label.empty()) continue;
      Json hint = {{"position", snapshot_.PositionAt(occurrence.range.end)},
                   {"label", std::move(label)},
                   {"kind", kType},
                   {"paddingLeft", false}};
      if (snapshot_.options().type_hints) AddEdit(node.scope, *known, &hint);
      hints_.push_back(std::move(hint));
    }
  }

  void AddInputs(const TextNode& node) {
    const Operator* const op = OperatorOf(snapshot_, node);
    if (op == nullptr || Inputs(*op).size() < 2) return;  // a single input needs no name
    const auto inputs = symbols_.InputsOf(node);
    for (std::size_t i = 0; i < std::min(inputs.size(), Inputs(*op).size()); ++i) {
      if (inputs[i] == kNoSymbol) continue;
      const Occurrence& occurrence = symbols_.occurrences()[inputs[i]];
      const std::string_view formal = Word(Inputs(*op)[i]);
      if (snapshot_.TextOf(occurrence.range) == formal) continue;
      hints_.push_back({{"position", snapshot_.PositionAt(occurrence.range.begin)},
                        {"label", fmt::format("{}:", formal)},
                        {"kind", kParameter},
                        {"paddingRight", true}});
    }
  }

  /// The place where a graph declares types, and the values whose types are declared.
  struct Declarations {
    std::optional<ListPlace> place = {};
    NameSet declared = {};
  };
  const Declarations& DeclarationsOf(SymbolId id) {
    const auto [found, is_new] = declarations_.try_emplace(id);
    const TextScope& scope = symbols_.scopes()[id];
    const bool is_function = symbols_.scopes()[symbols_.ItemOf(id)].kind == TextScope::Kind::kFunction;
    if (is_new && !is_function && scope.body != SourceRange{} && snapshot_.parsed().diagnostics.ok()) {
      found->second = {PlaceInList(snapshot_, scope), DeclaredIn(snapshot_, id)};
    }
    return found->second;
  }

  /// Adds an edit that declares the type. The client applies the edit when the user accepts the hint. (There is no edit
  /// for values of functions: declared types in functions need a newer IR version, and the type may be wrong for other
  /// calls.)
  void AddEdit(SymbolId scope, const InferredValue& value, Json* hint) {
    const Declarations& graph = DeclarationsOf(scope);
    const std::string declaration = graph.place ? DeclarationOf(value) : std::string();
    if (declaration.empty() || graph.declared.contains(value.name)) return;
    const ListPlace& place = *graph.place;
    const FixIt edit = {{place.offset, place.offset}, place.before + declaration + place.behind};
    (*hint)["textEdits"] = TextEditsOf({&edit, 1}, snapshot_);
  }

  const Snapshot& snapshot_;
  const SymbolIndex& symbols_;
  RoomForTypes room_;
  Json hints_ = Json::array();
  std::map<SymbolId, Declarations> declarations_;  // the key is a scope
};

}  // namespace

Json InlayHints(Workspace& workspace, const Json& params) {
  const auto snapshot = workspace.DocumentOf(params);
  const SourceRange range = snapshot->SourceRangeOf(Member(params, "range"));
  const auto nodes = snapshot->symbols().nodes();
  Hints hints(*snapshot);
  // Nodes that begin before the range may have outputs and inputs inside of it.
  for (SymbolId around = snapshot->symbols().NodeAt(range.begin); around != kNoSymbol;
       around = snapshot->symbols().scopes()[nodes[around].scope].node) {
    if (nodes[around].range.begin < range.begin) hints.AddFor(nodes[around]);
  }
  auto node = std::ranges::lower_bound(nodes, range.begin, {}, [](const TextNode& each) { return each.range.begin; });
  for (; node != nodes.end() && node->range.begin <= range.end; ++node) hints.AddFor(*node);
  return hints.Take();
}

}  // namespace onnxc::lsp
