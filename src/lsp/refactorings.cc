#include "lsp/refactorings.h"

#include <fmt/format.h>
#include <onnxc/checker.h>
#include <onnxc/parser.h>
#include <onnxc/printer.h>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "lsp/constants.h"
#include "lsp/function_edits.h"
#include "lsp/parts.h"
#include "lsp/spelling.h"
#include "source/corrections.h"
#include "source/names.h"
#include "source/report.h"

namespace onnxc::lsp {
namespace {

bool Meet(SourceRange a, SourceRange b) { return a.begin <= b.end && b.begin <= a.end; }

/// The imports of a header by their domains. Comments among them may be about one of them: then they stay.
std::vector<FixIt> SortImports(const Snapshot& snapshot, const TextScope& scope) {
  const std::vector<TextImport>& imports = scope.imports;
  if (imports.size() < 2 || std::ranges::is_sorted(imports, {}, &TextImport::domain)) return {};
  const Lines& lines = snapshot.lines();
  const std::size_t end = lines.RangeOf(lines.LineOf(imports.back().range.end)).end;
  const SourceRange list = {imports.front().range.begin, end};  // with a comment behind the last import
  if (HasComment(snapshot, list)) return {};
  std::vector<TextImport> sorted = imports;
  std::ranges::stable_sort(sorted, {}, &TextImport::domain);
  std::vector<FixIt> edits;
  for (std::size_t i = 0; i < imports.size(); ++i) {
    if (imports[i].domain == sorted[i].domain) continue;
    edits.push_back({imports[i].range, std::string(snapshot.TextOf(sorted[i].range))});
  }
  return edits;
}

/// `float[N, 4] x`, or empty where the type has no words.
std::string DeclarationOf(const InferredValue& value) {
  const onnx::TypeProto type = ToProto(value.type);
  if (type.value_case() == onnx::TypeProto::VALUE_NOT_SET) return {};
  const PrintResult printed = Print(type);
  return printed.diagnostics.ok() ? fmt::format("{} {}", printed.text, Spelled(value.name)) : std::string();
}

/// What nodes of a graph or function compute and nothing declares.
template <typename GraphOrFunction>
std::vector<std::string> Undeclared(const Snapshot& snapshot, SymbolId scope, const GraphOrFunction& message,
                                    NameSet declared) {
  for (const onnx::ValueInfoProto& value : message.value_info()) declared.insert(value.name());
  std::vector<std::string> declarations;
  for (const onnx::NodeProto& node : message.node()) {
    for (const std::string& name : node.output()) {
      if (name.empty() || declared.contains(name)) continue;
      const SymbolId symbol = snapshot.symbols().FindValue(scope, name);
      const InferredValue* const known = symbol == kNoSymbol ? nullptr : snapshot.TypeOf(symbol);
      std::string declaration = known == nullptr || known->name != name ? std::string() : DeclarationOf(*known);
      if (!declaration.empty()) declarations.push_back(std::move(declaration));
    }
  }
  return declarations;
}

std::vector<std::string> UndeclaredIn(const Snapshot& snapshot, SymbolId scope) {
  const google::protobuf::Message* const message = snapshot.parsed().messages[scope];
  NameSet declared;
  if (const auto* graph = dynamic_cast<const onnx::GraphProto*>(message)) {
    for (const onnx::ValueInfoProto& output : graph->output()) declared.insert(output.name());
    return Undeclared(snapshot, scope, *graph, std::move(declared));
  }
  if (const auto* function = dynamic_cast<const onnx::FunctionProto*>(message)) {
    declared.insert(function->output().begin(), function->output().end());
    return Undeclared(snapshot, scope, *function, std::move(declared));
  }
  return {};
}

/// The inferred types of a graph or function, in the list before its body: in the one that is there, or in a new one.
std::vector<FixIt> DeclareTypes(const Snapshot& snapshot, SymbolId id) {
  const TextScope& scope = snapshot.symbols().scopes()[id];
  return AddToList(snapshot, scope, UndeclaredIn(snapshot, id));
}

/// Whether the text with the edits has no errors.
bool Holds(const Snapshot& snapshot, const std::vector<FixIt>& edits) {
  Diagnostic change;
  change.fix_its = edits;
  onnx::ModelProto model;
  const CorrectedText changed = ApplyCorrections(snapshot.text(), {&change, 1});
  return Parse(changed.text, &model, {.tell_functions_apart = true}).ok() &&
         Check(model, {.external_files = false}).ok();
}

class Refactorings {
 public:
  explicit Refactorings(const Snapshot& snapshot) : snapshot_(snapshot), symbols_(snapshot.symbols()) {}

