#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "lsp/formals.h"
#include "lsp/function_edits.h"
#include "lsp/operators.h"
#include "lsp/parts.h"
#include "source/names.h"
#include "symbols/spelling.h"
#include "tables/signatures.h"

namespace onnxc::lsp {
namespace {

const onnx::AttributeProto* Find(const google::protobuf::RepeatedPtrField<onnx::AttributeProto>& attributes,
                                 std::string_view name) {
  const auto found = std::ranges::find(attributes, name, &onnx::AttributeProto::name);
  return found == attributes.end() ? nullptr : &*found;
}

/// Returns whether the graph or function `item`, which contains the call, imports the same operator sets as the called
/// function.
bool HasImportsOf(const SymbolIndex& symbols, SymbolId function, SymbolId item) {
  return std::ranges::all_of(symbols.scopes()[function].imports, [&](const TextImport& import) {
    const auto is_same = [&](const TextImport& other) {
      return NodeDomain(other.domain) == NodeDomain(import.domain) && other.version == import.version;
    };
    return std::ranges::any_of(symbols.scopes()[item].imports, is_same);
  });
}

/// Writes the nodes of a function with the names and attribute values of one call.
class Inliner {
 public:
  Inliner(const Snapshot& snapshot, const TextNode& call, const onnx::NodeProto& message, SymbolId function,
          const onnx::FunctionProto& function_message)
      : snapshot_(snapshot),
        symbols_(snapshot.symbols()),
        call_(call),
        message_(message),
        scope_(function),
        function_(symbols_.scopes()[function]),
        function_message_(function_message) {
    const SymbolId item = symbols_.ItemOf(call_.scope);
    for (const TextNode& node : symbols_.nodes()) {
      if (node.label != SourceRange{} && symbols_.ItemOf(node.scope) == item) {
        labels_.emplace(snapshot.TextOf(node.label));
      }
    }
    for (const Symbol& symbol : symbols_.symbols()) {
      if (symbol.kind == SymbolKind::kValue && symbols_.ItemOf(symbol.scope) == item) taken_.emplace(symbol.name);
    }
  }

  /// Binds the function's inputs and outputs to the names of the call. Returns false if the nodes cannot use these
  /// names, for example because the call omits an operand.
  [[nodiscard]] bool BindOperands() {
    const auto inputs = symbols_.InputsOf(call_);
    const auto outputs = symbols_.OutputsOf(call_);
    if (inputs.size() != function_.inputs.size() || outputs.size() > function_.outputs.size()) return false;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i] == kNoSymbol) return false;
      names_[SymbolAt(function_.inputs[i])] = TextAt(inputs[i]);
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (outputs[i] == kNoSymbol) continue;
      // An output that is also an input, or that is listed twice, would need an extra node.
      if (!names_.try_emplace(SymbolAt(function_.outputs[i]), TextAt(outputs[i])).second) return false;
    }
    return true;
  }

  /// Returns the text of a node of the function, or nothing if the node refers to an attribute that has no value.
  [[nodiscard]] std::optional<std::string> Write(const TextNode& node) {
    std::string text;
    std::size_t at = node.range.begin;
    if (node.label != SourceRange{} && labels_.contains(snapshot_.TextOf(node.label))) {
      at = snapshot_.text().find_first_not_of(" \t\r\n", snapshot_.text().find(']', node.label.end) + 1);
    }
    const auto occurrences = symbols_.occurrences();
    auto next = std::ranges::lower_bound(occurrences, node.range.begin, {},
                                         [](const Occurrence& occurrence) { return occurrence.range.begin; });
    for (; next != occurrences.end() && next->range.begin < node.range.end; ++next) {
      const Symbol& symbol = symbols_.symbols()[next->symbol];
      SourceRange range = next->range;
      std::string replacement;
      if (symbol.kind == SymbolKind::kValue) {
        replacement = NameFor(next->symbol);
      } else if (IsReference(symbols_, *next, scope_)) {
        range.begin = snapshot_.text().rfind('@', range.begin);
        replacement = ArgumentFor(symbol.name);
        if (replacement.empty() || HasComment(snapshot_, range)) return std::nullopt;
      } else {
        continue;
      }
      text.append(snapshot_.TextOf({at, range.begin})).append(replacement);
      at = range.end;
    }
    return text.append(snapshot_.TextOf({at, node.range.end}));
  }

 private:
  [[nodiscard]] SymbolId SymbolAt(SymbolId occurrence) const { return symbols_.occurrences()[occurrence].symbol; }
  [[nodiscard]] std::string TextAt(SymbolId occurrence) const {
    return std::string(snapshot_.TextOf(symbols_.occurrences()[occurrence].range));
  }

  /// Returns the name that a value of the function gets when the nodes are moved. The value keeps its name, unless the
  /// graph or function that contains the call already uses this name.
  const std::string& NameFor(SymbolId value) {
    const auto [found, is_new] = names_.try_emplace(value);
    if (is_new) {
      const std::string own(symbols_.symbols()[value].name);
      std::string name = own;
      for (int i = 1; !taken_.insert(name).second; ++i) name = fmt::format("{}_{}", own, i);
      found->second = Spelled(name);
    }
    return found->second;
  }

  [[nodiscard]] std::string ArgumentFor(std::string_view name) const {
    const auto* given = Find(message_.attribute(), name);
    // The argument may be a reference to an attribute that has no value. The function's default is used in that case,
    // but the text cannot express this.
    if (given != nullptr) return given->ref_attr_name().empty() ? ValueText(*given) : std::string();
    const auto* otherwise = Find(function_message_.attribute_proto(), name);
    return otherwise == nullptr ? std::string() : ValueText(*otherwise);
  }

  const Snapshot& snapshot_;
  const SymbolIndex& symbols_;
  const TextNode& call_;
  const onnx::NodeProto& message_;  // the call
  SymbolId scope_;                  // the function's scope
  const TextScope& function_;
  const onnx::FunctionProto& function_message_;
  std::unordered_map<SymbolId, std::string> names_;  // the new names of the function's values, as the text spells them
  OwnedNameSet labels_;                              // the labels of nodes in the graph or function with the call
  OwnedNameSet taken_;                               // the names of values in the graph or function with the call
};

}  // namespace

