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

bool HasRecord(const Snapshot& snapshot, SourceRange range) {
  std::string_view before;
  for (const TextToken& token : TokensIn(snapshot.text(), range)) {
    const std::string_view word = snapshot.TextOf(token.range);
    if (word == "@{" || (word == "@" && before != "=")) return true;  // `= @name` is a reference
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

std::vector<FixIt> AddToList(const Snapshot& snapshot, const TextScope& scope,
                             const std::vector<std::string>& entries) {
  const std::vector<TextToken> head = TokensIn(snapshot.text(), {scope.name_range.end, scope.body.begin});
  if (entries.empty() || head.size() < 2) return {};
  const std::string list = fmt::format("{}", fmt::join(entries, ",\n  "));
  const SourceRange end = head.back().range;
  if (snapshot.TextOf(end) != ">") return {{{scope.body.begin, scope.body.begin}, fmt::format("<\n  {}\n> ", list)}};
  const bool is_first = snapshot.TextOf(head[head.size() - 2].range) == "<";
  return {{{end.begin, end.begin}, fmt::format("{}\n  {}\n", is_first ? "" : ",", list)}};
}

SourceRange EntryOfList(const Snapshot& snapshot, const TextScope& scope, SourceRange entry) {
  const std::vector<TextToken> head = TokensIn(snapshot.text(), {scope.name_range.end, scope.body.begin});
  const auto begin_of = [](const TextToken& token) { return token.range.begin; };
  const auto first = std::ranges::lower_bound(head, entry.begin, {}, begin_of);
  const auto behind = std::ranges::lower_bound(head, entry.end, {}, begin_of);
  if (first == head.begin() || behind == head.end()) return {};
  const std::string_view before = snapshot.TextOf((first - 1)->range);
  SourceRange range = {entry.begin, entry.end};
  if (snapshot.TextOf(behind->range) == "," && behind + 1 != head.end()) {
    range.end = (behind + 1)->range.begin;
  } else if (before == ",") {
    range.begin = (first - 1)->range.begin;
  } else if (before == "<") {
    range = {(first - 1)->range.begin, scope.body.begin};
  } else {
    return {};
  }
  return HasComment(snapshot, range) ? SourceRange{} : range;
}

}  // namespace onnxc::lsp
