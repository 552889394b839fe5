#include "lsp/parts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "symbols/tokens.h"

namespace onnxc::lsp {
namespace {

using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;

const Nodes* NodesOf(const google::protobuf::Message* message) {
  if (const auto* graph = dynamic_cast<const onnx::GraphProto*>(message)) return &graph->node();
  const auto* function = dynamic_cast<const onnx::FunctionProto*>(message);
  return function == nullptr ? nullptr : &function->node();
}

}  // namespace

const onnx::NodeProto* MessageOf(const Snapshot& snapshot, SymbolId node) {
  const auto nodes = snapshot.symbols().nodes();
  const SymbolId scope = nodes[node].scope;
  const Nodes* const messages = scope == kNoSymbol ? nullptr : NodesOf(snapshot.parsed().messages[scope]);
  const auto index = std::ranges::count(nodes.first(node), scope, &TextNode::scope);
  return messages == nullptr || index >= messages->size() ? nullptr : &messages->at(static_cast<int>(index));
}

bool HasComment(const Snapshot& snapshot, SourceRange range) {
  return std::ranges::any_of(TokensIn(snapshot.text(), range, /*comments=*/true), [](const TextToken& token) {
    return token.kind == TokenKind::kComment || token.kind == TokenKind::kPragma;
  });
}

bool HasPragma(const Snapshot& snapshot, SourceRange range) {
  return std::ranges::any_of(TokensIn(snapshot.text(), range),
                             [](const TextToken& token) { return token.kind == TokenKind::kPragma; });
}

bool HasRecord(const Snapshot& snapshot, SourceRange range) {
  std::string_view before;
  for (const TextToken& token : TokensIn(snapshot.text(), range)) {
    const std::string_view word = snapshot.TextOf(token.range);
    if (word == "@{" || (word == "@" && before != "=")) return true;  // a reference `= @name` is not an annotation
    before = word;
  }
  return false;
}

bool HasOwnWords(const Snapshot& snapshot, const TextNode& node) {
  return snapshot.text()[node.range.begin] == '@' || node.label != SourceRange{} || HasComment(snapshot, node.range);
}

std::string IndentationAt(const Snapshot& snapshot, std::size_t offset) {
  const SourceRange line = snapshot.lines().RangeOf(snapshot.lines().LineOf(offset));
  const std::string_view before = snapshot.TextOf({line.begin, offset});
  return std::string(before.substr(0, before.find_first_not_of(" \t")));
}

std::optional<ListPlace> PlaceInList(const Snapshot& snapshot, const TextScope& scope) {
  if (scope.body == SourceRange{}) return std::nullopt;
  const std::vector<TextToken> head = TokensIn(snapshot.text(), {scope.name_range.end, scope.body.begin});
  if (head.size() < 2) return std::nullopt;
  const SourceRange end = head.back().range;
  if (snapshot.TextOf(end) != ">") return ListPlace{scope.body.begin, "<\n  ", "\n> "};
  const bool is_first = snapshot.TextOf(head[head.size() - 2].range) == "<";
  return ListPlace{end.begin, is_first ? "\n  " : ",\n  ", "\n"};
}

std::vector<FixIt> AddToList(const Snapshot& snapshot, const TextScope& scope,
                             const std::vector<std::string>& entries) {
  const std::optional<ListPlace> place = entries.empty() ? std::nullopt : PlaceInList(snapshot, scope);
  if (!place) return {};
  const std::string list = fmt::format("{}", fmt::join(entries, ",\n  "));
  return {{{place->offset, place->offset}, place->before + list + place->behind}};
}

SourceRange EntryWithComma(const Snapshot& snapshot, SourceRange around, SourceRange entry) {
  const std::vector<TextToken> tokens = TokensIn(snapshot.text(), around);
  const auto begin_of = [](const TextToken& token) { return token.range.begin; };
  const auto first = std::ranges::lower_bound(tokens, entry.begin, {}, begin_of);
  const auto behind = std::ranges::lower_bound(tokens, entry.end, {}, begin_of);
  SourceRange range = entry;
  if (behind != tokens.end() && behind + 1 != tokens.end() && snapshot.TextOf(behind->range) == ",") {
    range.end = (behind + 1)->range.begin;
  } else if (first != tokens.begin() && snapshot.TextOf((first - 1)->range) == ",") {
    range.begin = (first - 1)->range.begin;
  }
  return HasComment(snapshot, range) ? SourceRange{} : range;
}

SourceRange EntryOfList(const Snapshot& snapshot, const TextScope& scope, SourceRange entry) {
  if (scope.body == SourceRange{}) return {};
  const SourceRange range = EntryWithComma(snapshot, {scope.name_range.end, scope.body.begin}, entry);
  if (range != entry) return range;
  // The list has no other entry, so the brackets of the list are removed, too.
  const std::string_view text = snapshot.text();
  const std::size_t before = text.find_last_not_of(" \t\r\n", entry.begin - 1);
  if (before == std::string_view::npos || text[before] != '<') return {};
  const SourceRange list = {before, scope.body.begin};
  return HasComment(snapshot, list) ? SourceRange{} : list;
}

SourceRange WithLines(const Snapshot& snapshot, SourceRange element) {
  const Lines& lines = snapshot.lines();
  const std::size_t begin = lines.RangeOf(lines.LineOf(element.begin)).begin;
  const std::size_t end = lines.RangeOf(lines.LineOf(element.end)).end;
  const auto is_blank = [](std::string_view text) {
    return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
  };
  const bool is_alone =
      is_blank(snapshot.TextOf({begin, element.begin})) && is_blank(snapshot.TextOf({element.end, end}));
  return is_alone ? SourceRange{begin, lines.BeginOf(lines.LineOf(element.end) + 1)} : element;
}

}  // namespace onnxc::lsp
