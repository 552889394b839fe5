// Handles textDocument/foldingRange and textDocument/selectionRange.
#include <algorithm>
#include <string_view>
#include <vector>

#include "lsp/methods.h"
#include "symbols/tokens.h"

namespace onnxc::lsp {
namespace {

/// Adds a folding range if the range has more than one line. The last line of the range stays visible when it is
/// folded.
void AddFold(const Snapshot& snapshot, SourceRange range, const char* kind, Json* folds) {
  const std::size_t first = snapshot.lines().LineOf(range.begin);
  const std::size_t last = snapshot.lines().LineOf(range.end);
  const std::size_t end = *kind == 'c' ? last : last - std::min<std::size_t>(last, 1);
  if (end <= first) return;
  folds->push_back({{"startLine", first}, {"endLine", end}});
  if (*kind != '\0') folds->back()["kind"] = kind;
}

/// Returns whether nothing precedes the comment on its line. (A comment after code belongs to the code.)
bool IsAlone(const Snapshot& snapshot, SourceRange comment) {
  const std::size_t line = snapshot.lines().RangeOf(snapshot.lines().LineOf(comment.begin)).begin;
  return snapshot.TextOf({line, comment.begin}).find_first_not_of(" \t") == std::string_view::npos;
}

void AddBrackets(const Snapshot& snapshot, Json* folds) {
  std::vector<std::size_t> open;
  SourceRange comments = {0, 0};  // a run of comments, each on its own line
  std::size_t last_line = 0;
  const auto end_comments = [&] {
    if (comments.end > comments.begin) AddFold(snapshot, comments, "comment", folds);
    comments = {0, 0};
  };
  for (const TextToken& token : TokensIn(snapshot.text(), {0, snapshot.text().size()}, /*comments=*/true)) {
    const std::size_t line = snapshot.lines().LineOf(token.range.begin);
    if (token.kind == TokenKind::kComment && !IsAlone(snapshot, token.range)) continue;
    if (token.kind == TokenKind::kComment) {
      const bool goes_on = comments.end > comments.begin && line == last_line + 1;
      comments = {goes_on ? comments.begin : token.range.begin, token.range.end};
      last_line = line;
      continue;
    }
    end_comments();
    if (token.kind == TokenKind::kNumbers) AddFold(snapshot, token.range, "", folds);
    if (token.kind != TokenKind::kMark) continue;
    const char c = snapshot.text()[token.range.end - 1];
    const bool is_arrow = snapshot.TextOf(token.range) == "=>";
    if (c == '(' || c == '[' || c == '{' || c == '<') open.push_back(token.range.begin);
    if ((c == ')' || c == ']' || c == '}' || c == '>') && !is_arrow && !open.empty()) {
      AddFold(snapshot, {open.back(), token.range.end}, "", folds);
      open.pop_back();
    }
  }
  end_comments();
}

/// Returns the nested ranges around the offset: a name, its node, its graph, the enclosing graphs, the whole text.
std::vector<SourceRange> RangesAround(const Snapshot& snapshot, std::size_t offset) {
  const SymbolIndex& symbols = snapshot.symbols();
  std::vector<SourceRange> ranges;
  const auto add = [&](SourceRange range) {
    const bool holds = range.begin <= offset && offset <= range.end && range.begin < range.end;
    const bool is_wider = ranges.empty() || (range.begin <= ranges.back().begin && ranges.back().end <= range.end &&
                                             range != ranges.back());
    if (holds && is_wider) ranges.push_back(range);
  };
  if (const Occurrence* const name = symbols.OccurrenceAt(offset)) add(name->range);
  SymbolId node = symbols.NodeAt(offset);
  SymbolId scope = symbols.ScopeAt(offset);
  while (scope != kNoSymbol || node != kNoSymbol) {
    if (node != kNoSymbol && (scope == kNoSymbol || symbols.nodes()[node].scope == scope)) {
      for (const TextAttribute& attribute : symbols.AttributesOf(symbols.nodes()[node])) add(attribute.range);
      add(symbols.nodes()[node].range);
      node = kNoSymbol;
      continue;
    }
    add(symbols.scopes()[scope].body);
    add(symbols.scopes()[scope].range);
    node = symbols.scopes()[scope].node;
    scope = symbols.scopes()[scope].parent;
  }
  add({0, snapshot.text().size()});
  return ranges;
}

}  // namespace

Json FoldingRanges(Workspace& workspace, const Json& params) {
  const auto snapshot = workspace.DocumentOf(params);
  Json folds = Json::array();
  AddBrackets(*snapshot, &folds);
  return folds;
}

Json SelectionRanges(Workspace& workspace, const Json& params) {
  const auto snapshot = workspace.DocumentOf(params);
  Json selections = Json::array();
  for (const Json& position : Member(params, "positions")) {
    const std::size_t offset = snapshot->OffsetOf(position);
    std::vector<SourceRange> ranges = RangesAround(*snapshot, offset);
    if (ranges.empty()) ranges.push_back({offset, offset});
    Json selection;
    for (auto range = ranges.rbegin(); range != ranges.rend(); ++range) {
      Json inner = {{"range", snapshot->RangeOf(*range)}};
      if (!selection.is_null()) inner["parent"] = std::move(selection);
      selection = std::move(inner);
    }
    selections.push_back(std::move(selection));
  }
  return selections;
}

}  // namespace onnxc::lsp
