#include "lsp/refactorings.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "lsp/constants.h"
#include "lsp/declarations.h"
#include "lsp/edits.h"
#include "lsp/function_edits.h"
#include "lsp/parts.h"
#include "lsp/removals.h"
#include "lsp/spelling.h"
#include "source/corrections.h"
#include "source/names.h"
#include "source/report.h"

namespace onnxc::lsp {
namespace {

bool Meet(SourceRange a, SourceRange b) { return a.begin <= b.end && b.begin <= a.end; }

/// Returns edits that sort the imports of a header by domain. Returns no edits if there are comments between the
/// imports, because a comment may belong to one import.
std::vector<FixIt> SortImports(const Snapshot& snapshot, const TextScope& scope) {
  const std::vector<TextImport>& imports = scope.imports;
  if (imports.size() < 2 || std::ranges::is_sorted(imports, {}, &TextImport::domain)) return {};
  const Lines& lines = snapshot.lines();
  const std::size_t end = lines.RangeOf(lines.LineOf(imports.back().range.end)).end;
  const SourceRange list = {imports.front().range.begin, end};  // including a comment after the last import
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
        AddIfItHolds("refactor.rewrite", fmt::format("Declare the inferred types in '{}'", Quoted(scopes[id].name)),
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
  /// Returns whether the text is small enough for refactorings. They are not offered for large texts, because editors
  /// ask for them whenever the cursor moves.
  [[nodiscard]] bool IsSmall() const {
    constexpr std::size_t kMostNodes = 5000;
    constexpr std::size_t kMostBytes = std::size_t{1} << 20;
    return symbols_.nodes().size() <= kMostNodes && snapshot_.text().size() <= kMostBytes;
  }

  void Add(std::string_view kind, std::string title, std::vector<FixIt> edits) {
    if (!edits.empty()) all_.push_back({kind, std::move(title), std::move(edits)});
  }

  void AddIfItHolds(std::string_view kind, std::string title, std::vector<FixIt> edits) {
    if (edits.empty()) return;
    Diagnostic change;
    change.fix_its = edits;
    const auto changed = snapshot_.WithText(ApplyCorrections(snapshot_.text(), {&change, 1}).text);
    if (!IsAsRight(*changed, snapshot_)) return;
    const std::string text = WithoutNewUnusedImports(*changed, snapshot_);
    if (text != changed->text()) edits = DifferenceOf(snapshot_.text(), text);
    Add(kind, std::move(title), std::move(edits));
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
