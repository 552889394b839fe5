#include "lsp/completion_calls.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "edit/rename_plan.h"
#include "lsp/formals.h"
#include "lsp/operators.h"
#include "lsp/spelling.h"
#include "symbols/spelling.h"
#include "tables/attribute_types.h"
#include "tables/choices.h"
#include "tables/element_types.h"
#include "tables/foreign_words.h"
#include "tables/operator_docs.h"

namespace onnxc::lsp {
namespace {

/// Returns an example of a value for an attribute of this type.
std::string SomeValue(AttributeKind type) {
  switch (type) {
    case AttributeKind::kFloat: return "1.0";
    case AttributeKind::kInt: return "1";
    case AttributeKind::kString: return "\"\"";
    case AttributeKind::kTensor: return "float {0}";
    case AttributeKind::kGraph: return "body () => () {}";
    case AttributeKind::kSparseTensor: return "sparse_tensor(float[1]) {0: 1}";
    case AttributeKind::kTypeProto: return "float";
    case AttributeKind::kFloats: return "[1.0]";
    case AttributeKind::kInts: return "[1]";
    case AttributeKind::kStrings: return "[\"\"]";
    case AttributeKind::kTensors: return "[float {0}]";
    case AttributeKind::kGraphs: return "[body () => () {}]";
    case AttributeKind::kSparseTensors: return "[sparse_tensor(float[1]) {0: 1}]";
    case AttributeKind::kTypeProtos: return "[float]";
  }
  return "1";
}

/// Returns the attribute's default value. If it has no default, returns the first of its choices or, if it has no
/// choices, an example value.
std::string ValueFor(const Operator& op, std::size_t index) {
  const OperatorAttribute& attribute = Attributes(op)[index];
  if (const std::string_view otherwise = DocOfAttribute(op, index).otherwise; !otherwise.empty()) {
    return std::string(otherwise);
  }
  const auto type = static_cast<AttributeKind>(attribute.type);
  const auto words = ChoicesOf(op, Word(attribute));
  if (!words.empty() && type == AttributeKind::kString) return edit::InQuotes(words.front());
  return SomeValue(type);
}

/// The parts of a node that the text already contains: the number of outputs and the types of the inputs.
struct Shape {
  std::size_t outputs = 0;
  std::vector<TypeId> inputs;
};

std::optional<Shape> ShapeAt(const CompletionList& list) {
  if (list.context().mark != "(" && list.context().mark != "<") return std::nullopt;
  const SymbolIndex& symbols = list.symbols();
  const SymbolId id = symbols.NodeAt(list.view().ToKnown(list.context().word.begin));
  if (id == kNoSymbol || !symbols.nodes()[id].is_whole) return std::nullopt;
  const TextNode& node = symbols.nodes()[id];
  Shape shape{.outputs = node.outputs, .inputs = {}};
  for (const SymbolId input : symbols.InputsOf(node)) {
    const SymbolId symbol = input == kNoSymbol ? kNoSymbol : symbols.occurrences()[input].symbol;
    const InferredValue* const known = symbol == kNoSymbol ? nullptr : list.view().known().TypeOf(symbol);
    shape.inputs.push_back(known == nullptr ? kNoType : TypeOf(ToProto(known->type)));
  }
  return shape;
}

bool Takes(const Operator& op, const Shape& shape) {
  if (shape.inputs.size() < op.min_inputs) return false;
  if (op.max_inputs != Operator::kUnlimited && shape.inputs.size() > op.max_inputs) return false;
  if (op.max_outputs != Operator::kUnlimited && shape.outputs > op.max_outputs) return false;
  for (std::size_t i = 0; i < shape.inputs.size(); ++i) {
    const Parameter* const formal = ParameterAt(Inputs(op), i);
    if (formal != nullptr && shape.inputs[i] != kNoType && !Types(*formal).Has(shape.inputs[i])) return false;
  }
  return true;
}

/// Returns a snippet of a call with placeholders for the required parts: `Conv (${1:X}, ${2:W})`. Parts that the text
/// already has are left out.
std::string CallOf(std::string_view called, const std::vector<std::string>& attributes,
                   const std::vector<std::string>& inputs, const CursorContext& context) {
  int place = 0;
  std::string text = SnippetText(called);
  if (context.mark == "(" || context.mark == "<" || context.mark == ":") return text;
  if (!attributes.empty()) {
    std::vector<std::string> list;
    for (std::size_t i = 0; i + 1 < attributes.size(); i += 2) {
      list.push_back(fmt::format("{} = ${{{}:{}}}", attributes[i], ++place, SnippetText(attributes[i + 1])));
    }
    text += fmt::format(" <{}>", fmt::join(list, ", "));
  }
  std::vector<std::string> list;
  for (const std::string& input : inputs) list.push_back(fmt::format("${{{}:{}}}", ++place, SnippetText(input)));
  return text + fmt::format(" ({})$0", fmt::join(list, ", "));
}

std::string CallOf(const Operator& op, std::string_view called, const CursorContext& context) {
  std::vector<std::string> attributes;  // name, value, name, value, ...
  for (std::size_t i = 0; i < op.attributes; ++i) {
    if (!Attributes(op)[i].required) continue;
    attributes.push_back(Spelled(Word(Attributes(op)[i])));
    attributes.push_back(ValueFor(op, i));
  }
  std::vector<std::string> inputs;
  for (const Parameter& input : Inputs(op)) {
    if (static_cast<Arity>(input.arity) == Arity::kOptional) break;
    inputs.push_back(Spelled(Word(input)));
  }
  return CallOf(called, attributes, inputs, context);
}

/// Returns the words of the domain that are still missing before an operator's name, with a dot after them. `written`
/// contains the words that the text has before the last dot, or is "". Returns nothing if the domain does not begin
/// with `written`.
std::optional<std::string> RestOfDomain(std::string_view domain, std::string_view written) {
  if (domain == written) return "";
  if (written.empty()) return SpelledDomain(domain) + ".";
  if (!domain.starts_with(written) || domain[written.size()] != '.') return std::nullopt;
  return SpelledDomain(domain.substr(written.size() + 1)) + ".";
}

/// Pairs of a domain and a name.
using Names = std::set<std::pair<std::string_view, std::string_view>>;

/// Returns the functions that can be called. They hide operators of the same names.
Names FunctionsOf(const CompletionList& list) {
  Names names;
  const auto add = [&](const SymbolIndex& symbols) {
    for (const TextScope& scope : symbols.scopes()) {
      if (scope.symbol == kNoSymbol) continue;
      const Symbol& function = symbols.symbols()[scope.symbol];
      if (function.overload.empty()) names.emplace(function.domain, function.name);
    }
  };
  add(list.symbols());
  for (const auto& library : list.libraries()) add(library->symbols());
  return names;
}

void AddOperators(std::string_view domain, const std::optional<Shape>& shape, const Names& functions,
                  CompletionList* list) {
  const auto rest = RestOfDomain(domain, list->context().domain);
  const Snapshot& text = list->view().known();
  const int version = ImportedVersion(text, list->context().scope, domain);
  if (!rest || version == 0) return;
  const OperatorTable operators = text.operators();
  for (const std::string_view name : operators.Names(domain, version)) {
    if (functions.contains({domain, name})) continue;
    const Operator* const op = operators.Find(domain, name, version);
    if (op == nullptr || op->deprecated) continue;
    const int rank = rest->empty() ? 1 : 2;
    const std::string called = *rest + Spelled(name);
    list->Add({.label = called,
               .kind = ItemKind::kOperator,
               .text = CallOf(*op, called, list->context()),
               .rank = shape && !Takes(*op, *shape) ? 3 : rank,
               .op = op});
  }
}

/// Adds the operators that the text uses in domains without a table of operators, if the enclosing graph or function
/// imports the domain.
void AddForeignOperators(const std::set<std::string_view>& imported, const Names& functions, CompletionList* list) {
  const OperatorTable operators = list->view().known().operators();
  for (const Symbol& op : list->symbols().symbols()) {
    if (op.kind != SymbolKind::kOperator || !imported.contains(op.domain)) continue;
    if (FindDomain(op.domain) >= 0 || operators.IsDeclared(op.domain)) continue;
    if (!op.overload.empty() || op.name.empty()) continue;
    if (functions.contains({op.domain, op.name})) continue;
    const auto rest = RestOfDomain(op.domain, list->context().domain);
    if (!rest) continue;
    const std::string called = *rest + Spelled(op.name);
    list->Add({.label = called,
               .kind = ItemKind::kOperator,
               .detail = "operator",
               .text = CallOf(called, {}, {}, list->context()),
               .rank = 2});
  }
}

/// Returns the functions that the function `item` must not call: itself, and those that call it, directly or not.
std::set<SymbolId> CallersOf(const SymbolIndex& symbols, SymbolId item) {
  std::unordered_map<SymbolId, std::vector<SymbolId>> callers;  // of each symbol
  for (const TextNode& node : symbols.nodes()) {
    if (node.operator_name == kNoSymbol) continue;
    callers[symbols.occurrences()[node.operator_name].symbol].push_back(symbols.ItemOf(node.scope));
  }
  std::set<SymbolId> found = {item};
  for (std::vector<SymbolId> open = {item}; !open.empty();) {
    const SymbolId called = open.back();
    open.pop_back();
    if (called == kNoSymbol || symbols.scopes()[called].symbol == kNoSymbol) continue;
    for (const SymbolId caller : callers[symbols.scopes()[called].symbol]) {
      if (found.insert(caller).second) open.push_back(caller);
    }
  }
  return found;
}

/// Adds the functions of a text, except for those in `without`.
void AddFunctionsOf(const SymbolIndex& symbols, const std::set<SymbolId>& without, const std::string& detail,
                    const std::optional<Shape>& shape, CompletionList* list) {
  std::set<std::string> names;
  for (SymbolId id = 0; id < symbols.scopes().size(); ++id) {
    const TextScope& scope = symbols.scopes()[id];
    if (scope.symbol == kNoSymbol || without.contains(id)) continue;
    const Symbol& function = symbols.symbols()[scope.symbol];
    const auto rest = RestOfDomain(function.domain, list->context().domain);
    if (!rest || function.name.empty()) continue;
    const bool is_own = &symbols == &list->symbols();
    const auto own = FindFunction(list->symbols(), function.domain, function.name, function.overload);
    if (!is_own && own != kNoSymbol) continue;
    std::string called = *rest + Spelled(function.name);
    if (list->context().mark == ":") {  // the overload stands behind the cursor
      if (!names.insert(called).second) continue;
    } else if (!function.overload.empty()) {
      called += ":" + Spelled(function.overload);
    }
    std::vector<std::string> inputs;
    for (const SymbolId input : scope.inputs) {
      inputs.push_back(Spelled(symbols.symbols()[symbols.occurrences()[input].symbol].name));
    }
    const bool fits = !shape || (shape->inputs.size() == inputs.size() && shape->outputs <= scope.outputs.size());
    list->Add({.label = called,
               .kind = ItemKind::kFunction,
               .detail = detail,
               .text = CallOf(called, {}, inputs, list->context()),
               .rank = fits ? 0 : 3});
  }
}

void AddFunctions(const std::optional<Shape>& shape, CompletionList* list) {
  const SymbolId item = list->symbols().ItemOf(list->context().scope);
  AddFunctionsOf(list->symbols(), CallersOf(list->symbols(), item), "function", shape, list);
  for (const auto& library : list->libraries()) {
    const std::string file = std::filesystem::path(library->path()).filename().string();
    AddFunctionsOf(library->symbols(), {}, fmt::format("function of {}", Quoted(file)), shape, list);
  }
}

/// Returns the name, followed by ` = ` and the value unless the text already has a value.
std::string Assigned(const std::string& name, const std::string& value, const CursorContext& context) {
  const bool has_value = context.mark == "=" || context.mark == ":";
  return has_value ? SnippetText(name) : fmt::format("{} = ${{1:{}}}$0", SnippetText(name), SnippetText(value));
}

void AddAttributesOfFunction(CompletionList* list, const auto& is_given) {
  const auto [text, scope] = list->CalledFunction();
  if (text == nullptr) return;
  const SymbolIndex& symbols = text->symbols();
  for (const Symbol& symbol : symbols.symbols()) {
    const bool is_own = symbol.kind == SymbolKind::kAttribute && symbol.owner == symbols.scopes()[scope].symbol;
    if (!is_own || symbol.definition == kNoSymbol || is_given(symbol.name)) continue;
    const auto formal = FindFormal(*text, scope, symbol.name);
    if (formal && formal->type != 0 && !MayHave(kAttributeTypes[formal->type], *list)) continue;
    const bool has_default = formal && !formal->otherwise.empty();
    const std::string value = has_default ? formal->otherwise
                              : formal    ? SomeValue(static_cast<AttributeKind>(formal->type))
                                          : "1";
    list->Add({.label = std::string(symbol.name),
               .kind = ItemKind::kProperty,
               .detail = formal && formal->type != 0 ? std::string(kAttributeTypes[formal->type].keyword) : "",
               .text = Assigned(Spelled(symbol.name), value, list->context()),
               .rank = has_default ? 1 : 0});
  }
}

}  // namespace

void AddCalls(CompletionList* list) {
  const std::optional<Shape> shape = ShapeAt(*list);
  const Names functions = FunctionsOf(*list);
  AddFunctions(shape, list);
  AddOperators("", shape, functions, list);
  const SymbolId item = list->symbols().ItemOf(list->context().scope);
  if (item == kNoSymbol) return;
  std::set<std::string_view> imported;
  for (const TextImport& import : list->symbols().scopes()[item].imports) {
    if (imported.insert(import.domain).second && !import.domain.empty()) {
      AddOperators(import.domain, shape, functions, list);
    }
  }
  AddForeignOperators(imported, functions, list);
}

void AddOverloads(CompletionList* list) {
  const CursorContext& context = list->context();
  for (const TextScope& scope : list->symbols().scopes()) {
    if (scope.symbol == kNoSymbol) continue;
    const Symbol& function = list->symbols().symbols()[scope.symbol];
    if (function.name != context.op || function.domain != context.domain || function.overload.empty()) continue;
    list->Add({.label = std::string(function.overload),
               .kind = ItemKind::kFunction,
               .detail = "overload",
               .text = SnippetText(Spelled(function.overload))});
  }
}

int TypeOfAttribute(const CompletionList& list) {
  const std::string_view name = list.context().key;
  if (const auto [text, scope] = list.CalledFunction(); text != nullptr) {
    const auto formal = FindFormal(*text, scope, name);
    return formal ? static_cast<int>(formal->type) : 0;
  }
  const Operator* const op = list.CalledOperator();
  for (std::size_t i = 0; op != nullptr && i < op->attributes; ++i) {
    if (Word(Attributes(*op)[i]) == name) return Attributes(*op)[i].type;
  }
  return 0;
}

// A name may be followed by `: TYPE` or by `= VALUE`, and a type by `= VALUE`. Without a type, a number without a
// fraction is an int. The beginning of a value shows its type, except that a tensor and a type begin with the same
// words.
bool MayHave(const AttributeType& type, const CompletionList& list) {
  const CursorContext& context = list.context();
  const std::string_view text = list.view().current().text();
  if (context.mark != "=" && context.mark != ":") return true;
  const std::size_t begin = text.find_first_not_of(" \t\r\n", context.next->range.end);
  if (begin == std::string_view::npos || text[begin] == '#') return true;
  if (text[begin] == '@') return text.substr(begin + 1, 1) != "{" || type.is_message;
  const bool is_list = text[begin] == '[';
  const std::size_t first = is_list ? text.find_first_not_of(" \t\r\n", begin + 1) : begin;
  if (first == std::string_view::npos) return true;
  const std::vector<TextToken> tokens = TokensIn(text, {first, first + 1});
  if (tokens.empty()) return false;
  const std::string_view word = list.view().current().TextOf(tokens.front().range);
  if (!is_list && tokens.front().kind == TokenKind::kMark) return true;  // the type or value is not written yet
  if (context.mark == ":") return word == type.keyword;
  if (is_list != type.is_list) return false;
  if (text[first] == ']' || text[first] == '@') return true;
  const AttributeKind kind = type.is_list ? static_cast<AttributeKind>(type.other) : type.kind();
  const std::string_view rest = text.substr(first, kMostRead);
  const std::string_view numbers = is_list ? rest.substr(0, rest.find(']')) : word;
  const bool is_whole = numbers.find_first_not_of("-0123456789, \t\r\n") == std::string_view::npos;
  const bool has_type = context.slot == Slot::kAttributeType;
  switch (tokens.front().kind) {
    case TokenKind::kString: return kind == AttributeKind::kString;
    case TokenKind::kNumber:
      return (kind == AttributeKind::kInt && is_whole) || (kind == AttributeKind::kFloat && (has_type || !is_whole));
    case TokenKind::kKeyword:
      return kind == AttributeKind::kTypeProto ||
             kind == (word == "sparse_tensor" ? AttributeKind::kSparseTensor : AttributeKind::kTensor);
    default: return kind == AttributeKind::kGraph;
  }
}

void AddAttributes(CompletionList* list) {
  const CursorContext& context = list->context();
  const auto is_given = [&](std::string_view name) {
    return std::ranges::find(context.given, name) != context.given.end();
  };
  const Operator* const op = list->CalledOperator();
  if (op == nullptr) return AddAttributesOfFunction(list, is_given);
  for (std::size_t i = 0; i < op->attributes; ++i) {
    const OperatorAttribute& attribute = Attributes(*op)[i];
    const std::string name(Word(attribute));
    if (is_given(name) || !MayHave(kAttributeTypes[attribute.type], *list)) continue;
    list->Add({.label = name,
               .kind = ItemKind::kProperty,
               .detail = KindOf(*op, i),
               .doc = FirstSentence(DocOfAttribute(*op, i).text),
               .text = Assigned(Spelled(name), ValueFor(*op, i), context),
               .rank = attribute.required ? 0 : 1});
  }
}

// Adds the words that the attribute accepts, or its default value. If the name of the attribute shows that its value is
// the number of an element type, adds these numbers.
void AddAttributeValues(CompletionList* list) {
  const CursorContext& context = list->context();
  if (context.next && context.mark != "," && context.mark != ">" && context.mark != "]") return;
  const std::string_view key = context.key;
  const bool is_element = context.bracket == Bracket::kList;
  const Operator* const op = list->CalledOperator();
  bool may_be_number = !is_element;
  for (std::size_t i = 0; op != nullptr && i < op->attributes; ++i) {
    if (Word(Attributes(*op)[i]) != key) continue;
    may_be_number = Attributes(*op)[i].type == onnx::AttributeProto::INT;
    const std::string_view otherwise = DocOfAttribute(*op, i).otherwise;
    const auto add = [&](std::string label) {
      const bool is_default = label == otherwise;
      list->Add({.label = std::move(label),
                 .kind = ItemKind::kValue,
                 .detail = is_default ? "default" : "",
                 .rank = !is_default});
    };
    const auto words = ChoicesOf(*op, key);
    const bool is_list = Attributes(*op)[i].type == onnx::AttributeProto::STRINGS;
    for (const std::string_view word : words) {
      const std::string quoted = edit::InQuotes(word);
      add(is_list && !is_element ? "[" + quoted + "]" : quoted);
    }
    if (words.empty() && !otherwise.empty() && !context.is_quoted && !is_element) add(std::string(otherwise));
  }
  if (!IsOfElementType(key) || !may_be_number || context.is_quoted) return;
  for (const ElementType& type : kElementTypes) {
    if (type.code == 0) continue;
    list->Add({.label = std::string(type.keyword),
               .kind = ItemKind::kValue,
               .detail = fmt::format("{}", type.code),
               .text = fmt::format("{}", type.code)});
  }
}

}  // namespace onnxc::lsp
