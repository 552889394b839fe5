#include "symbols/builder.h"

#include <algorithm>
#include <utility>

#include "lower/header.h"
#include "lower/literal.h"

namespace onnxc {

using lower::ChildOf;
using lower::First;
using lower::IsBroken;
using lower::RangeOf;
using lower::SyntaxToken;

namespace {

const SyntaxToken* TokenOf(const antlr4::Token* token) { return static_cast<const SyntaxToken*>(token); }

bool IsNamed(const SyntaxToken& token) {
  using lower::Grammar;
  switch (token.type) {
    case Grammar::ID:
    case Grammar::STRING:
    case Grammar::ELEMENT:
    case Grammar::SEQ:
    case Grammar::OPTIONAL:
    case Grammar::MAP:
    case Grammar::SPARSE_TENSOR:
    case Grammar::OPAQUE:
    case Grammar::SPECIAL: return true;
    default: return false;
  }
}

}  // namespace

// ---- symbols

std::string_view SymbolIndexBuilder::Owned(std::string name) { return names_->decoded.emplace_back(std::move(name)); }

std::string_view SymbolIndexBuilder::NameOf(const Token& token) {
  if (token.type != Grammar::STRING) return token.text;
  const std::string_view inner =
      token.text.size() < 2 ? std::string_view() : token.text.substr(1, token.text.size() - 2);
  if (token.text.starts_with('"') && inner.find('\\') == std::string_view::npos) return inner;
  return Owned(lower::NameOf(token));
}

SymbolId SymbolIndexBuilder::Occur(SourceRange range, bool is_definition) {
  index_.occurrences_.push_back({.range = range, .is_definition = is_definition});
  return static_cast<SymbolId>(index_.occurrences_.size() - 1);
}

SymbolId SymbolIndexBuilder::FindOrDeclare(const Symbol& symbol) { return names_->FindOrAdd(&index_.symbols_, symbol); }

void SymbolIndexBuilder::Bind(SymbolId occurrence, SymbolId symbol_id) {
  Symbol& symbol = index_.symbols_[symbol_id];
  Occurrence& bound = index_.occurrences_[occurrence];
  bound.symbol = symbol_id;
  if (symbol.first == kNoSymbol) {
    symbol.first = occurrence;
  } else {
    index_.occurrences_[symbol.last].next = occurrence;
  }
  symbol.last = occurrence;
  if (bound.is_definition && (symbol.definition == kNoSymbol || occurrence < symbol.definition)) {
    symbol.definition = occurrence;
  }
}

// ---- values

SymbolId SymbolIndexBuilder::DefineValue(const Token& token, bool is_definition) {
  const std::string_view name = NameOf(token);
  const SymbolId occurrence = Occur(token.range(), is_definition);
  Bind(occurrence, FindOrDeclare({.kind = SymbolKind::kValue, .name = name, .scope = scope_}));
  return occurrence;
}

// A use of a name is resolved when the scope ends, because the outputs of a graph are written before the nodes that
// define them.
void SymbolIndexBuilder::UseValue(const Token& token) {
  const std::string_view name = NameOf(token);
  pending_.back().push_back({.name = name, .occurrence = Occur(token.range(), false)});
}

SymbolId SymbolIndexBuilder::OpenScope(TextScope scope) {
  index_.scopes_.push_back(std::move(scope));
  pending_.emplace_back();
  scope_ = static_cast<SymbolId>(index_.scopes_.size() - 1);
  return scope_;
}

// A name that a scope does not define belongs to the enclosing scope.
void SymbolIndexBuilder::CloseScope(SymbolId scope) {
  auto uses = std::move(pending_.back());
  pending_.pop_back();
  for (const PendingUse& use : uses) {
    const Symbol value{.kind = SymbolKind::kValue, .name = use.name, .scope = scope};
    if (pending_.empty()) {
      Bind(use.occurrence, FindOrDeclare(value));
    } else if (const SymbolId symbol = names_->Find(index_.symbols_, value); symbol != kNoSymbol) {
      Bind(use.occurrence, symbol);
    } else {
      pending_.back().push_back(use);
    }
  }
  scope_ = index_.scopes_[scope].parent;
}

// value     : valueInfo (eq='=' data?)?
void SymbolIndexBuilder::AddValue(const Context* value, bool is_input) {
  const bool is_definition = is_input || static_cast<const Grammar::ValueContext*>(value)->eq != nullptr;
  std::vector<SymbolId>* const list = is_input ? &index_.scopes_[scope_].inputs : nullptr;
  if (const auto* info = ChildOf<Context>(value, Grammar::RuleValueInfo)) AddInfo(info, is_definition, list);
}

// valueInfo : annotation* (inPlace | type nm=name | bare=(ID | STRING | SPECIAL))
void SymbolIndexBuilder::AddInfo(const Context* tree, bool is_definition, std::vector<SymbolId>* list) {
  const auto* info = static_cast<const Grammar::ValueInfoContext*>(tree);
  if (const auto* type = ChildOf<Context>(info, Grammar::RuleType)) AddDimensions(type);
  const Token* name = TokenOf(info->bare);
  if (name == nullptr && info->nm != nullptr && !IsBroken(info->nm)) name = &First(info->nm);
  if (name == nullptr || !IsNamed(*name)) return;
  if (is_definition) {
    const SymbolId occurrence = DefineValue(*name);
    if (list != nullptr) list->push_back(occurrence);
  } else {
    if (list != nullptr) list->push_back(static_cast<SymbolId>(index_.occurrences_.size()));
    UseValue(*name);
  }
}

// outputs   : '(' (valueInfo (',' valueInfo)*)? ')'
void SymbolIndexBuilder::AddOutputs(const Context* outputs) {
  for (auto* child : outputs->children) {
    AddInfo(static_cast<const Context*>(child), false, &index_.scopes_[scope_].outputs);
  }
}

// dim    : annotation* (inPlace | '?' | INT | ID | STRING | keyword)
void SymbolIndexBuilder::AddDimensions(const Context* tree) {
  if (tree->getRuleIndex() != Grammar::RuleDim) {
    for (auto* child : tree->children) AddDimensions(static_cast<const Context*>(child));
    return;
  }
  if (IsBroken(tree) || ChildOf<Context>(tree, Grammar::RuleInPlace) != nullptr) return;
  // The token of the dimension is the last one, because annotations come before it.
  const Token& token = *TokenOf(tree->stop);
  if (!IsNamed(token)) return;
  const std::string_view name = NameOf(token);
  const SymbolId symbol = FindOrDeclare({.kind = SymbolKind::kDimension, .name = name, .scope = item_});
  Bind(Occur(token.range(), index_.symbols_[symbol].first == kNoSymbol), symbol);
}

// ---- items

// item     : annotation* (inPlace | (header annotation*)? named)
// itemName : nm=name formals?
void SymbolIndexBuilder::BeginItem(const Grammar::ItemNameContext* name, bool is_function) {
  const auto* item = static_cast<const Context*>(name->parent->parent);
  if (item_ != kNoSymbol) EndItem(First(item).begin);  // the item before had an error
  const SourceRange head = RangeOf(item);
  TextScope scope{.kind = is_function ? TextScope::Kind::kFunction : TextScope::Kind::kGraph,
                  .range = {head.begin, RangeOf(name).end}};
  const bool has_name = name->nm != nullptr && !IsBroken(name->nm);
  scope.name_range = has_name ? RangeOf(name->nm) : RangeOf(name);
  if (has_name) scope.name = NameOf(First(name->nm));
  item_ = OpenScope(std::move(scope));
  Symbol function{.kind = SymbolKind::kFunction, .name = index_.scopes_[item_].name};
  if (const auto* header = ChildOf<Context>(item, Grammar::RuleHeader)) {
    index_.scopes_[item_].header = RangeOf(header);
    AddHeader(header, item_, &function);
  }
  if (is_function && has_name) {
    const SymbolId occurrence = Occur(RangeOf(name->nm), true);
    const SymbolId symbol = FindOrDeclare(function);
    Bind(occurrence, symbol);
    index_.scopes_[item_].symbol = symbol;
  }
  if (const auto* formals = ChildOf<Context>(name, Grammar::RuleFormals)) AddFormals(formals, item_);
}

void SymbolIndexBuilder::EndItem(std::size_t end) {
  TextScope& scope = index_.scopes_[item_];
  scope.range.end = std::max(scope.range.end, end);
  CloseScope(item_);
  item_ = kNoSymbol;
}

// header  : '<' entry (',' entry)* '>'
// entry   : key=name ':' fieldValue
void SymbolIndexBuilder::AddHeader(const Context* header, SymbolId scope, Symbol* function) {
  for (auto* child : header->children) {
    const auto* entry = static_cast<const Grammar::EntryContext*>(child);
    const auto* value = ChildOf<Context>(entry, Grammar::RuleFieldValue);
    if (entry->key == nullptr || value == nullptr || IsBroken(entry->key)) continue;
    const std::string_view key = First(entry->key).text;
    if (key == "opset_import") AddImports(value, scope);
    if (key == "domain" && IsNamed(First(value))) function->domain = NameOf(First(value));
    if (key == "overload" && IsNamed(First(value))) function->overload = NameOf(First(value));
  }
}

// list       : '[' (member (',' member)*)? ']'
void SymbolIndexBuilder::AddImports(const Context* value, SymbolId scope) {
  const auto* list = ChildOf<Context>(value, Grammar::RuleList);
  if (list == nullptr) return;
  for (auto* member : list->children) AddImport(static_cast<const Context*>(member), scope);
}

// member     : fieldValue (':' fieldValue)?
void SymbolIndexBuilder::AddImport(const Context* member, SymbolId scope) {
  if (IsBroken(member) || member->children.size() != 2) return;
  const Token& domain = First(static_cast<const Context*>(member->children.front()));
  const Token& version = First(static_cast<const Context*>(member->children.back()));
  if (domain.type != Grammar::STRING || version.type != Grammar::INT) return;
  TextImport import{.domain = NameOf(domain), .range = RangeOf(member)};
  for (const char digit : version.text) {
    if (digit < '0' || digit > '9' || import.version > 1'000'000) break;
    import.version = import.version * 10 + (digit - '0');
  }
  Bind(Occur(domain.range(), true),
       FindOrDeclare({.kind = SymbolKind::kDomain, .name = import.domain, .scope = scope}));
  index_.scopes_[scope].imports.push_back(import);
}

// formals : '<' formal (',' formal)* '>'
// formal  : annotation* (inPlace | nm=name (':' kind=name)? (eq='=' attrValue)?)
void SymbolIndexBuilder::AddFormals(const Context* formals, SymbolId scope) {
  for (auto* child : formals->children) {
    const auto* formal = static_cast<const Grammar::FormalContext*>(child);
    if (formal->nm == nullptr || IsBroken(formal->nm)) continue;
    pending_attributes_.push_back({Occur(RangeOf(formal->nm), true), NameOf(First(formal->nm)), scope, true});
    if (const auto* value = ChildOf<Context>(formal, Grammar::RuleAttrValue)) AddAttributeValue(value, kNoSymbol);
  }
}

// graphRest : inputs? '=>' outputs values? body
void SymbolIndexBuilder::AddSubgraph(const Token& name, const Context* rest, SourceRange range, SymbolId node) {
  const SymbolId scope = OpenScope({.kind = TextScope::Kind::kSubgraph,
                                    .range = range,
                                    .name_range = name.range(),
                                    .name = NameOf(name),
                                    .parent = scope_,
                                    .node = node});
  if (const auto* inputs = ChildOf<Context>(rest, Grammar::RuleInputs)) {
    for (auto* value : inputs->children) AddValue(static_cast<const Context*>(value), true);
  }
  if (const auto* outputs = ChildOf<Context>(rest, Grammar::RuleOutputs)) AddOutputs(outputs);
  if (const auto* values = ChildOf<Context>(rest, Grammar::RuleValues)) {
    for (auto* value : values->children) AddValue(static_cast<const Context*>(value), false);
  }
  if (const auto* body = ChildOf<Context>(rest, Grammar::RuleBody)) {
    index_.scopes_[scope].body = RangeOf(body);
    for (auto* child : body->children) AddNode(static_cast<const Grammar::NodeContext*>(child));
  }
  CloseScope(scope);
}

void SymbolIndexBuilder::Add(const Context* part, bool is_function) {
  const std::size_t rule = part->getRuleIndex();
  if (rule == Grammar::RuleItemName) {
    return BeginItem(static_cast<const Grammar::ItemNameContext*>(part), is_function);
  }
  if (rule == Grammar::RuleItemsFile && item_ != kNoSymbol) EndItem(RangeOf(part).end);
  if (item_ == kNoSymbol) return;
  switch (rule) {
    case Grammar::RuleItem: return EndItem(RangeOf(part).end);
    case Grammar::RuleValue:
      AddValue(part, static_cast<const Context*>(part->parent)->getRuleIndex() == Grammar::RuleInputs);
      break;
    case Grammar::RuleOutputs: AddOutputs(part); break;
    case Grammar::RuleNode: {
      const auto* body = static_cast<const Context*>(part->parent);
      index_.scopes_[item_].body = {First(body).begin, RangeOf(part).end};
      AddNode(static_cast<const Grammar::NodeContext*>(part));
      break;
    }
    default: break;
  }
  SourceRange& range = index_.scopes_[item_].range;
  range.end = std::max(range.end, RangeOf(part).end);
}

}  // namespace onnxc
