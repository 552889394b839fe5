// Handles textDocument/semanticTokens: full, delta and range.
#include "lsp/semantic_tokens.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>

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
constexpr std::uint32_t kDefinition = 1;      // the modifiers are bits
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

/// Returns the colour of a token that is not a name in the symbol index, or nothing if it has no colour.
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

/// Encodes tokens. The tokens must be added in the order of the text, because each is encoded relative to the token
/// before it. A token of several lines is encoded as one token for each line.
class Encoder {
 public:
  explicit Encoder(const Lines& lines) : lines_(lines) {}

  void Add(SourceRange range, Colour colour) {
    if (range.begin >= lines_.BeginOf(line_ + kNear)) line_ = lines_.LineOf(range.begin);
    while (line_ + 1 < lines_.count() && range.begin >= lines_.BeginOf(line_ + 1)) ++line_;
    if (range.end < lines_.BeginOf(line_ + 1)) return AddInLine(line_, range, colour);
    const std::size_t last = lines_.LineOf(range.end);
    for (std::size_t line = line_; line <= last; ++line) {
      const SourceRange whole = lines_.RangeOf(line);
      AddInLine(line, {std::max(range.begin, whole.begin), std::min(range.end, whole.end)}, colour);
    }
  }

  [[nodiscard]] std::vector<std::uint32_t> Take() { return std::move(data_); }

 private:
  static constexpr std::size_t kNear = 64;  // lines; the line of a token that is nearer than this is found by going
                                            // from line to line

  void AddInLine(std::size_t line, SourceRange range, Colour colour) {
    if (range.end <= range.begin) return;
    const LinePosition place = {line, lines_.LengthOf({lines_.BeginOf(line), range.begin})};
    const bool is_same_line = place.line == before_.line;
    const std::size_t character = is_same_line ? place.character - before_.character : place.character;
    for (const std::size_t number : {place.line - before_.line, character, lines_.LengthOf(range),
                                     static_cast<std::size_t>(colour.type), std::size_t{colour.modifiers}}) {
      data_.push_back(static_cast<std::uint32_t>(number));
    }
    before_ = place;
  }

  const Lines& lines_;
  std::size_t line_ = 0;  // the line of the last token, or the first line after it
  LinePosition before_;
  std::vector<std::uint32_t> data_;
};

/// Returns a place between two tokens at or before the offset: the beginning of a node, or of a graph or function.
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

/// Returns all semantic tokens of a document as JSON, and keeps them for the next delta request.
std::string All(Workspace& workspace, const Snapshot& snapshot, std::vector<std::uint32_t> data) {
  std::string json = fmt::format(R"({{"data":[{}],"resultId":")", fmt::join(data, ","));
  return json.append(workspace.sent_tokens().Keep(snapshot.uri(), std::move(data))).append("\"}");
}

}  // namespace

Json SemanticLegend() { return {{"tokenTypes", kTypeNames}, {"tokenModifiers", {"definition", "defaultLibrary"}}}; }

std::vector<std::uint32_t> SemanticTokensIn(const Snapshot& snapshot, SourceRange range) {
  const SymbolIndex& symbols = snapshot.symbols();
  Encoder encoder(snapshot.lines());
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

std::string SemanticTokens(Workspace& workspace, const Json& params) {
  const auto snapshot = workspace.DocumentOf(params);
  return All(workspace, *snapshot, SemanticTokensIn(*snapshot, {0, snapshot->text().size()}));
}

Json SemanticTokensRange(Workspace& workspace, const Json& params) {
  const auto snapshot = workspace.DocumentOf(params);
  return {{"data", SemanticTokensIn(*snapshot, snapshot->SourceRangeOf(Member(params, "range")))}};
}

// Returns one edit, which replaces the numbers between the common beginning and the common end of the old list and the
// new list.
std::string SemanticTokensDelta(Workspace& workspace, const Json& params) {
  const auto snapshot = workspace.DocumentOf(params);
  std::vector<std::uint32_t> data = SemanticTokensIn(*snapshot, {0, snapshot->text().size()});
  const auto sent = workspace.sent_tokens().Find(snapshot->uri(), StringMember(params, "previousResultId"));
  if (sent == nullptr) return All(workspace, *snapshot, std::move(data));
  const std::vector<std::uint32_t>& before = sent->content;
  const auto first = std::ranges::mismatch(before, data);
  const auto same = static_cast<std::size_t>(first.in1 - before.begin());
  const std::size_t most = std::min(before.size(), data.size()) - same;
  std::size_t tail = 0;
  while (tail < most && before[before.size() - 1 - tail] == data[data.size() - 1 - tail]) ++tail;
  std::string edits;
  if (before.size() - tail > same || data.size() - tail > same) {
    const auto changed = std::span(data).subspan(same, data.size() - tail - same);
    edits = fmt::format(R"({{"data":[{}],"deleteCount":{},"start":{}}})", fmt::join(changed, ","),
                        before.size() - tail - same, same);
  }
  const std::string id = workspace.sent_tokens().Keep(snapshot->uri(), std::move(data));
  return fmt::format(R"({{"edits":[{}],"resultId":"{}"}})", edits, id);
}

}  // namespace onnxc::lsp
