// Handles textDocument/completion.
#include <fmt/format.h>
#include <onnxc/checker.h>
#include <onnxc/parser.h>
#include <onnxc/proto.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "edit/rename_plan.h"
#include "lsp/calls.h"
#include "lsp/completion_calls.h"
#include "lsp/completion_list.h"
#include "lsp/methods.h"
#include "lsp/operators.h"
#include "lsp/spelling.h"
#include "symbols/spelling.h"
#include "tables/attribute_types.h"
#include "tables/carried.h"
#include "tables/element_types.h"
#include "tables/header_keys.h"
#include "tables/ir_versions.h"

namespace onnxc::lsp {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;

/// Returns the operator's parameter for which the operand at the cursor is passed, or null if the operator is not
/// known.
const Parameter* WantedAt(const CompletionList& list) {
  const Operator* const op = list.CalledOperator();
  return op == nullptr ? nullptr : ParameterAt(Inputs(*op), list.context().index);
}

/// Returns an offset for each scope of the text. A value of the scope is visible at the cursor if the value is defined
/// before this offset. The offset is 0 if the scope does not enclose the cursor.
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

// Adds the values that are visible at the cursor. Values of a fitting type come first. Values that fit equally well are
// in the order of their distance to the cursor.
void AddValues(CompletionList* list) {
  const SymbolIndex& symbols = list->symbols();
  const Parameter* const wanted = WantedAt(*list);
  const std::vector<std::size_t> limits = SeenUpTo(list->context(), list->view());
  for (SymbolId id = 0; id < symbols.symbols().size(); ++id) {
    const Symbol& symbol = symbols.symbols()[id];
    if (symbol.kind != SymbolKind::kValue || symbol.definition == kNoSymbol || symbol.name.empty()) continue;
    const std::size_t place = symbols.occurrences()[symbol.definition].range.begin;
    if (place >= limits[symbol.scope]) continue;
    const InferredValue* const known = list->view().known().TypeOf(id);
    Item item{.label = std::string(symbol.name),
              .kind = ItemKind::kVariable,
              .text = SnippetText(Spelled(symbol.name)),
              .distance = symbols.occurrences().back().range.end - place};
    if (known != nullptr) item.detail = ToString(known->type);
    const TypeId type = known == nullptr ? kNoType : TypeOf(ToProto(known->type));
    if (type != kNoType && wanted != nullptr) item.rank = Types(*wanted).Has(type) ? 0 : 2;
    list->Add(std::move(item));
  }
}

void AddReferences(CompletionList* list) {
  const SymbolIndex& symbols = list->symbols();
  const SymbolId item = symbols.ItemOf(list->context().scope);
  if (item == kNoSymbol) return;
  for (const Symbol& symbol : symbols.symbols()) {
    const bool is_own = symbol.kind == SymbolKind::kAttribute && symbol.owner != kNoSymbol &&
                        symbol.owner == symbols.scopes()[item].symbol;
    if (!is_own) continue;
    list->Add(
        {.label = std::string(symbol.name), .kind = ItemKind::kProperty, .text = SnippetText(Spelled(symbol.name))});
  }
}

/// Returns the text from the type or shape at the cursor to the end of its data, as in `[2] w = {1, 2}`. Returns
/// nothing if no data follow, and "" if they do not end soon.
std::optional<std::string_view> DataAfter(const CompletionList& list) {
  const std::string_view text = list.view().current().text();
  const std::size_t begin = list.context().word.end;
  int depth = list.context().slot == Slot::kDimension ? 1 : 0;
  bool has_data = false;
  for (const TextToken& token : TokensIn(text, {begin, std::min(text.size(), begin + kMostRead)})) {
    const std::string_view word = list.view().current().TextOf(token.range);
    has_data = has_data || (depth == 0 && (word == "=" || word == "{" || token.kind == TokenKind::kNumbers));
    if (token.kind != TokenKind::kMark) continue;
    if (word == "[" || word == "(" || word == "{") ++depth;
    const bool is_closed = (word == "]" || word == ")" || word == "}") && --depth < 0;
    if (!is_closed && (depth > 0 || (word != "," && word != ">"))) continue;
    return has_data ? std::optional(text.substr(begin, token.range.begin - begin)) : std::nullopt;
  }
  return has_data ? std::optional<std::string_view>("") : std::nullopt;
}

/// Returns whether the initializer at the cursor is valid with elements of this type. `rest` is its text after the
/// type.
bool IsInitializer(const ElementType& type, std::string_view rest) {
  onnx::TensorProto tensor;
  const std::string text = std::string(type.keyword) + std::string(rest);
  return Parse(text, &tensor, {.tell_functions_apart = true}).ok() &&
         CheckTensor(tensor, {.external_files = false}).ok();
}

/// Returns whether the word and the parentheses that follow the cursor are a type. Parentheses that do not end soon are
/// taken for those of any type.
bool FitsParentheses(std::string_view word, const CompletionList& list) {
  const std::string_view text = list.view().current().text();
  const std::size_t begin = list.context().word.end;
  int depth = 0;
  for (const TextToken& token : TokensIn(text, {begin, std::min(text.size(), begin + kMostRead)})) {
    const std::string_view mark = list.view().current().TextOf(token.range);
    depth += mark == "(" ? 1 : mark == ")" ? -1 : 0;
    if (depth > 0) continue;
    onnx::TypeProto type;
    return Parse(std::string(word) + std::string(text.substr(begin, token.range.end - begin)), &type).ok();
  }
  return true;
}

// Adds types. If a shape, parentheses or data follow the cursor, adds only types after which these are valid. If
// nothing of the same declaration follows, each type has a placeholder for a name.
void AddTypes(CompletionList* list) {
  const CursorContext& context = list->context();
  const bool has_arguments = context.mark == "(";
  const bool has_shape = context.mark == "[";
  const bool has_word = context.word.begin < context.word.end;
  const bool has_name = has_word && context.next && context.next->kind != TokenKind::kMark;
  std::optional<std::string_view> data = DataAfter(*list);
  std::vector<const ElementType*> fitting;
  for (const ElementType& type : kElementTypes) {
    if (type.code != 0 && data && (data->empty() || IsInitializer(type, *data))) fitting.push_back(&type);
  }
  if (fitting.empty()) data.reset();  // there are no data, or they are wrong, or those of the next declaration
  const std::string name = has_arguments || has_shape || has_name || data ? "" : " ${1:name}";
  for (const ElementType& type : kElementTypes) {
    const bool fits = !data || std::ranges::find(fitting, &type) != fitting.end();
    if (type.code == 0 || has_arguments || !fits) continue;
    list->Add({.label = std::string(type.keyword),
               .kind = ItemKind::kTypeParameter,
               .text = std::string(type.keyword) + name,
               .is_element = !data});
  }
  if (has_shape || data) return;
  for (const char* const word : {"seq", "optional"}) {
    if (has_arguments && !FitsParentheses(word, *list)) continue;
    list->Add({.label = word,
               .kind = ItemKind::kTypeParameter,
               .text = has_arguments ? word : fmt::format("{}(${{2:float}}){}", word, name),
               .rank = 2});
  }
  if (has_arguments) return;
  for (const char* const word :
       {"map(${2:int64}, ${3:float})", "sparse_tensor(${2:float}[${3:N}])", "opaque(${2:domain}, ${3:type})"}) {
    const std::string_view text = word;
    list->Add({.label = std::string(text.substr(0, text.find('('))),
               .kind = ItemKind::kTypeParameter,
               .text = std::string(text) + name,
               .rank = 2});
  }
}

void AddDimensions(CompletionList* list) {
  if (list->context().outer != Bracket::kValues || DataAfter(*list)) return;  // the elements of a tensor are numbers
  const SymbolId item = list->symbols().ItemOf(list->context().scope);
  for (const Symbol& symbol : list->symbols().symbols()) {
    if (symbol.kind != SymbolKind::kDimension || symbol.scope != item || symbol.name.empty()) continue;
    list->Add({.label = std::string(symbol.name),
               .kind = ItemKind::kTypeParameter,
               .text = SnippetText(Spelled(symbol.name))});
  }
}

/// Returns an example of a value of this field in the syntax of records and headers.
std::string_view SomeValueOf(const FieldDescriptor& field) {
  if (field.is_repeated()) return "[]";
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_STRING: return "\"\"";
    case FieldDescriptor::CPPTYPE_MESSAGE: return "{}";
    default: return "1";
  }
}

