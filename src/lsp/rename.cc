// textDocument/prepareRename and rename
#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/edits.h"
#include "lsp/methods.h"
#include "lsp/spelling.h"
#include "lsp/target.h"
#include "source/report.h"
#include "symbols/tokens.h"

namespace onnxc::lsp {
namespace {

[[noreturn]] void Refuse(const std::string& why) { throw RequestError(ErrorCode::kRequestFailed, why); }

/// What stands at the position may be renamed; else the request is refused.
void RequireRenamable(const Target& target) {
  if (target.symbol == nullptr || target.symbol->name.empty()) Refuse("there is no name here");
  switch (target.symbol->kind) {
    case SymbolKind::kValue:
    case SymbolKind::kFunction:
    case SymbolKind::kDimension: return;
    case SymbolKind::kAttribute: {
      const SymbolId owner = target.symbol->owner;
      const auto& symbols = target.view.symbols().symbols();
      if (owner != kNoSymbol && symbols[owner].kind == SymbolKind::kFunction) return;
      Refuse("the attributes of operators have fixed names");
    }
    case SymbolKind::kOperator: Refuse("operators have fixed names");
    case SymbolKind::kDomain: Refuse("domains are not renamed: other files may name them");
  }
}

/// Whether `inner` is `outer`, or inside of it.
bool IsInside(const SymbolIndex& symbols, SymbolId inner, SymbolId outer) {
  while (inner != kNoSymbol && inner != outer) inner = symbols.scopes()[inner].parent;
  return inner == outer;
}

std::string LineOf(const Snapshot& snapshot, const Occurrence& occurrence) {
  return fmt::format("line {}", snapshot.lines().LineOf(occurrence.range.begin) + 1);
}

/// The fields of onnx.proto, as records write them, that name symbols of a kind.
std::span<const std::string_view> FieldsThatName(SymbolKind kind) {
  static constexpr std::string_view kValues[] = {"name",  // of a value that is written as a record
                                                 "input",
                                                 "output",
                                                 "initializer",
                                                 "value_info",
                                                 "tensor_name",
                                                 "quant_parameter_tensor_names",
                                                 "initialization_binding",
                                                 "update_binding"};
  static constexpr std::string_view kFunctions[] = {"name", "op_type"};
  static constexpr std::string_view kAttributes[] = {"name", "attribute", "attribute_proto", "ref_attr_name"};
  static constexpr std::string_view kDimensions[] = {"dim_param"};
  switch (kind) {
    case SymbolKind::kValue: return kValues;
    case SymbolKind::kFunction: return kFunctions;
    case SymbolKind::kAttribute: return kAttributes;
    case SymbolKind::kDimension: return kDimensions;
    case SymbolKind::kOperator:
    case SymbolKind::kDomain: return {};
  }
  return {};
}

/// Finds the strings of records that name symbols of a kind: `tensor_name: "x"`. The index does not know these, nor
/// what stands in the parentheses of an annotation: `@type (float[N])`.
class RecordReader {
 public:
  RecordReader(std::string_view text, SymbolKind kind) : text_(text), names_(FieldsThatName(kind)) {}

  /// Whether the token may be such a name.
  bool Read(const TextToken& token) {
    const std::string_view word = text_.substr(token.range.begin, token.range.end - token.range.begin);
    const bool is_word = token.kind == TokenKind::kName || token.kind == TokenKind::kKeyword;
    if (is_word || token.kind == TokenKind::kString) {
      is_path_ = is_behind_at_;
      is_behind_at_ = false;
    }
    if (is_word) word_ = word;
    if (token.kind == TokenKind::kMark) ReadMark(word);
    if (std::ranges::find(fields_, kNative) != fields_.end()) return true;
    const auto is_name = [&](std::string_view field) { return std::ranges::find(names_, field) != names_.end(); };
    return token.kind == TokenKind::kString && std::ranges::any_of(fields_, is_name);
  }

 private:
  static constexpr std::string_view kNative = "(";  // as a field: text in the parentheses of an annotation

  // A field's name stands before `:`, or behind `@`. What follows `=` is the value of an attribute, which names none.
  void ReadMark(std::string_view mark) {
    if (mark == ":" || (is_path_ && mark != ".")) fields_.back() = word_;
    if (mark == "=" || mark == ",") fields_.back() = {};
    if (mark == "(" || mark == "[" || mark == "{" || mark == "<" || mark == "@{") {
      fields_.push_back(mark == "(" && is_path_ ? kNative : std::string_view());
    }
    is_behind_at_ = mark == "@" || (mark == "." && is_path_);
    is_path_ = false;
    if ((mark == ")" || mark == "]" || mark == "}" || mark == ">") && fields_.size() > 1) {
      fields_.pop_back();
      fields_.back() = {};
    }
    word_ = {};
  }

