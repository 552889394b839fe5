// Copies the symbols of nodes that are not parsed again from the index of another version of the text.
#include <algorithm>
#include <string>

#include "symbols/builder.h"

namespace onnxc {

/// A range of elements of a list, and the position of their copies in another list.
struct TakenBlock {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t target = 0;

  [[nodiscard]] SymbolId Moved(SymbolId id) const { return static_cast<SymbolId>(id - begin + target); }
  [[nodiscard]] bool Holds(SymbolId id) const { return begin <= id && id < end; }
};

// The nodes that are copied, and the elements that belong to them. In each list these elements are consecutive, so that
// their positions all change by the same number.
struct SymbolIndexBuilder::TakenNodes {
  TakenBlock nodes;
  TakenBlock occurrences;
  TakenBlock scopes;  // the scopes inside of the nodes
  TakenBlock operands;
  TakenBlock attributes;
  std::size_t by;  // added to each offset in the text; wraps around, so it can stand for a negative number
};

namespace {

/// Returns the block of the elements that begin in the range. Their copies will begin at position `target`.
template <typename Element>
TakenBlock BlockOf(const std::vector<Element>& elements, SourceRange range, std::size_t target) {
  const auto at = [&](std::size_t offset) {
    const auto found =
        std::ranges::lower_bound(elements, offset, {}, [](const Element& element) { return element.range.begin; });
    return static_cast<std::size_t>(found - elements.begin());
  };
  return {at(range.begin), at(range.end), target};
}

/// Extends the block by the elements that the nodes refer to.
template <typename Count>
TakenBlock BlockOf(std::span<const TextNode> nodes, std::uint32_t TextNode::*first, Count TextNode::*count,
                   TakenBlock block) {
  for (const TextNode& node : nodes) {
    if (node.*count == 0) continue;
    if (block.begin == block.end) block.begin = block.end = node.*first;
    block.begin = std::min<std::size_t>(block.begin, node.*first);
    block.end = std::max<std::size_t>(block.end, node.*first + node.*count);
  }
  return block;
}

SourceRange Moved(SourceRange range, std::size_t by) {
  return range.begin == range.end ? range : SourceRange{range.begin + by, range.end + by};
}

}  // namespace

std::string_view SymbolIndexBuilder::TakenName(std::string_view name, SourceRange range) {
  std::string_view word = text_.substr(range.begin, range.end - range.begin);
  if (word.size() == name.size() + 2) word = word.substr(1, name.size());  // in quotes
  return word == name ? word : Owned(std::string(name));
}

SymbolId SymbolIndexBuilder::TakenSymbol(SymbolId before, SymbolId scope, SourceRange range) {
  TakenId& taken = taken_symbols_[before];
  if (taken.item != item_) {
    const Symbol& symbol = before_->symbols_[before];
    const Symbol here{.kind = symbol.kind, .name = TakenName(symbol.name, range), .scope = scope};
    taken = {item_, names_->FindOrAdd(&index_.symbols_, here, before_->names_->hashes[before])};
  }
  return taken.id;
}

std::uint32_t SymbolIndexBuilder::TakenOperator(SymbolId before, SourceRange range) {
  TakenId& taken = taken_symbols_[before];
  if (taken.id == kNoSymbol) {
    const Symbol& symbol = before_->symbols_[before];
    taken.id = static_cast<SymbolId>(operators_.size());
    operators_.push_back({.kind = SymbolKind::kOperator,
                          .name = TakenName(symbol.name, range),
                          .domain = symbol.domain.empty() ? "" : Owned(std::string(symbol.domain)),
                          .overload = symbol.overload.empty() ? "" : Owned(std::string(symbol.overload))});
  }
  return taken.id;
}

SymbolId SymbolIndexBuilder::TakenAttribute(SymbolId before, SymbolId owner, SourceRange range) {
  TakenId& taken = taken_symbols_[before];
  if (taken.id == kNoSymbol || taken.item != owner) {
    const std::string_view name = TakenName(before_->symbols_[before].name, range);
    const Symbol here{.kind = SymbolKind::kAttribute, .name = name, .owner = owner};
    taken = {owner, names_->FindOrAdd(&index_.symbols_, here, before_->names_->hashes[before])};
  }
  return taken.id;
}

void SymbolIndexBuilder::TakeOver(SourceRange range, std::size_t by) {
  if (item_ == kNoSymbol) return;
  TakenNodes taken{.nodes = BlockOf(before_->nodes_, range, index_.nodes_.size()),
                   .occurrences = BlockOf(before_->occurrences_, range, index_.occurrences_.size()),
                   .scopes = BlockOf(before_->scopes_, range, index_.scopes_.size()),
                   .operands = {.target = index_.operands_.size()},
                   .attributes = {.target = index_.attributes_.size()},
                   .by = by};
  const std::span<const TextNode> nodes =
      std::span(before_->nodes_).subspan(taken.nodes.begin, taken.nodes.end - taken.nodes.begin);
  if (nodes.empty()) return;
  taken.operands = BlockOf(nodes, &TextNode::first_input, &TextNode::inputs,
                           BlockOf(nodes, &TextNode::first_output, &TextNode::outputs, taken.operands));
  taken.attributes = BlockOf(nodes, &TextNode::first_attribute, &TextNode::attributes, taken.attributes);
  if (taken_symbols_.empty()) taken_symbols_.resize(before_->symbols_.size());
  TakeParts(taken);
  TakeOccurrences(taken);
}

void SymbolIndexBuilder::TakeParts(const TakenNodes& taken) {
  const auto moved_name = [&](SymbolId id) { return id == kNoSymbol ? id : taken.occurrences.Moved(id); };
  const auto scope_of = [&](SymbolId scope) { return taken.scopes.Holds(scope) ? taken.scopes.Moved(scope) : item_; };
  std::size_t end = 0;
  for (std::size_t i = taken.nodes.begin; i < taken.nodes.end; ++i) {
    TextNode node = before_->nodes_[i];
    node.range = Moved(node.range, taken.by);
    node.label = Moved(node.label, taken.by);
    node.operator_range = Moved(node.operator_range, taken.by);
    node.scope = scope_of(node.scope);
    node.operator_name = moved_name(node.operator_name);
    if (node.outputs != 0) node.first_output = taken.operands.Moved(node.first_output);
    if (node.inputs != 0) node.first_input = taken.operands.Moved(node.first_input);
    if (node.attributes != 0) node.first_attribute = taken.attributes.Moved(node.first_attribute);
    if (node.scope == item_) end = node.range.end;
    index_.nodes_.push_back(node);
  }
  for (std::size_t i = taken.scopes.begin; i < taken.scopes.end; ++i) {
    TextScope scope = before_->scopes_[i];
    scope.range = Moved(scope.range, taken.by);
    scope.name_range = Moved(scope.name_range, taken.by);
    scope.name = TakenName(scope.name, scope.name_range);
    scope.body = Moved(scope.body, taken.by);
    scope.parent = scope_of(scope.parent);
    scope.node = taken.nodes.Moved(scope.node);
    std::ranges::transform(scope.inputs, scope.inputs.begin(), moved_name);
    std::ranges::transform(scope.outputs, scope.outputs.begin(), moved_name);
    index_.scopes_.push_back(std::move(scope));
  }
  for (std::size_t i = taken.operands.begin; i < taken.operands.end; ++i) {
    index_.operands_.push_back(moved_name(before_->operands_[i]));
  }
  for (std::size_t i = taken.attributes.begin; i < taken.attributes.end; ++i) {
    const TextAttribute& attribute = before_->attributes_[i];
    index_.attributes_.push_back({Moved(attribute.range, taken.by), moved_name(attribute.name)});
  }
  TextScope& item = index_.scopes_[item_];
  item.body.end = end;
  item.range.end = std::max(item.range.end, end);
}

void SymbolIndexBuilder::TakeOccurrences(const TakenNodes& taken) {
  std::vector<std::pair<SymbolId, SymbolId>> attributes;  // names, and the operators that have them
  for (std::size_t i = taken.nodes.begin; i < taken.nodes.end; ++i) {
    const TextNode& node = before_->nodes_[i];
    for (const TextAttribute& attribute : before_->AttributesOf(node)) {
      if (attribute.name == kNoSymbol) continue;
      attributes.emplace_back(
          taken.occurrences.Moved(attribute.name),
          node.operator_name == kNoSymbol ? kNoSymbol : taken.occurrences.Moved(node.operator_name));
    }
  }
  if (!std::ranges::is_sorted(attributes)) std::ranges::sort(attributes);  // unsorted if there are subgraphs
  auto attribute = attributes.begin();
  std::vector<std::pair<SymbolId, SymbolId>> inner;  // uses of values that subgraphs of these nodes define
  for (std::size_t i = taken.occurrences.begin; i < taken.occurrences.end; ++i) {
    const Occurrence& before = before_->occurrences_[i];
    const Symbol& symbol = before_->symbols_[before.symbol];
    const SourceRange range = Moved(before.range, taken.by);
    const SymbolId occurrence = Occur(range, before.is_definition);
    const SymbolId scope = taken.scopes.Holds(symbol.scope) ? taken.scopes.Moved(symbol.scope) : item_;
    switch (symbol.kind) {
      case SymbolKind::kValue:
        if (before.is_definition) {
          Bind(occurrence, TakenSymbol(before.symbol, scope, range));
        } else if (scope != item_) {
          inner.emplace_back(occurrence, before.symbol);
        } else {
          pending_.back().push_back({.occurrence = occurrence, .taken = before.symbol});
        }
        break;
      case SymbolKind::kDimension: {
        const SymbolId dimension = TakenSymbol(before.symbol, item_, range);
        index_.occurrences_[occurrence].is_definition = index_.symbols_[dimension].first == kNoSymbol;
        Bind(occurrence, dimension);
        break;
      }
      case SymbolKind::kDomain: Bind(occurrence, TakenSymbol(before.symbol, item_, range)); break;
      case SymbolKind::kFunction:
      case SymbolKind::kOperator:
        pending_operators_.emplace_back(occurrence, TakenOperator(before.symbol, range));
        break;
      case SymbolKind::kAttribute: {
        const bool is_reference = attribute == attributes.end() || attribute->first != occurrence;
        const SymbolId owner = is_reference ? item_ : attribute++->second;
        pending_attributes_.push_back({occurrence, {}, owner, is_reference, before.symbol});
        break;
      }
    }
  }
  for (const auto& [occurrence, symbol] : inner) Bind(occurrence, taken_symbols_[symbol].id);
}

}  // namespace onnxc
