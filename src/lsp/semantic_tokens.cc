// textDocument/semanticTokens: full, delta and range
#include "lsp/semantic_tokens.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>

#include "lsp/methods.h"
#include "symbols/tokens.h"

namespace onnxc::lsp {
namespace {

enum class TokenType : std::uint32_t {
  kNamespace,  // domains
  kType,
  kTypeParameter,  // dimensions
  kParameter,      // inputs
  kVariable,       // other values
  kProperty,       // attributes, header keys, labels
  kFunction,       // operators and functions
  kComment,
  kString,
  kNumber,
  kMacro,  // pragmas
};
constexpr const char* kTypeNames[] = {"namespace", "type",    "typeParameter", "parameter", "variable", "property",
                                      "function",  "comment", "string",        "number",    "macro"};
constexpr std::uint32_t kDefinition = 1;      // bits of the modifiers
constexpr std::uint32_t kDefaultLibrary = 2;  // operators that the text does not define

struct Colour {
  TokenType type;
  std::uint32_t modifiers = 0;
};

Colour ColourOf(const Occurrence& occurrence, const SymbolIndex& symbols) {
  const Symbol& symbol = symbols.symbols()[occurrence.symbol];
  const std::uint32_t modifiers = occurrence.is_definition ? kDefinition : 0;
  switch (symbol.kind) {
    case SymbolKind::kValue: return {TokenType::kVariable, modifiers};
    case SymbolKind::kFunction: return {TokenType::kFunction, modifiers};
    case SymbolKind::kOperator: return {TokenType::kFunction, kDefaultLibrary};
    case SymbolKind::kDimension: return {TokenType::kTypeParameter, 0};
    case SymbolKind::kAttribute: return {TokenType::kProperty, modifiers};
    case SymbolKind::kDomain: return {TokenType::kNamespace, modifiers};
  }
  return {TokenType::kVariable, 0};
}

/// The colour of a token that is no name of the index.
std::optional<Colour> ColourOf(TokenKind kind) {
  switch (kind) {
    case TokenKind::kName: return Colour{TokenType::kProperty};
    case TokenKind::kKeyword: return Colour{TokenType::kType};
    case TokenKind::kNumber:
    case TokenKind::kNumbers: return Colour{TokenType::kNumber};
    case TokenKind::kString: return Colour{TokenType::kString};
    case TokenKind::kPragma: return Colour{TokenType::kMacro};
    case TokenKind::kComment: return Colour{TokenType::kComment};
    case TokenKind::kMark:
    case TokenKind::kInvalid: return std::nullopt;
  }
  return std::nullopt;
}

/// Writes tokens relative to the one before; those of several lines as one for each line.
class Encoder {
 public:
  explicit Encoder(const Snapshot& snapshot) : snapshot_(snapshot) {}

  void Add(SourceRange range, Colour colour) {
    const Lines& lines = snapshot_.lines();
    const std::size_t last = lines.LineOf(range.end);
    for (std::size_t line = lines.LineOf(range.begin); line <= last; ++line) {
      const SourceRange whole = lines.RangeOf(line);
      AddInLine({std::max(range.begin, whole.begin), std::min(range.end, whole.end)}, colour);
    }
  }

  [[nodiscard]] std::vector<std::uint32_t> Take() { return std::move(data_); }

 private:
  void AddInLine(SourceRange range, Colour colour) {
    if (range.end <= range.begin) return;
    const LinePosition place = snapshot_.lines().PositionAt(range.begin);
    const bool is_same_line = place.line == before_.line;
    const std::size_t character = is_same_line ? place.character - before_.character : place.character;
    for (const std::size_t number : {place.line - before_.line, character, snapshot_.lines().LengthOf(range),
                                     static_cast<std::size_t>(colour.type), std::size_t{colour.modifiers}}) {
      data_.push_back(static_cast<std::uint32_t>(number));
    }
    before_ = place;
  }