  void AddForScopes(SourceRange range) {
    const std::span<const TextScope> scopes = symbols_.scopes();
    for (SymbolId id = 0; id < scopes.size(); ++id) {
      if (Meet(scopes[id].header, range)) {
        Add("source.organizeImports", "Sort the imports", SortImports(snapshot_, scopes[id]));
      }
      if (Meet(scopes[id].name_range, range) && scopes[id].body != SourceRange{} && IsSmall()) {
        Add("refactor.rewrite", fmt::format("Declare the inferred types in '{}'", Quoted(scopes[id].name)),
            DeclareTypes(snapshot_, id));
      }
    }
  }

  void AddForNodes(SourceRange range) {
    if (!IsSmall()) return;
    const SymbolId node = symbols_.NodeAt(range.begin);
    const Symbol* const called = node == kNoSymbol ? nullptr : symbols_.OperatorOf(symbols_.nodes()[node]);
    if (called != nullptr) {
      AddIfItHolds("refactor.inline", fmt::format("Replace the call by the nodes of '{}'", Quoted(called->name)),
                   InlineCall(snapshot_, node));
    }
    if (node != kNoSymbol) {
      AddIfItHolds("refactor.rewrite", "Make the constant an initializer", ConstantToInitializer(snapshot_, node));
    }
    if (range.begin != range.end) {
      AddIfItHolds("refactor.extract", "Move the nodes to a function", ExtractFunction(snapshot_, range));
    }
  }

  void AddForInitializers(SourceRange range) {
    if (!IsSmall()) return;
    const std::optional<InitializerAt> found = FindInitializer(snapshot_, range.begin);
    if (!found) return;
    AddIfItHolds("refactor.rewrite",
                 fmt::format("Make '{}' the output of a node Constant", Quoted(found->tensor->name())),
                 InitializerToConstant(snapshot_, *found));
  }

  [[nodiscard]] std::vector<Refactoring> Take() { return std::move(all_); }

 private:
  /// Editors ask for what is offered whenever the cursor rests.
  [[nodiscard]] bool IsSmall() const {
    constexpr std::size_t kMostNodes = 5000;
    constexpr std::size_t kMostBytes = std::size_t{1} << 20;
    return symbols_.nodes().size() <= kMostNodes && snapshot_.text().size() <= kMostBytes;
  }

  void Add(std::string_view kind, std::string title, std::vector<FixIt> edits) {
    if (!edits.empty()) all_.push_back({kind, std::move(title), std::move(edits)});
  }

  void AddIfItHolds(std::string_view kind, std::string title, std::vector<FixIt> edits) {
    if (!edits.empty() && Holds(snapshot_, edits)) Add(kind, std::move(title), std::move(edits));
  }

  const Snapshot& snapshot_;
  const SymbolIndex& symbols_;
  std::vector<Refactoring> all_;
};

}  // namespace

std::vector<Refactoring> RefactoringsIn(const Snapshot& snapshot, SourceRange range) {
  if (!snapshot.parsed().diagnostics.ok()) return {};
  Refactorings found(snapshot);
  found.AddForScopes(range);
  found.AddForNodes(range);
  found.AddForInitializers(range);
  return found.Take();
}

}  // namespace onnxc::lsp