/// Returns whether the field can have the value that begins at an offset of the text, judged by its first characters.
bool MayHold(const FieldDescriptor& field, std::string_view text, std::size_t begin) {
  constexpr std::string_view kSpace = " \t\r\n";
  begin = text.find_first_not_of(kSpace, begin);
  if (begin == std::string_view::npos || std::string_view(",>@").find(text[begin]) != std::string_view::npos)
    return true;
  const bool is_list = text[begin] == '[';
  if (text[begin] != '#' && is_list != field.is_repeated()) return false;
  if (is_list) begin = text.find_first_not_of(kSpace, begin + 1);
  if (begin == std::string_view::npos || text[begin] == ']' || text[begin] == '#') return true;
  const std::vector<TextToken> tokens = TokensIn(text, {begin, std::min(text.size(), begin + kMostRead)});
  const auto word = [&](std::size_t at) {
    return at < tokens.size() ? text.substr(tokens[at].range.begin, tokens[at].range.end - tokens[at].range.begin) : "";
  };
  const Descriptor* const message = field.message_type();
  const bool is_string = field.cpp_type() == FieldDescriptor::CPPTYPE_STRING;
  if (text[begin] == '(') return message != nullptr;
  if (text[begin] == '{') {
    return message != nullptr && (word(1) == "}" || message->FindFieldByName(std::string(word(1))) != nullptr);
  }
  if (text.substr(begin).starts_with("b\"")) return is_string;
  if (text[begin] != '"') return message == nullptr && !is_string;
  if (word(1) != ":") return is_string;
  const bool has_string = word(2).starts_with('"');  // `"key" : "value"`, not `"domain" : 21`
  return message != nullptr && message->field_count() == 2 &&
         has_string == (message->field(1)->cpp_type() == FieldDescriptor::CPPTYPE_STRING);
}

