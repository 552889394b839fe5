// textDocument/completion
#include <fmt/format.h>
#include <onnxc/proto.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/context.h"
#include "lsp/methods.h"
#include "lsp/operators.h"
#include "lsp/spelling.h"
#include "tables/attribute_types.h"
#include "tables/choices.h"
#include "tables/element_types.h"
#include "tables/header_keys.h"
#include "tables/operator_docs.h"

namespace onnxc::lsp {
namespace {

// CompletionItemKind of the protocol
constexpr int kFunction = 3;
constexpr int kVariable = 6;
constexpr int kModule = 9;
constexpr int kProperty = 10;
constexpr int kValue = 12;
constexpr int kKeyword = 14;
constexpr int kOperator = 24;
constexpr int kTypeParameter = 25;

constexpr std::size_t kMost = 200;  // items of a list; with more letters of the word there are others

bool ContainsLetters(std::string_view name, std::string_view letters) {
  const auto same = [](char a, char b) { return Lower(a) == Lower(b); };
  return letters.empty() || std::search(name.begin(), name.end(), letters.begin(), letters.end(), same) != name.end();
}

struct Item {
  std::string label;
  int kind = 0;
  std::string detail = {};
  std::string_view doc = {};
  std::string snippet = {};  ///< with placeholders, where there are some
  std::string text = {};     ///< what is written; empty: the label
  int rank = 1;              ///< those of lower ranks come first
};

/// The items that fit to the letters that are written already.
class List {
 public:
  List(const View& view, const CursorContext& context, const Client& client)
      : view_(view), context_(context), client_(client), letters_(view.current().TextOf(context.letters)) {}

  void Add(Item item) {
    if (!ContainsLetters(item.label, letters_)) return;
    if (items_.size() == kMost) {
      is_incomplete_ = true;
      return;
    }
    const int order = static_cast<int>(items_.size());
    Json entry = {
        {"label", item.label},
        {"kind", item.kind},
        {"sortText", fmt::format("{}{:04}", item.rank, order)},
        {"textEdit",
         {{"range", view_.current().RangeOf(context_.word)}, {"newText", item.text.empty() ? item.label : item.text}}}};
    if (!item.detail.empty()) entry["detail"] = item.detail;
    if (!item.doc.empty()) entry["documentation"] = {{"kind", "markdown"}, {"value", item.doc}};
    // Clients compare the text that is replaced with it.
    if (context_.is_quoted) entry["filterText"] = item.label.starts_with('"') ? item.label : '"' + item.label;
    if (!item.snippet.empty() && client_.snippets) {
      entry["insertTextFormat"] = 2;
      entry["textEdit"]["newText"] = item.snippet;
    }
    items_.push_back(std::move(entry));
  }

  [[nodiscard]] Json Result() { return {{"isIncomplete", is_incomplete_}, {"items", std::move(items_)}}; }

  [[nodiscard]] const View& view() const { return view_; }
  [[nodiscard]] const SymbolIndex& symbols() const { return view_.symbols(); }
  [[nodiscard]] const CursorContext& context() const { return context_; }

