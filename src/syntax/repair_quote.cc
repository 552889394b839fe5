// Repairs quotes. After a quote that is missing, doubled or of another kind, strings begin and end at the wrong places,
// so edits of tokens do not help. Instead, each edit of one quote on the line is tried in the text.
#include <algorithm>
#include <utility>

#include "source/report.h"
#include "syntax/repair_search.h"
#include "syntax/scanner.h"

namespace onnxc::syntax {
namespace {

constexpr std::size_t kLongLine = 1000;   // how many bytes of the line are read before the mistake, and after it
constexpr std::size_t kBehindLine = 500;  // how many bytes are read after the line
constexpr std::string_view kBorders = " \t\n\r,:;()[]{}<>=";

}  // namespace

// Edits of a quote, the most likely first.
enum class QuoteEdit : std::uint8_t { kReplace, kDelete, kInsert };

struct RepairSearch::Search::Quote {
  FixIt edit;
  QuoteEdit kind = QuoteEdit::kInsert;
  std::size_t reached = 0;  // where the corrected text has the next error, as an offset in the original text
  std::size_t quoted = 0;   // the number of bytes in the strings of the line
  SourceRange string = {};  // from the beginning of the string with the edited quote to the edit
  bool opens = false;
};

// A token on the line, and the gap before it.
struct RepairSearch::Search::Piece {
  std::size_t begin;
  Place place;
  std::size_t quoted;  // the number of bytes in the strings of the line before it
};

// Returns the line with the mistake, as far as it was read. If the string before the mistake has several lines, returns
// the line on which that string begins.
SourceRange RepairSearch::Search::LineOfQuote() const {
  std::size_t at = s_.found->begin;
  const bool is_long = s_.previous != nullptr && s_.previous->text.starts_with('"') &&
                       s_.previous->text.find('\n') != std::string_view::npos;
  if (is_long) at = s_.previous->begin;
  const std::size_t far = at - std::min(at, kLongLine);
  const std::size_t line_break = s_.Slice(far, at).rfind('\n');
  const std::size_t least = line_break == std::string_view::npos ? far : far + line_break + 1;
  // The beginning of a long line may be within a string, and other tokens may not be known, so it begins at a token.
  const auto first = std::ranges::find_if(tokens_, [&](const SyntaxToken* token) { return token->begin >= least; });
  const std::size_t begin = first == tokens_.end() ? at : (*first)->begin;
  return {std::min(begin, at), s_.LineEnd(at)};
}

// Returns whether the number of quotes is odd.
bool RepairSearch::Search::IsOdd(SourceRange line) const {
  const std::string_view text = s_.Slice(line.begin, line.end);
  bool is_odd = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\\')
      ++at;
    else
      is_odd ^= text[at] == '"';
  }
  return is_odd;
}

// Returns the tokens of the line, up to the mistake.
std::vector<RepairSearch::Search::Piece> RepairSearch::Search::PiecesOf(SourceRange line) {
  std::size_t first = 0;
  while (first < found_ && tokens_[first]->begin < line.begin) ++first;
  Piece piece{.begin = tokens_[first]->begin, .place = places_[first], .quoted = 0};
  std::vector<Piece> pieces = {piece};
  Scanner scanner(s_.Slice(0, s_.found->range().end), Scanner::ListTokens::kNumbers, piece.begin);
  for (SyntaxToken token; piece.begin < s_.found->begin;) {
    scanner.Next(token);
    if (!walk_.Step(&piece.place, token.type)) break;
    if (token.type == Grammar::STRING) piece.quoted += token.text.size();
    piece.begin = token.range().end;
    pieces.push_back(piece);
  }
  return pieces;
}

// Reads the edited text from the token before the edit to shortly after the line. Returns false if the budget is used
// up.
bool RepairSearch::Search::TryQuote(const Piece& piece, SourceRange line, Quote* quote) {
  const std::size_t begin = piece.begin;
  const std::size_t end = std::min(s_.text.size(), line.end + kBehindLine);
  const FixIt& edit = quote->edit;
  const std::string corrected =
      std::string(s_.Slice(begin, edit.range.begin)).append(edit.replacement).append(s_.Slice(edit.range.end, end));
  const std::size_t at = edit.range.begin - begin;
  const std::size_t added = edit.replacement.size() - (edit.range.end - edit.range.begin);  // may wrap around
  Scanner scanner(corrected);
  Place place = piece.place;
  quote->quoted = piece.quoted;
  for (SyntaxToken token;;) {
    scanner.Next(token);
    if (!s_.MayLook(Trials::Search::kQuotes, token.text.size() + 1)) return false;
    if (token.type == antlr4::Token::EOF) break;
    if (!walk_.Step(&place, token.type)) {
      quote->reached = begin + token.begin - (token.begin > at ? added : 0);
      return true;
    }
    if (token.type != Grammar::STRING || token.begin + begin >= line.end + added) continue;
    quote->quoted += token.text.size();
    if (token.text.find('\n') != std::string_view::npos) return true;  // the string continues on the next line
    if (token.begin == at || token.range().end == at + 1) quote->opens = token.begin == at;
    if (token.begin <= at && at < token.range().end) quote->string = {token.begin + begin, edit.range.begin};
  }
  quote->reached = end;
  return true;
}