bool IsReference(const SymbolIndex& symbols, const Occurrence& occurrence, SymbolId item) {
  const Symbol& symbol = symbols.symbols()[occurrence.symbol];
  return symbol.kind == SymbolKind::kAttribute && !occurrence.is_definition && symbol.owner != kNoSymbol &&
         symbol.owner == symbols.scopes()[item].symbol;
}

std::vector<FixIt> InlineCall(const Snapshot& snapshot, SymbolId node) {
  const SymbolIndex& symbols = snapshot.symbols();
  const TextNode& call = symbols.nodes()[node];
  const Symbol* const called = symbols.OperatorOf(call);
  if (called == nullptr || called->kind != SymbolKind::kFunction || call.scope == kNoSymbol) return {};
  const SymbolId scope = FunctionScope(symbols, symbols.occurrences()[call.operator_name].symbol);
  const SymbolId item = symbols.ItemOf(call.scope);
  if (scope == kNoSymbol || scope == item || !HasImportsOf(symbols, scope, item)) return {};
  const onnx::NodeProto* const message = MessageOf(snapshot, node);
  const auto* const function = dynamic_cast<const onnx::FunctionProto*>(snapshot.parsed().messages[scope]);
  if (message == nullptr || function == nullptr || message->op_type() != function->name() ||
      message->overload() != function->overload()) {
    return {};
  }
  if (HasRecord(snapshot, symbols.scopes()[scope].body)) return {};
  if (HasOwnWords(snapshot, call)) return {};  // the label, annotations and comments of the call would be lost
  Inliner inliner(snapshot, call, *message, scope, *function);
  if (!inliner.BindOperands()) return {};
  const std::string indentation = IndentationAt(snapshot, call.range.begin);
  std::string text;
  for (const TextNode& inner : symbols.nodes()) {
    if (inner.scope != scope) continue;
    const std::optional<std::string> written = inliner.Write(inner);
    if (!written) return {};
    text += (text.empty() ? "" : "\n" + indentation) + *written;
    if (text.size() > snapshot.text().size()) return {};  // a large value would be repeated many times
  }
  return text.empty() ? std::vector<FixIt>() : std::vector<FixIt>{{call.range, std::move(text)}};
}

}  // namespace onnxc::lsp
