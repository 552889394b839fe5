// Lookups in a SymbolIndex.
#include <algorithm>

#include "source/names.h"
#include "symbols/builder.h"

namespace onnxc {
namespace {

/// Returns the last element that begins at or before `offset`, or kNoSymbol.
template <typename Element>
SymbolId LastBefore(const std::vector<Element>& elements, std::size_t offset) {
  const auto next =
      std::ranges::upper_bound(elements, offset, {}, [](const Element& element) { return element.range.begin; });
  return next == elements.begin() ? kNoSymbol : static_cast<SymbolId>(next - elements.begin() - 1);
}

/// Returns a hash of the symbol's identity. HashOf() of a name is a different function in each process, so that a file
/// cannot contain names that were chosen to have the same hash.
std::uint32_t SlotHashOf(const Symbol& symbol) {
  std::uint64_t hash = HashOf(symbol.name);
  if (!symbol.domain.empty()) hash += HashOf(symbol.domain) * 0xc2b2ae3d27d4eb4fu;
  if (!symbol.overload.empty()) hash += HashOf(symbol.overload) * 0x165667b19e3779f9u;
  const std::uint64_t numbers =
      (std::uint64_t{symbol.scope} << 32 | symbol.owner) + static_cast<std::uint64_t>(symbol.kind);
  return static_cast<std::uint32_t>(((hash + numbers * 0x9e3779b97f4a7c15u) * 0xff51afd7ed558ccdu) >> 32);
}

bool AreSame(const Symbol& a, const Symbol& b) {
  return a.kind == b.kind && a.scope == b.scope && a.owner == b.owner && a.name == b.name && a.domain == b.domain &&
         a.overload == b.overload;
}

bool Touches(SourceRange range, std::size_t offset) { return range.begin <= offset && offset <= range.end; }

}  // namespace

SymbolId SymbolIndex::Names::Find(const std::deque<Symbol>& symbols, const Symbol& wanted) const {
  return FindId(slots, SlotHashOf(wanted), [&](std::uint32_t id) { return AreSame(symbols[id], wanted); });
}

SymbolId SymbolIndex::Names::FindOrAdd(std::deque<Symbol>* symbols, const Symbol& wanted) {
  const std::uint32_t hash = SlotHashOf(wanted);
  const std::uint32_t known = FindId(slots, hash, [&](std::uint32_t id) { return AreSame((*symbols)[id], wanted); });
  if (known != kNoId) return known;
  const auto id = static_cast<SymbolId>(symbols->size());
  symbols->push_back(wanted);
  AddId(&slots, id, hash, id);
  return id;
}

const Occurrence* SymbolIndex::OccurrenceAt(std::size_t offset) const {
  const SymbolId last = LastBefore(occurrences_, offset);
  if (last == kNoSymbol) return nullptr;
  const Occurrence& found = occurrences_[last];
  return Touches(found.range, offset) ? &found : nullptr;
}

// The node that contains the offset is either the last node that begins before the offset, or one that encloses that
// node.
SymbolId SymbolIndex::NodeAt(std::size_t offset) const {
  SymbolId node = LastBefore(nodes_, offset);
  while (node != kNoSymbol && !Touches(nodes_[node].range, offset)) node = scopes_[nodes_[node].scope].node;
  return node;
}

SymbolId SymbolIndex::ScopeAt(std::size_t offset) const {
  SymbolId scope = LastBefore(scopes_, offset);
  while (scope != kNoSymbol && !Touches(scopes_[scope].range, offset)) scope = scopes_[scope].parent;
  return scope;
}

const Symbol* SymbolIndex::OperatorOf(const TextNode& node) const {
  if (node.operator_name == kNoSymbol) return nullptr;
  const SymbolId symbol = occurrences_[node.operator_name].symbol;
  return symbol == kNoSymbol ? nullptr : &symbols_[symbol];
}

SymbolId SymbolIndex::ItemOf(SymbolId scope) const {
  while (scope != kNoSymbol && scopes_[scope].parent != kNoSymbol) scope = scopes_[scope].parent;
  return scope;
}

SymbolId SymbolIndex::FindValue(SymbolId scope, std::string_view name) const {
  for (; scope != kNoSymbol; scope = scopes_[scope].parent) {
    const SymbolId value = names_->Find(symbols_, {.kind = SymbolKind::kValue, .name = name, .scope = scope});
    if (value != kNoSymbol) return value;
  }
  return kNoSymbol;
}

std::vector<const Occurrence*> SymbolIndex::OccurrencesOf(SymbolId symbol) const {
  std::vector<const Occurrence*> all;
  for (SymbolId at = symbols_[symbol].first; at != kNoSymbol; at = occurrences_[at].next) {
    all.push_back(&occurrences_[at]);
  }
  std::ranges::sort(all, {}, [](const Occurrence* occurrence) { return occurrence->range.begin; });
  return all;
}

std::vector<const google::protobuf::Message*> MessagesOf(const SymbolIndex& symbols, const onnx::ModelProto& model,
                                                         const SourceMap& places) {
  std::vector<const google::protobuf::Message*> messages(symbols.scopes().size());
  const auto place = [&](const google::protobuf::Message& message, int field) {
    const SourceRange* range = places.Find(message, field);
    if (range == nullptr) return;
    for (SymbolId scope = symbols.ScopeAt(range->begin); scope != kNoSymbol; scope = symbols.scopes()[scope].parent) {
      if (symbols.scopes()[scope].name_range == *range) messages[scope] = &message;
    }
  };
  std::vector<const onnx::GraphProto*> graphs;
  const bool has_subgraphs = std::ranges::any_of(
      symbols.scopes(), [](const TextScope& scope) { return scope.kind == TextScope::Kind::kSubgraph; });
  const auto add_graphs_of = [&](const auto& nodes) {
    if (!has_subgraphs) return;
    for (const onnx::NodeProto& node : nodes) {
      for (const onnx::AttributeProto& attribute : node.attribute()) {
        if (attribute.has_g()) graphs.push_back(&attribute.g());
        for (const onnx::GraphProto& graph : attribute.graphs()) graphs.push_back(&graph);
      }
    }
  };
  if (model.has_graph()) graphs.push_back(&model.graph());
  for (const onnx::FunctionProto& function : model.functions()) {
    place(function, onnx::FunctionProto::kNameFieldNumber);
    add_graphs_of(function.node());
  }
  while (!graphs.empty()) {
    const onnx::GraphProto& graph = *graphs.back();
    graphs.pop_back();
    place(graph, onnx::GraphProto::kNameFieldNumber);
    add_graphs_of(graph.node());
  }
  return messages;
}

}  // namespace onnxc