// Returns all edits of one quote after which the line has no error. Returns nothing if the budget is used up.
std::optional<std::vector<RepairSearch::Search::Quote>> RepairSearch::Search::QuotesOn(SourceRange line) {
  const std::vector<Piece> pieces = PiecesOf(line);
  auto piece = pieces.begin();  // the last one before the edit
  std::vector<Quote> quotes;
  bool may_look = true;
  const auto consider = [&](SourceRange range, std::string_view written, QuoteEdit kind) {
    Quote quote{.edit = Replace(range, written), .kind = kind};
    may_look = may_look && TryQuote(*piece, line, &quote);
    if (quote.reached > std::max(line.end, s_.found->begin) || quote.reached == s_.text.size())
      quotes.push_back(std::move(quote));
  };
  const auto is_border = [](char c) { return kBorders.find(c) != std::string_view::npos; };
  // An edit after the mistake would not change the token there.
  const std::size_t last = std::min(line.end, s_.found->range().end);
  for (std::size_t at = pieces.front().begin; at <= last && may_look; ++at) {
    while (piece + 1 != pieces.end() && (piece + 1)->begin < at) ++piece;
    const char before = at > 0 ? s_.text[at - 1] : ' ';
    const char c = at < s_.text.size() ? s_.text[at] : '\n';
    if (c == '\'' || c == '`') consider({at, at + 1}, "\"", QuoteEdit::kReplace);
    if (c == '"' && before == '"') consider({at, at + 1}, "", QuoteEdit::kDelete);
    if (before != '"' && (is_border(before) || is_border(c))) consider({at, at}, "\"", QuoteEdit::kInsert);
  }
  return may_look ? std::optional(std::move(quotes)) : std::nullopt;
}

Diagnostic RepairSearch::Search::Explain(const Quote& quote) const {
  const SourceRange range = quote.edit.range;
  switch (quote.kind) {
    case QuoteEdit::kReplace: return MakeDiagnostic(diag::kSingleQuotes, range);
    case QuoteEdit::kDelete:
      return MakeDiagnostic(DiagnosticKind::kUnexpectedToken, Severity::kError, range, "unexpected second '\"'");
    case QuoteEdit::kInsert: break;
  }
  const bool is_empty = s_.text.substr(range.begin, 1) == "\"";  // `"` becomes `""`
  if (!quote.opens || is_empty) {
    return MakeDiagnostic(diag::kUnclosedString, is_empty ? SourceRange{range.begin, range.begin + 1} : quote.string);
  }
  Diagnostic diagnostic = MakeDiagnostic(diag::kUnclosedString, SourceRange{range.begin, range.begin + 1});
  diagnostic.message = "the string does not begin with '\"'";
  return diagnostic;
}

std::optional<Repair> RepairSearch::Search::FindQuote() {
  if (!HasTokens()) return std::nullopt;
  const SourceRange line = LineOfQuote();
  if (!s_.MayLook(Trials::Search::kQuotes, line.end - line.begin) || !IsOdd(line)) return std::nullopt;
  const std::optional<std::vector<Quote>> found =
      QuotesOn({line.begin, std::min(line.end, line.begin + 2 * kLongLine)});
  if (!found || found->empty()) return std::nullopt;
  const std::vector<Quote>& quotes = *found;
  // The best edit is the one with the shortest strings; if there are several, the most likely of them.
  const auto rank = [](const Quote& quote) { return std::pair(quote.quoted, quote.kind); };
  const Quote& best = *std::ranges::min_element(quotes, {}, rank);
  if (best.kind != QuoteEdit::kDelete && std::ranges::count(quotes, rank(best), rank) > 1) return std::nullopt;
  Repair repair;
  repair.diagnostic = Explain(best);
  repair.diagnostic.fix_its = {best.edit};
  repair.goes_far = true;
  return repair;
}

}  // namespace onnxc::syntax