  const Snapshot& snapshot_;
  LinePosition before_;
  std::vector<std::uint32_t> data_;
};

/// A place between two tokens, at `offset` or before: the beginning of a node or of an item.
std::size_t StartBefore(const SymbolIndex& symbols, std::size_t offset) {
  std::size_t start = 0;
  const auto begin_of = [](const auto& element) { return element.range.begin; };
  const auto node = std::ranges::upper_bound(symbols.nodes(), offset, {}, begin_of);
  if (node != symbols.nodes().begin()) start = std::prev(node)->range.begin;
  for (const TextScope& scope : symbols.scopes()) {
    if (scope.parent == kNoSymbol && scope.range.begin <= offset) start = std::max(start, scope.range.begin);
  }
  return start;
}

/// Keeps the colours that are sent. Returns their id.
std::string Keep(Workspace& workspace, const Snapshot& snapshot, std::vector<std::uint32_t> data) {
  std::string id = std::to_string(++workspace.sent_count);
  workspace.sent_tokens[snapshot.uri()] = {id, std::move(data)};
  return id;
}

}  // namespace

Json SemanticLegend() { return {{"tokenTypes", kTypeNames}, {"tokenModifiers", {"definition", "defaultLibrary"}}}; }

std::vector<std::uint32_t> SemanticTokensIn(const Snapshot& snapshot, SourceRange range) {
  const SymbolIndex& symbols = snapshot.symbols();
  Encoder encoder(snapshot);
  auto name = symbols.occurrences().begin();
  const SourceRange part = {StartBefore(symbols, range.begin), range.end};
  for (const TextToken& token : TokensIn(snapshot.text(), part, /*comments=*/true)) {
    if (token.range.end <= range.begin) continue;
    while (name != symbols.occurrences().end() && name->range.end <= token.range.begin) ++name;
    const bool is_name = name != symbols.occurrences().end() && name->symbol != kNoSymbol &&
                         name->range.begin <= token.range.begin && token.range.end <= name->range.end;
    const bool is_mark = token.kind == TokenKind::kMark;
    if (is_name && !is_mark) {
      encoder.Add(token.range, ColourOf(*name, symbols));
    } else if (const auto colour = ColourOf(token.kind)) {
      encoder.Add(token.range, *colour);
    }
  }
  return encoder.Take();
}

Json SemanticTokens(Workspace& workspace, const Json& params) {
  const auto snapshot = workspace.DocumentOf(params);
  std::vector<std::uint32_t> data = SemanticTokensIn(*snapshot, {0, snapshot->text().size()});
  Json result = {{"data", data}};
  result["resultId"] = Keep(workspace, *snapshot, std::move(data));
  return result;
}

Json SemanticTokensRange(Workspace& workspace, const Json& params) {
  const auto snapshot = workspace.DocumentOf(params);
  return {{"data", SemanticTokensIn(*snapshot, snapshot->SourceRangeOf(Member(params, "range")))}};
}

// One edit: what lies between the numbers at the beginning and at the end that are the same.
Json SemanticTokensDelta(Workspace& workspace, const Json& params) {
  const auto snapshot = workspace.DocumentOf(params);
  const auto sent = workspace.sent_tokens.find(snapshot->uri());
  if (sent == workspace.sent_tokens.end() || sent->second.id != StringMember(params, "previousResultId")) {
    return SemanticTokens(workspace, params);
  }
  std::vector<std::uint32_t> data = SemanticTokensIn(*snapshot, {0, snapshot->text().size()});
  const std::vector<std::uint32_t>& before = sent->second.data;
  const auto first = std::ranges::mismatch(before, data);
  const auto same = static_cast<std::size_t>(first.in1 - before.begin());
  const std::size_t most = std::min(before.size(), data.size()) - same;
  std::size_t tail = 0;
  while (tail < most && before[before.size() - 1 - tail] == data[data.size() - 1 - tail]) ++tail;
  Json edits = Json::array();
  if (before.size() - tail > same || data.size() - tail > same) {
    const auto begin = data.begin() + static_cast<std::ptrdiff_t>(same);
    const auto end = data.end() - static_cast<std::ptrdiff_t>(tail);
    edits.push_back({{"start", same},
                     {"deleteCount", before.size() - tail - same},
                     {"data", std::vector<std::uint32_t>(begin, end)}});
  }
  return {{"resultId", Keep(workspace, *snapshot, std::move(data))}, {"edits", std::move(edits)}};
}

}  // namespace onnxc::lsp