/// Adds the name of `field`, followed by `sign` and an example value. If a value follows the cursor at the offset
/// `value` of the text, adds only the name, and only if the field can have this value.
void AddField(const FieldDescriptor& field, std::optional<std::size_t> value, std::string_view sign,
              CompletionList* list) {
  if (value && !MayHold(field, list->view().current().text(), *value)) return;
  const std::string example = field.name() == "ir_version"     ? fmt::to_string(kUsualIrVersion)
                              : field.name() == "opset_import" ? fmt::format("[\"\" : {}]", kUsualOpset)
                                                               : std::string(SomeValueOf(field));
  list->Add({.label = std::string(field.name()),
             .kind = ItemKind::kProperty,
             .text = value ? std::string(field.name())
                           : fmt::format("{}{}${{1:{}}}", field.name(), sign, SnippetText(example))});
}

/// Adds the fields that only an annotation can set, because the syntax of the annotated element has no place for them.
template <typename Proto>
void AddAnnotations(CompletionList* list) {
  const Descriptor* const type = Proto::descriptor();
  const FieldSet carried = kCarried<Proto>;
  const std::optional<TextToken>& next = list->context().next;
  const std::string_view mark = list->context().mark;
  const bool has_value = mark == "[" || mark == "{" || mark == "(" ||
                         (next && (next->kind == TokenKind::kString || next->kind == TokenKind::kNumber ||
                                   next->kind == TokenKind::kNumbers));
  const std::optional<std::size_t> value = has_value ? std::optional(next->range.begin) : std::nullopt;
  for (int i = 0; i < type->field_count(); ++i) {
    const FieldDescriptor& field = *type->field(i);
    const bool is_value =
        type == onnx::AttributeProto::descriptor() &&
        std::ranges::find(kAttributeTypes, field.number(), &AttributeType::field) != kAttributeTypes.end();
    const bool is_given = std::ranges::find(list->context().given, field.name()) != list->context().given.end();
    if (is_value || is_given || (field.number() < 64 && ((carried >> field.number()) & 1) != 0)) continue;
    AddField(field, value, " ", list);
  }
}

void AddAnnotations(CompletionList* list) {
  switch (list->context().bracket) {
    case Bracket::kBody: return AddAnnotations<onnx::NodeProto>(list);
    case Bracket::kAttributes: return AddAnnotations<onnx::AttributeProto>(list);
    case Bracket::kValues: return AddAnnotations<onnx::ValueInfoProto>(list);
    default: return;
  }
}

