#include "lsp/operators.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "tables/attribute_types.h"
#include "tables/choices.h"
#include "tables/operator_docs.h"

namespace onnxc::lsp {
namespace {

std::string_view TypeWord(const OperatorAttribute& attribute) {
  // A declared operator may leave the type open.
  return attribute.type == 0 ? "?" : kAttributeTypes[attribute.type].keyword;
}

}  // namespace

int ImportedVersion(const Snapshot& text, SymbolId scope, std::string_view domain) {
  const SymbolId item = text.symbols().ItemOf(scope);
  const auto newest = [&] { return text.operators().NewestVersion(domain); };
  if (item == kNoSymbol) return newest();
  const auto& imports = text.symbols().scopes()[item].imports;
  for (const TextImport& import : imports) {
    if (import.domain == domain) return static_cast<int>(std::min<std::int64_t>(import.version, 1'000'000));
  }
  return imports.empty() ? newest() : 0;
}

const Operator* OperatorIn(const Snapshot& text, SymbolId scope, std::string_view domain, std::string_view name) {
  return text.operators().Find(domain, name, ImportedVersion(text, scope, domain));
}

const Operator* OperatorIn(const Snapshot& text, SymbolId scope, const Symbol& op) {
  return op.kind == SymbolKind::kOperator ? OperatorIn(text, scope, op.domain, op.name) : nullptr;
}

const Operator* OperatorOf(const Snapshot& text, const TextNode& node) {
  const Symbol* const op = text.symbols().OperatorOf(node);
  return op == nullptr ? nullptr : OperatorIn(text, node.scope, *op);
}

SymbolId FunctionScope(const SymbolIndex& symbols, SymbolId function) {
  for (SymbolId scope = 0; scope < symbols.scopes().size(); ++scope) {
    if (symbols.scopes()[scope].symbol == function && function != kNoSymbol) return scope;
  }
  return kNoSymbol;
}

SymbolId FindFunction(const SymbolIndex& symbols, std::string_view domain, std::string_view name,
                      std::string_view overload) {
  for (SymbolId scope = 0; scope < symbols.scopes().size(); ++scope) {
    if (symbols.scopes()[scope].symbol == kNoSymbol) continue;
    const Symbol& function = symbols.symbols()[symbols.scopes()[scope].symbol];
    if (function.name == name && function.domain == domain && function.overload == overload) return scope;
  }
  return kNoSymbol;
}

std::string Shown(const Parameter& parameter) {
  std::string name(Word(parameter));
  switch (static_cast<Arity>(parameter.arity)) {
    case Arity::kSingle: break;
    case Arity::kOptional: name += '?'; break;
    case Arity::kVariadic: name += "..."; break;
  }
  return name;
}

std::string SignatureOf(const Operator& op) {
  const auto shown = [](std::span<const Parameter> parameters) {
    std::vector<std::string> names;
    for (const Parameter& parameter : parameters) names.push_back(Shown(parameter));
    return fmt::format("{}", fmt::join(names, ", "));
  };
  std::vector<std::string> attributes;
  for (const OperatorAttribute& attribute : Attributes(op)) {
    attributes.push_back(fmt::format("{}{}: {}", Word(attribute), attribute.required ? "" : "?", TypeWord(attribute)));
  }
  const std::string list = attributes.empty() ? "" : fmt::format(" <{}>", fmt::join(attributes, ", "));
  return fmt::format("{} = {}{} ({})", shown(Outputs(op)), Word(op), list, shown(Inputs(op)));
}

std::string KindOf(const Operator& op, std::size_t attribute) {
  const OperatorAttribute& row = Attributes(op)[attribute];
  std::string kind(TypeWord(row));
  if (const auto words = ChoicesOf(op, Word(row)); !words.empty()) {
    kind += fmt::format(", \"{}\"", fmt::join(words, "\", \""));
    kind.replace(kind.rfind(", "), 2, " or ");
  }
  const std::string_view otherwise = DocOfAttribute(op, attribute).otherwise;
  if (row.required) kind += ", required";
  if (!otherwise.empty()) kind += fmt::format(", default {}", otherwise);
  return kind;
}

std::string_view FirstSentence(std::string_view text) {
  constexpr std::size_t kLongest = 200;  // bytes
  std::size_t end = std::min(text.find("\n\n"), text.size());
  std::size_t stop = text.find(". ");
  while (stop < end && (text.substr(0, stop).ends_with("i.e") || text.substr(0, stop).ends_with("e.g"))) {
    stop = text.find(". ", stop + 1);
  }
  if (stop < end) end = stop + 1;
  if (const std::size_t line_end = text.find(".\n"); line_end < end) end = line_end + 1;
  return end > kLongest ? std::string_view() : text.substr(0, end);
}

std::string TypesOf(const Parameter& parameter) {
  const TypeSet& types = Types(parameter);
  if (std::ranges::all_of(types.words, [](std::uint64_t word) { return ~word == 0; })) return "any type";
  std::vector<std::string_view> names;
  for (unsigned type = 0; type < 128; ++type) {
    if (types.Has(type)) names.push_back(NameOf(static_cast<TypeId>(type)));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

const Parameter* ParameterAt(std::span<const Parameter> parameters, std::size_t index) {
  if (index < parameters.size()) return &parameters[index];
  const bool is_variadic = !parameters.empty() && static_cast<Arity>(parameters.back().arity) == Arity::kVariadic;
  return is_variadic ? &parameters.back() : nullptr;
}

}  // namespace onnxc::lsp