 private:
  const View& view_;
  const CursorContext& context_;
  const Client& client_;
  std::string_view letters_;
  Json items_ = Json::array();
  bool is_incomplete_ = false;
};

/// An operator with places for what must be given: `Conv (${1:X}, ${2:W})`.
std::string SnippetOf(const Operator& op) {
  int place = 0;
  std::vector<std::string> attributes;
  for (const OperatorAttribute& attribute : Attributes(op)) {
    if (attribute.required) attributes.push_back(fmt::format("{0} = ${{{1}}}", Word(attribute.name), ++place));
  }
  std::vector<std::string> inputs;
  for (const Parameter& input : Inputs(op)) {
    if (static_cast<Arity>(input.arity) == Arity::kOptional) break;
    inputs.push_back(fmt::format("${{{}:{}}}", ++place, Word(input.name)));
  }
  const std::string list = attributes.empty() ? "" : fmt::format(" <{}>", fmt::join(attributes, ", "));
  return fmt::format("{}{} ({})$0", Word(op.name), list, fmt::join(inputs, ", "));
}

void AddOperators(std::string_view domain, List* list) {
  const int known = FindDomain(domain);
  const int version = ImportedVersion(list->symbols(), list->context().scope, domain);
  if (known < 0 || version == 0) return;
  for (const std::string_view name : OperatorNames(known, version)) {
    const Operator* const op = FindOperator(domain, name, version);
    if (op == nullptr || op->deprecated) continue;
    list->Add({.label = std::string(name),
               .kind = kOperator,
               .detail = SignatureOf(*op),
               .doc = FirstSentence(DocOf(*op)),
               .snippet = SnippetOf(*op)});
  }
}

void AddFunctions(std::string_view domain, bool with_domain, List* list) {
  const SymbolIndex& symbols = list->symbols();
  for (const TextScope& scope : symbols.scopes()) {
    if (scope.symbol == kNoSymbol) continue;
    const Symbol& function = symbols.symbols()[scope.symbol];
    if (!with_domain && function.domain != domain) continue;
    const bool is_plain = !with_domain || function.domain.empty();
    const std::string name = Spelled(function.name);
    const std::string called = is_plain ? name : fmt::format("{}.{}", SpelledDomain(function.domain), name);
    std::vector<std::string> inputs;
    for (const SymbolId input : scope.inputs) {
      const Symbol& value = symbols.symbols()[symbols.occurrences()[input].symbol];
      inputs.push_back(fmt::format("${{{}:{}}}", inputs.size() + 1, SnippetText(Spelled(value.name))));
    }
    list->Add({.label = called,
               .kind = kFunction,
               .detail = "function",
               .snippet = fmt::format("{} ({})$0", SnippetText(called), fmt::join(inputs, ", ")),
               .rank = 0});
  }
}

void AddDomains(std::string_view written, List* list) {
  const SymbolId item = list->symbols().ItemOf(list->context().scope);
  if (item == kNoSymbol) return;
  for (const TextImport& import : list->symbols().scopes()[item].imports) {
    std::string_view rest = import.domain;
    if (!written.empty()) {
      if (!rest.starts_with(written) || rest.size() <= written.size() + 1 || rest[written.size()] != '.') continue;
      rest.remove_prefix(written.size() + 1);
    }
    if (rest.empty()) continue;
    list->Add({.label = fmt::format("{}.", rest),
               .kind = kModule,
               .detail = "domain",
               .text = SpelledDomain(rest) + ".",
               .rank = 2});
  }
}

/// The formal input at the cursor, where the operator is known.
const Parameter* WantedAt(const CursorContext& context, const SymbolIndex& symbols) {
  const int version = ImportedVersion(symbols, context.scope, context.domain);
  const Operator* const op = FindOperator(context.domain, context.op, version);
  return op == nullptr ? nullptr : ParameterAt(Inputs(*op), context.index);
}

/// For each scope where the node begins that the cursor is in: what is defined before it can be seen. 0: nothing can.
std::vector<std::size_t> SeenUpTo(const CursorContext& context, const View& view) {
  const SymbolIndex& symbols = view.symbols();
  std::vector<std::size_t> limits(symbols.scopes().size());
  std::size_t limit = view.ToKnown(context.node_begin);
  for (SymbolId id = context.scope; id != kNoSymbol; id = symbols.scopes()[id].parent) {
    limits[id] = limit;
    const SymbolId node = symbols.scopes()[id].node;
    if (node != kNoSymbol) limit = std::min(limit, symbols.nodes()[node].range.begin);
  }
  return limits;
}

// Values that the cursor can see, those with a type that fits first.
void AddValues(List* list) {
  const SymbolIndex& symbols = list->symbols();
  const Parameter* const wanted = WantedAt(list->context(), symbols);
  const std::vector<std::size_t> limits = SeenUpTo(list->context(), list->view());
  for (SymbolId id = static_cast<SymbolId>(symbols.symbols().size()); id > 0; --id) {
    const Symbol& symbol = symbols.symbols()[id - 1];
    if (symbol.kind != SymbolKind::kValue || symbol.definition == kNoSymbol) continue;
    if (symbols.occurrences()[symbol.definition].range.begin >= limits[symbol.scope]) continue;
    const InferredValue* const known = list->view().known().TypeOf(id - 1);
    Item item{.label = std::string(symbol.name), .kind = kVariable, .text = Spelled(symbol.name)};
    if (known != nullptr) item.detail = ToString(known->type);
    const TypeId type = known == nullptr ? kUnknownType : TypeOf(ToProto(known->type));
    if (type != kUnknownType && wanted != nullptr) item.rank = Types(*wanted).Has(type) ? 0 : 2;
    list->Add(std::move(item));
  }
}

void AddAttributes(List* list) {
  const CursorContext& context = list->context();
  const SymbolIndex& symbols = list->symbols();
  const auto is_given = [&](std::string_view name) {
    return std::ranges::find(context.attributes, name) != context.attributes.end();
  };
  const int version = ImportedVersion(symbols, context.scope, context.domain);
  if (const Operator* const op = FindOperator(context.domain, context.op, version)) {
    for (std::size_t i = 0; i < op->attributes; ++i) {
      const OperatorAttribute& attribute = Attributes(*op)[i];
      const std::string_view name = Word(attribute.name);
      if (is_given(name)) continue;
      list->Add({.label = std::string(name),
                 .kind = kProperty,
                 .detail = KindOf(*op, i),
                 .doc = FirstSentence(DocOfAttribute(*op, i).text),
                 .snippet = fmt::format("{} = $0", name),
                 .rank = attribute.required ? 0 : 1});
    }
    return;
  }
  for (const Symbol& symbol : symbols.symbols()) {
    if (symbol.kind != SymbolKind::kAttribute || symbol.owner == kNoSymbol || is_given(symbol.name)) continue;
    const Symbol& owner = symbols.symbols()[symbol.owner];
    const bool is_own =
        owner.kind == SymbolKind::kFunction && owner.name == context.op && owner.domain == context.domain;
    if (!is_own || symbol.definition == kNoSymbol) continue;
    list->Add({.label = std::string(symbol.name),
               .kind = kProperty,
               .snippet = fmt::format("{} = $0", SnippetText(Spelled(symbol.name))),
               .text = Spelled(symbol.name)});
  }
}

// The words of a choice, or the default. An attribute that takes the number of an element type is named so.
void AddAttributeValues(List* list) {
  const CursorContext& context = list->context();
  const std::string_view key = context.key;
  const int version = ImportedVersion(list->symbols(), context.scope, context.domain);
  const Operator* const op = FindOperator(context.domain, context.op, version);
  bool may_be_number = true;
  for (std::size_t i = 0; op != nullptr && i < op->attributes; ++i) {
    if (Word(Attributes(*op)[i].name) != key) continue;
    may_be_number = Attributes(*op)[i].type == onnx::AttributeProto::INT;
    const std::string_view otherwise = DocOfAttribute(*op, i).otherwise;
    const auto add = [&](std::string label) {
      const bool is_default = label == otherwise;
      list->Add(
          {.label = std::move(label), .kind = kValue, .detail = is_default ? "default" : "", .rank = !is_default});
    };
    const auto words = ChoicesOf(*op, key);
    for (const std::string_view word : words) add(fmt::format("\"{}\"", word));
    if (words.empty() && !otherwise.empty() && !context.is_quoted) add(std::string(otherwise));
  }
  const bool is_type = key == "to" || key.find("type") != std::string_view::npos;
  if (is_type && may_be_number && !context.is_quoted) {
    for (const ElementType& type : kElementTypes) {
      if (type.code == 0) continue;
      list->Add({.label = std::string(type.keyword),
                 .kind = kValue,
                 .detail = fmt::format("{}", type.code),
                 .text = fmt::format("{}", type.code)});
    }
  }
}

void AddReferences(List* list) {
  const SymbolIndex& symbols = list->symbols();
  const SymbolId item = symbols.ItemOf(list->context().scope);
  if (item == kNoSymbol) return;
  for (const Symbol& symbol : symbols.symbols()) {
    const bool is_own = symbol.kind == SymbolKind::kAttribute && symbol.owner != kNoSymbol &&
                        symbol.owner == symbols.scopes()[item].symbol;
    if (is_own) list->Add({.label = std::string(symbol.name), .kind = kProperty, .text = Spelled(symbol.name)});
  }
}

void AddTypes(List* list) {
  for (const ElementType& type : kElementTypes) {
    if (type.code != 0) list->Add({.label = std::string(type.keyword), .kind = kTypeParameter});
  }
  for (const char* word : {"seq", "optional", "map", "sparse_tensor", "opaque"}) {
    list->Add({.label = word, .kind = kTypeParameter, .snippet = fmt::format("{}($0)", word)});
  }
}

void AddDimensions(List* list) {
  const SymbolId item = list->symbols().ItemOf(list->context().scope);
  for (const Symbol& symbol : list->symbols().symbols()) {
    if (symbol.kind != SymbolKind::kDimension || symbol.scope != item) continue;
    list->Add({.label = std::string(symbol.name), .kind = kTypeParameter, .text = Spelled(symbol.name)});
  }
}

void AddFields(const google::protobuf::Descriptor* type,
               bool (*is_wanted)(const google::protobuf::Descriptor*, std::string_view), std::string_view behind,
               List* list) {
  for (int i = 0; i < type->field_count(); ++i) {
    const std::string& name = type->field(i)->name();
    if (!is_wanted(type, name)) continue;
    list->Add({.label = name, .kind = kProperty, .snippet = fmt::format("{}{}$0", name, behind)});
  }
}

bool IsAny(const google::protobuf::Descriptor* /*type*/, std::string_view /*name*/) { return true; }

void AddHeaderKeys(List* list) {
  AddFields(onnx::ModelProto::descriptor(), &HasKey, ": ", list);
  AddFields(
      onnx::FunctionProto::descriptor(),
      [](const google::protobuf::Descriptor* type, std::string_view name) {
        return HasKey(type, name) && !HasKey(onnx::ModelProto::descriptor(), name);
      },
      ": ", list);
}

void AddKnownDomains(List* list) {
  const std::string_view rest = list->view().current().text().substr(list->context().word.end);
  const std::size_t next = rest.find_first_not_of(" \t\r\n");
  const bool has_version = next != std::string_view::npos && rest[next] == ':';
  for (std::size_t i = 0; i < std::size(kOperatorDomains); ++i) {
    const std::string domain = fmt::format("\"{}\"", kOperatorDomains[i]);
    list->Add({.label = domain,
               .kind = kModule,
               .detail = fmt::format("newest version: {}", kOperatorSetVersions[i]),
               .text = has_version ? domain : fmt::format("{} : {}", domain, kOperatorSetVersions[i])});
  }
}

void AddItems(List* list) {
  const CursorContext& context = list->context();
  switch (context.slot) {
    case Slot::kOperator:
      AddFunctions(context.domain, context.domain.empty(), list);
      AddOperators(context.domain, list);
      return AddDomains(context.domain, list);
    case Slot::kOperand: return AddValues(list);
    case Slot::kAttributeName: return AddAttributes(list);
    case Slot::kAttributeValue: return AddAttributeValues(list);
    case Slot::kReference: return AddReferences(list);
    case Slot::kDeclaration: return AddTypes(list);
    case Slot::kDimension: return AddDimensions(list);
    case Slot::kHeaderKey: return AddHeaderKeys(list);
    case Slot::kImport: return AddKnownDomains(list);
    case Slot::kAttributeType:
      for (const AttributeType& type : kAttributeTypes) {
        if (type.code != 0) list->Add({.label = std::string(type.keyword), .kind = kKeyword});
      }
      return;
    case Slot::kAnnotation: return AddFields(onnx::NodeProto::descriptor(), &IsAny, " ", list);
    case Slot::kItem:
    case Slot::kHeaderValue:
    case Slot::kStatement:
    case Slot::kNone: return;
  }
}

}  // namespace

Json Completion(Workspace& workspace, const Json& params) {
  const View view = ViewOf(workspace, params);
  const CursorContext context = ContextAt(view, view.current().OffsetOf(Member(params, "position")));
  List list(view, context, workspace.client);
  AddItems(&list);
  return list.Result();
}

}  // namespace onnxc::lsp