/// Adds the header keys of a model or a function. If it is not known to which of the two the header belongs, adds the
/// keys of both.
void AddHeaderKeys(CompletionList* list) {
  const CursorContext& context = list->context();
  const SymbolId item = list->symbols().ItemOf(context.scope);
  const bool is_known = item != kNoSymbol;
  const bool is_function = is_known && list->symbols().scopes()[item].kind == TextScope::Kind::kFunction;
  const std::string word(list->view().current().TextOf(context.word));
  const bool has_value = context.mark == ":";
  const std::optional<std::size_t> value = has_value ? std::optional(context.next->range.end) : std::nullopt;
  std::vector<const Descriptor*> types;
  if (!is_function) types.push_back(onnx::ModelProto::descriptor());
  if (is_function || !is_known) types.push_back(onnx::FunctionProto::descriptor());
  for (const Descriptor* const type : types) {
    // These keys decide whether the header belongs to a model or to a function, so another key must not replace them.
    const bool must_stay = word == "ir_version" || word == "opset_import" || (is_function && word == "domain");
    for (int i = 0; i < type->field_count(); ++i) {
      const FieldDescriptor& field = *type->field(i);
      const std::string_view name = field.name();
      const bool is_double = type != types.front() && HasKey(types.front(), name);
      const bool is_given = std::ranges::find(context.given, name) != context.given.end();
      if (!HasKey(type, name) || is_double || is_given || (has_value && must_stay && name != word)) continue;
      AddField(field, value, ": ", list);
    }
  }
}

void AddKnownDomains(CompletionList* list) {
  const CursorContext& context = list->context();
  const SymbolId item = list->symbols().ItemOf(context.scope);
  const std::string word = NameOf(list->view().current().TextOf(context.word));
  const OperatorTable operators = list->view().known().operators();
  for (const std::string_view name : operators.Domains()) {
    const bool is_imported =
        item != kNoSymbol && std::ranges::count(list->symbols().scopes()[item].imports, name, &TextImport::domain) > 0;
    if (is_imported && (name != word || context.word.begin == context.word.end)) continue;
    const std::string domain = edit::InQuotes(name);
    const int newest = operators.NewestVersion(name);
    list->Add({.label = domain,
               .kind = ItemKind::kModule,
               .detail = fmt::format("newest version: {}", newest),
               .text = SnippetText(context.mark == ":"
                                       ? domain
                                       : fmt::format("{} : {}", domain, name.empty() ? kUsualOpset : newest))});
  }
}

void AddAttributeTypes(CompletionList* list) {
  const CursorContext& context = list->context();
  const std::string_view word = list->view().current().TextOf(context.word);
  if (word.empty() && context.next && context.next->kind != TokenKind::kMark) return;  // the cursor is before a type
  const int declared = TypeOfAttribute(*list);
  for (const AttributeType& type : kAttributeTypes) {
    const bool is_written = type.keyword == word;
    if (type.code == 0 || !(is_written || MayHave(type, *list))) continue;
    if (declared != 0 && declared != type.code) continue;
    list->Add({.label = std::string(type.keyword), .kind = ItemKind::kKeyword});
  }
}

void AddItems(CompletionList* list) {
  if (!list->context().begins) return;
  switch (list->context().slot) {
    case Slot::kOperator: return AddCalls(list);
    case Slot::kOverload: return AddOverloads(list);
    case Slot::kOperand: return AddValues(list);
    case Slot::kAttributeName: return AddAttributes(list);
    case Slot::kAttributeValue: return AddAttributeValues(list);
    case Slot::kReference: return AddReferences(list);
    case Slot::kDeclaration: return AddTypes(list);
    case Slot::kDimension: return AddDimensions(list);
    case Slot::kHeaderKey: return AddHeaderKeys(list);
    case Slot::kImport: return AddKnownDomains(list);
    case Slot::kAttributeType: return AddAttributeTypes(list);
    case Slot::kAnnotation: return AddAnnotations(list);
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
  CompletionList list(view, context, workspace.client, LibrariesOf(workspace, view.known()));
  AddItems(&list);
  return list.Take();
}

}  // namespace onnxc::lsp
