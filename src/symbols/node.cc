// Adds nodes and attributes, and the symbols of the operators and functions that they call.
#include <tuple>
#include <utility>

#include "lower/literal.h"
#include "symbols/builder.h"

namespace onnxc {

using lower::ChildOf;
using lower::First;
using lower::IsBroken;
using lower::RangeOf;
using lower::SyntaxToken;
using lower::TokensOf;

// names  : name? (',' name?)*
std::vector<SymbolId> SymbolIndexBuilder::NamesOf(const Context* names, bool is_definition) {
  std::vector<SymbolId> found;
  bool is_open = false;  // a name was read since the last comma
  for (const SyntaxToken& token : TokensOf(names)) {
    if (token.type == Grammar::COMMA) {
      if (!is_open) found.push_back(kNoSymbol);
      is_open = false;
      continue;
    }
    is_open = true;
    if (NameOf(token).empty()) {
      found.push_back(kNoSymbol);
      continue;
    }
    found.push_back(static_cast<SymbolId>(index_.occurrences_.size()));
    if (is_definition) {
      (void)DefineValue(token);
    } else {
      UseValue(token);
    }
  }
  return found;
}

std::pair<std::uint32_t, std::uint32_t> SymbolIndexBuilder::Keep(const std::vector<SymbolId>& operands) {
  const auto first = static_cast<std::uint32_t>(index_.operands_.size());
  index_.operands_.insert(index_.operands_.end(), operands.begin(), operands.end());
  return {first, static_cast<std::uint32_t>(operands.size())};
}

// node : annotation* (inPlace | (lb='[' label=name? ']')? out=names '=' op? (':' overload=name)?
//        (attrs '(' in=names ')' | '(' in=names ')' attrs?))
void SymbolIndexBuilder::AddNode(const Grammar::NodeContext* tree) {
  const auto id = static_cast<SymbolId>(index_.nodes_.size());
  index_.nodes_.push_back({.range = RangeOf(tree), .scope = scope_, .is_whole = !IsBroken(tree)});
  TextNode node = index_.nodes_.back();
  if (tree->label != nullptr) node.label = static_cast<const SyntaxToken*>(tree->label)->range();
  if (tree->out != nullptr && !IsBroken(tree->out)) {
    std::tie(node.first_output, node.outputs) = Keep(NamesOf(tree->out, true));
  }
  const bool has_overload = tree->overload != nullptr && !IsBroken(tree->overload);
  if (const auto* op = ChildOf<Context>(tree, Grammar::RuleOp)) {
    AddOperator(op, has_overload ? NameOf(First(tree->overload)) : std::string_view(), &node);
  }
  index_.nodes_[id] = node;
  const auto add_attributes = [&](const Context* attrs) {
    std::vector<TextAttribute> attributes;
    for (auto* attr : attrs->children) {
      AddAttribute(static_cast<const Grammar::AttrContext*>(attr), id, &attributes);
    }
    node.first_attribute = static_cast<std::uint32_t>(index_.attributes_.size());
    node.attributes = static_cast<std::uint32_t>(attributes.size());
    index_.attributes_.insert(index_.attributes_.end(), attributes.begin(), attributes.end());
  };
  // Children are visited in order, because attributes may come before or after the inputs.
  for (auto* child : tree->children) {
    const auto* part = static_cast<const Context*>(child);
    if (part->getRuleIndex() == Grammar::RuleAttrs) add_attributes(part);
    if (part == tree->in && !IsBroken(part)) std::tie(node.first_input, node.inputs) = Keep(NamesOf(part, false));
  }
  index_.nodes_[id] = node;
}

// op     : '.'? name ('.' name)*
void SymbolIndexBuilder::AddOperator(const Context* op, std::string_view overload, TextNode* node) {
  if (IsBroken(op)) return;
  const SyntaxToken* last = nullptr;
  const SyntaxToken* first = nullptr;
  std::string domain;
  std::size_t domain_end = 0;
  for (const SyntaxToken& token : TokensOf(op)) {
    if (token.type == Grammar::DOT) continue;
    if (last != nullptr) {
      domain.append(domain.empty() ? "" : ".").append(NameOf(*last));
      domain_end = last->range().end;
    }
    if (first == nullptr) first = &token;
    last = &token;
  }
  if (last == nullptr) return;
  node->operator_range = RangeOf(op);
  std::string_view domain_name;
  if (!domain.empty()) {
    const SourceRange range = {first->begin, domain_end};
    domain_name = first->type != Grammar::STRING && domain.size() == range.end - range.begin
                      ? std::string_view(first->text.data(), domain.size())
                      : Owned(std::move(domain));
    Bind(Occur(range, false), FindOrDeclare({.kind = SymbolKind::kDomain, .name = domain_name, .scope = item_}));
  }
  node->operator_name = Occur(last->range(), false);
  pending_operators_.emplace_back(node->operator_name, static_cast<std::uint32_t>(operators_.size()));
  operators_.push_back(
      {.kind = SymbolKind::kOperator, .name = NameOf(*last), .domain = domain_name, .overload = overload});
}

// attr   : annotation* (inPlace | nm=name (':' kind=name)? '=' attrValue)
void SymbolIndexBuilder::AddAttribute(const Grammar::AttrContext* tree, SymbolId node,
                                      std::vector<TextAttribute>* attributes) {
  TextAttribute attribute{.range = RangeOf(tree)};
  if (tree->nm != nullptr) {
    const auto& name = *static_cast<const SyntaxToken*>(tree->nm);
    attribute.name = Occur(name.range(), false);
    pending_attributes_.push_back({attribute.name, NameOf(name), index_.nodes_[node].operator_name, false});
  }
  attributes->push_back(attribute);
  if (const auto* value = ChildOf<Context>(tree, Grammar::RuleAttrValue)) AddAttributeValue(value, node);
}

// attrValue : NUMBERS | STRINGS | open='[' (attrItem (',' attrItem)*)? ']' | attrItem
// attrItem  : (INT | FLOAT | SPECIAL) | (STRING | ID) graphRest? | inPlace | tensor
//           | '@' path (fieldValue annotation* (tensor | nm=(STRING | ID) graphRest))?
void SymbolIndexBuilder::AddAttributeValue(const Context* value, SymbolId node) {
  for (auto* child : value->children) {
    const auto* item = static_cast<const Grammar::AttrItemContext*>(child);
    const auto* rest = ChildOf<Context>(item, Grammar::RuleGraphRest);
    const auto* tensor = ChildOf<Context>(item, Grammar::RuleTensor);
    const auto* path = ChildOf<Context>(item, Grammar::RulePath);
    if (rest != nullptr) {
      const Token& name = item->nm == nullptr ? First(item) : *static_cast<const SyntaxToken*>(item->nm);
      AddSubgraph(name, rest, RangeOf(item), node);
    } else if (tensor != nullptr) {
      if (const auto* type = ChildOf<Context>(tensor, Grammar::RuleType)) AddDimensions(type);
    } else if (path != nullptr && ChildOf<Context>(item, Grammar::RuleFieldValue) == nullptr) {
      AddReference(path);
    }
  }
}

// Adds `@name`, a reference to an attribute of the enclosing function.
void SymbolIndexBuilder::AddReference(const Context* path) {
  if (IsBroken(path) || path->start != path->stop) return;
  pending_attributes_.push_back({Occur(RangeOf(path), false), NameOf(First(path)), item_, true});
}

// ---- after the whole text was read

void SymbolIndexBuilder::ResolveOperators() {
  std::vector<SymbolId> symbols(operators_.size(), kNoSymbol);
  for (const auto& [occurrence, op] : pending_operators_) {
    if (symbols[op] == kNoSymbol) {
      Symbol function = operators_[op];
      function.kind = SymbolKind::kFunction;
      const SymbolId known = names_->Find(index_.symbols_, function);
      symbols[op] = known == kNoSymbol ? FindOrDeclare(operators_[op]) : known;
    }
    Bind(occurrence, symbols[op]);
  }
}

void SymbolIndexBuilder::ResolveAttributes() {
  for (const PendingAttribute& pending : pending_attributes_) {
    SymbolId owner = kNoSymbol;
    if (pending.owner != kNoSymbol) {
      owner = pending.is_reference ? index_.scopes_[pending.owner].symbol : index_.occurrences_[pending.owner].symbol;
    }
    Bind(pending.occurrence, FindOrDeclare({.kind = SymbolKind::kAttribute, .name = pending.name, .owner = owner}));
  }
}

SymbolIndex SymbolIndexBuilder::Finish() {
  if (item_ != kNoSymbol) EndItem(0);
  ResolveOperators();
  ResolveAttributes();
  index_.names_ = std::move(names_);
  return std::move(index_);
}

}  // namespace onnxc