  std::string_view text_;
  std::span<const std::string_view> names_;      // fields that hold what is looked for
  bool is_behind_at_ = false;                    // a word of an annotation's path comes next
  bool is_path_ = false;                         // such a word is the last token
  std::string_view word_;                        // the last token, where it is a name
  std::vector<std::string_view> fields_ = {{}};  // around the token, innermost last; empty where it is none
};

// A record or an annotation may name the symbol, and must not keep the old name.
void RequireNoRecord(const Target& target) {
  const Snapshot& snapshot = target.view.current();
  const SymbolIndex& symbols = snapshot.symbols();
  RecordReader reader(snapshot.text(), target.symbol->kind);
  const SymbolId item = symbols.ItemOf(target.symbol->scope);
  const SourceRange range = item == kNoSymbol ? SourceRange{0, snapshot.text().size()} : symbols.scopes()[item].range;
  for (const TextToken& token : TokensIn(snapshot.text(), range)) {
    if (!reader.Read(token) || NameOf(snapshot.TextOf(token.range)) != target.symbol->name) continue;
    const Occurrence* const known = symbols.OccurrenceAt(token.range.begin);
    if (known != nullptr && known->range == token.range) continue;
    Refuse(fmt::format("'{}' is named in a record too, which is not renamed: line {}", Quoted(target.symbol->name),
                       snapshot.lines().LineOf(token.range.begin) + 1));
  }
}

// With its new name, a value must not take the uses of another one, nor may another one take its uses. (Names that are
// seen through several graphs may not be given twice, either.)
void RequireNoCapture(const Target& target, std::string_view name) {
  const SymbolIndex& symbols = target.view.symbols();
  for (SymbolId id = 0; id < symbols.symbols().size(); ++id) {
    const Symbol& other = symbols.symbols()[id];
    if (id == target.symbol_id || other.kind != SymbolKind::kValue || other.name != name) continue;
    const bool is_near =
        IsInside(symbols, other.scope, target.symbol->scope) || IsInside(symbols, target.symbol->scope, other.scope);
    if (!is_near || other.first == kNoSymbol) continue;
    const Occurrence& first = symbols.occurrences()[other.definition == kNoSymbol ? other.first : other.definition];
    Refuse(fmt::format("'{}' is another value here: {}", Quoted(name), LineOf(target.view.current(), first)));
  }
}

// Functions, attributes and dimensions of one owner have different names.
void RequireNoDouble(const Target& target, std::string_view name) {
  const SymbolIndex& symbols = target.view.symbols();
  const Symbol& renamed = *target.symbol;
  for (SymbolId id = 0; id < symbols.symbols().size(); ++id) {
    const Symbol& other = symbols.symbols()[id];
    if (id == target.symbol_id || other.name != name || other.first == kNoSymbol) continue;
    const bool is_function = renamed.kind == SymbolKind::kFunction &&
                             (other.kind == SymbolKind::kFunction || other.kind == SymbolKind::kOperator) &&
                             other.domain == renamed.domain && other.overload == renamed.overload;
    const bool is_same_kind =
        other.kind == renamed.kind && other.scope == renamed.scope && other.owner == renamed.owner;
    if (!is_function && (renamed.kind == SymbolKind::kFunction || !is_same_kind)) continue;
    Refuse(fmt::format("'{}' is there already: {}", Quoted(name),
                       LineOf(target.view.current(), symbols.occurrences()[other.first])));
  }
}

}  // namespace

Json PrepareRename(Workspace& workspace, const Json& params) {
  const Target target = CurrentTargetOf(workspace, params);
  RequireRenamable(target);
  return {{"range", target.view.current().RangeOf(target.occurrence->range)}, {"placeholder", target.symbol->name}};
}

Json Rename(Workspace& workspace, const Json& params) {
  const Target target = CurrentTargetOf(workspace, params);
  const std::string name = StringMember(params, "newName");
  RequireRenamable(target);
  if (!target.view.current().parsed().diagnostics.ok())
    Refuse("the text has errors: what stands there might be missed");
  if (name.empty()) Refuse("a name has at least one character");
  if (name == target.symbol->name) return nullptr;
  if (target.symbol->kind == SymbolKind::kValue) {
    RequireNoCapture(target, name);
  } else {
    RequireNoDouble(target, name);
  }
  RequireNoRecord(target);
  std::vector<FixIt> edits;
  const std::string spelled = Spelled(name);
  for (const Occurrence* occurrence : target.view.symbols().OccurrencesOf(target.symbol_id)) {
    edits.push_back({occurrence->range, spelled});
  }
  return WorkspaceEditOf(edits, target.view.current(), workspace.client);
}

}  // namespace onnxc::lsp
