// Handles textDocument/hover.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "lsp/calls.h"
#include "lsp/elements.h"
#include "lsp/formals.h"
#include "lsp/markup.h"
#include "lsp/methods.h"
#include "lsp/operators.h"
#include "lsp/spelling.h"
#include "lsp/target.h"
#include "lsp/words.h"
#include "source/report.h"
#include "tables/attribute_types.h"
#include "tables/declared_operator.h"
#include "tables/operator_docs.h"

namespace onnxc::lsp {
namespace {

std::string Code(std::string_view text) { return fmt::format("```onnxtxt\n{}\n```\n", text); }

/// Returns the line of the text that contains the range, without surrounding white space; a long line is cut.
std::string LineOf(SourceRange range, const Snapshot& snapshot) {
  constexpr std::size_t kLongest = 160;  // bytes
  std::string_view line = snapshot.TextOf(snapshot.lines().RangeOf(snapshot.lines().LineOf(range.begin)));
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  return line.size() <= kLongest ? std::string(line) : std::string(Beginning(line, kLongest)) + " ...";
}

std::string AboutValue(const Target& target) {
  const Symbol& symbol = *target.symbol;
  const InferredValue* const known = target.view.known().TypeOf(target.symbol_id);
  const std::string type = known == nullptr ? "?" : ToString(known->type);
  std::string about = Code(fmt::format("{} {}", type, Quoted(symbol.name)));
  if (known != nullptr && known->constant != nullptr) {
    constexpr std::size_t kMost = 16;  // elements
    about += fmt::format("\nConstant: `{}`\n", ElementsOf(*known->constant, kMost));
  }
  if (symbol.definition == kNoSymbol) return about + "\nThe text does not define this name.\n";
  const SourceRange place = target.view.symbols().occurrences()[symbol.definition].range;
  const View& view = target.view;
  const std::size_t line = view.current().lines().LineOf(view.ToCurrent(place).begin) + 1;
  return about + fmt::format("\nDefined in line {}:\n", line) + Code(LineOf(place, target.view.known()));
}

std::string ListItem(std::string_view name, std::string_view kind, std::string_view doc) {
  const std::string_view sentence = FirstSentence(doc);
  return fmt::format("- `{}`: {}{}{}\n", name, kind, sentence.empty() ? "" : ". ", sentence);
}

std::string ListItem(const Parameter& parameter, std::string_view doc) {
  return ListItem(Shown(parameter), TypesOf(parameter), doc);
}

std::string AboutOperator(const Operator& op, int version) {
  std::string about = Code(SignatureOf(op));
  const std::string_view domain = DomainOf(op);
  about += fmt::format("\n`{}` version {}; the operator is unchanged since version {}{}.\n",
                       domain.empty() ? "ai.onnx" : Quoted(domain), version, static_cast<int>(op.since),
                       op.deprecated ? ", **deprecated**" : "");
  if (const std::string_view doc = DocOf(op); !doc.empty()) about += fmt::format("\n{}\n", doc);
  const auto list = [&](std::string_view title, std::size_t size, const auto& item) {
    if (size > 0) about += fmt::format("\n{}:\n", title);
    for (std::size_t i = 0; i < size; ++i) about += item(i);
  };
  list("Inputs", op.inputs, [&](std::size_t i) { return ListItem(Inputs(op)[i], DocOfInput(op, i)); });
  list("Outputs", op.outputs, [&](std::size_t i) { return ListItem(Outputs(op)[i], DocOfOutput(op, i)); });
  list("Attributes", op.attributes, [&](std::size_t i) {
    const std::string_view name = Word(Attributes(op)[i]);
    return ListItem(name, KindOf(op, i), DocOfAttribute(op, i).text);
  });
  if (op.declared != nullptr) {
    about += fmt::format("\nDeclared in `{}`\n", std::filesystem::path(op.declared->where).filename().string());
  }
  return about;
}

std::string AboutFunction(const Snapshot& text, SymbolId scope, const Symbol& name) {
  if (scope == kNoSymbol) return Code(name.name);
  const TextScope& function = text.symbols().scopes()[scope];
  const std::size_t end = function.body == SourceRange{} ? function.range.end : function.body.begin;
  constexpr std::size_t kLongest = 1000;  // bytes
  const std::size_t begin = function.name_range.begin;
  std::string about = Code(Beginning(text.TextOf({begin, std::max(begin, end)}), kLongest));
  if (!name.domain.empty()) about += fmt::format("\nFunction of `{}`\n", Quoted(name.domain));
  return about;
}

/// Returns a description of a function's attribute, for example `by: float, default 1.0`. The type is that of the
/// default value, or that of a reference in the function's body.
std::string AboutFormal(const Target& target) {
  const Symbol& name = *target.symbol;
  const SymbolId scope = FunctionScope(target.view.symbols(), name.owner);
  const std::optional<FormalAttribute> formal = FindFormal(target.view.known(), scope, name.name);
  if (!formal) return {};
  const std::string_view type = kAttributeTypes[formal->type].keyword;
  constexpr std::size_t kLongest = 160;  // bytes
  const std::string otherwise =
      formal->otherwise.empty() ? "required" : fmt::format("default {}", Beginning(formal->otherwise, kLongest));
  return Code(fmt::format("{}: {}, {}", Quoted(name.name), formal->type == 0 ? "?" : type, otherwise));
}

std::string AboutAttribute(const Target& target) {
  const SymbolIndex& symbols = target.view.symbols();
  const Symbol& name = *target.symbol;
  const Symbol* const owner = name.owner == kNoSymbol ? nullptr : &symbols.symbols()[name.owner];
  if (owner == nullptr) return {};
  if (owner->kind == SymbolKind::kFunction) {
    const std::string_view domain = owner->domain;
    return AboutFormal(target) + fmt::format("\nAttribute of the function `{}{}{}`\n", Quoted(domain),
                                             domain.empty() ? "" : ".", Quoted(owner->name));
  }
  const SymbolId node = symbols.NodeAt(target.offset);
  const Operator* const op =
      node == kNoSymbol ? nullptr : OperatorIn(target.view.known(), symbols.nodes()[node].scope, *owner);
  if (op == nullptr) return fmt::format("Attribute of `{}`\n", Quoted(owner->name));
  for (std::size_t i = 0; i < op->attributes; ++i) {
    if (Word(Attributes(*op)[i]) != name.name) continue;
    const std::string_view doc = DocOfAttribute(*op, i).text;
    return Code(fmt::format("{}: {}", name.name, KindOf(*op, i))) +
           fmt::format("\nAttribute of `{}`\n", Quoted(owner->name)) + (doc.empty() ? "" : fmt::format("\n{}\n", doc));
  }
  return fmt::format("`{}` has no such attribute.\n", Quoted(owner->name));
}

std::string AboutDomain(const Target& target) {
  const Snapshot& text = target.view.known();
  const std::string_view domain = target.symbol->name;
  const int version = ImportedVersion(text, text.symbols().ScopeAt(target.offset), domain);
  const int newest = text.operators().NewestVersion(domain);
  std::string about = fmt::format("Domain `{}`", domain.empty() ? "ai.onnx" : Quoted(domain));
  if (version > 0) about += fmt::format(", imported in version {}", version);
  if (newest > 0) about += fmt::format("; the newest is {}", newest);
  return about + "\n";
}

std::string AboutCalled(const Workspace& workspace, const Target& target) {
  const DefinedFunction function = FunctionOf(workspace, target);
  if (function.IsKnown()) {
    const std::string file = std::filesystem::path(function.text->path()).filename().string();
    return AboutFunction(*function.text, function.scope, *target.symbol) +
           fmt::format("\nDefined in `{}`\n", Quoted(file));
  }
  const Snapshot& text = target.view.known();
  const SymbolId scope = text.symbols().ScopeAt(target.offset);
  const Operator* const op = OperatorIn(text, scope, *target.symbol);
  if (op != nullptr) return AboutOperator(*op, ImportedVersion(text, scope, target.symbol->domain));
  return fmt::format("`{}` is neither an operator of the imported version nor a function of the text.\n",
                     Quoted(target.symbol->name));
}

std::string About(const Workspace& workspace, const Target& target) {
  const SymbolIndex& symbols = target.view.symbols();
  switch (target.symbol->kind) {
    case SymbolKind::kValue: return AboutValue(target);
    case SymbolKind::kFunction:
      return AboutFunction(target.view.known(), FunctionScope(symbols, target.symbol_id), *target.symbol);
    case SymbolKind::kOperator: return AboutCalled(workspace, target);
    case SymbolKind::kDimension:
      return fmt::format("Dimension `{}`, {} times in the text\n", Quoted(target.symbol->name),
                         symbols.OccurrencesOf(target.symbol_id).size());
    case SymbolKind::kAttribute: return AboutAttribute(target);
    case SymbolKind::kDomain: return AboutDomain(target);
  }
  return {};
}

}  // namespace

Json Hover(Workspace& workspace, const Json& params) {
  const Target target = TargetOf(workspace, params);
  if (target.symbol == nullptr) {
    const View& view = target.view;
    const AboutWord word = AboutWordAt(view, view.current().OffsetOf(Member(params, "position")));
    if (word.text.empty()) return nullptr;
    return {{"contents", MarkupOf(word.text, workspace.client.hover_markdown)},
            {"range", view.current().RangeOf(word.range)}};
  }
  const std::string about = About(workspace, target);
  if (about.empty()) return nullptr;
  return {{"contents", MarkupOf(about, workspace.client.hover_markdown)},
          {"range", target.view.RangeOf(target.occurrence->range)}};
}

}  // namespace onnxc::lsp
