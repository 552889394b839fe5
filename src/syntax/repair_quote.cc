// Repairs quotes. After a quote that is missing, doubled or of another kind, strings begin and end at the wrong places,
// so edits of tokens do not help. Instead, each edit of one quote on the line is tried in the text.
#include <algorithm>
#include <utility>

#include "source/report.h"
#include "syntax/repair_search.h"
#include "syntax/scanner.h"

namespace onnxc::syntax {
namespace {

constexpr std::size_t kLongLine = 1000;  // in bytes
constexpr std::size_t kBehindLine = 500;
constexpr std::string_view kBorders = " \t\n\r,:;()[]{}<>=";

}  // namespace

// Edits of a quote, the most likely first.
enum class QuoteEdit : std::uint8_t { kReplace, kDelete, kInsert };

struct RepairSearch::Search::Quote {
  FixIt edit;
  QuoteEdit kind = QuoteEdit::kInsert;
  std::size_t reached = 0;  // where the corrected text has the next error, as an offset in the original text
  std::size_t quoted = 0;   // the number of bytes in the strings of the line
  SourceRange string = {};  // from the begin of the string with the edited quote to the edit
  bool opens = false;
};

// Returns the line of the mistake. If the string before the mistake has several lines, returns the line on which it
// begins.
SourceRange RepairSearch::Search::LineOfQuote() const {
  std::size_t at = s_.found->begin;
  const bool is_long = s_.previous != nullptr && s_.previous->text.starts_with('"') &&
                       s_.previous->text.find('\n') != std::string_view::npos;
  if (is_long) at = s_.previous->begin;
  const std::size_t first = at - std::min(at, kLongLine);
  const std::size_t line = s_.Slice(first, at).rfind('\n');
  return {line == std::string_view::npos ? first : first + line + 1, std::min(s_.LineEnd(at), at + kLongLine)};
}

// Reads the edited text from the token `first` to shortly after the line.
void RepairSearch::Search::TryQuote(std::size_t first, SourceRange line, Quote* quote) {
  const std::size_t begin = tokens_[first]->begin;
  const std::size_t end = std::min(s_.text.size(), line.end + kBehindLine);
  const FixIt& edit = quote->edit;
  const std::string corrected =
      std::string(s_.Slice(begin, edit.range.begin)).append(edit.replacement).append(s_.Slice(edit.range.end, end));
  const std::size_t at = edit.range.begin - begin;
  const std::size_t added = edit.replacement.size() - (edit.range.end - edit.range.begin);  // may wrap around
  TokenStream tokens(corrected, Scanner::ListTokens::kNumbers);
  Place place = places_[first];
  for (; tokens.current()->type != antlr4::Token::EOF; tokens.consume()) {
    const SyntaxToken& token = *tokens.current();
    const bool is_cut = end < s_.text.size() && token.range().end + kLongLine / 4 > corrected.size();
    if (!walk_.Step(&place, token.type)) {
      quote->reached = is_cut ? end : begin + token.begin - (token.begin > at ? added : 0);
      return;
    }
    if (token.type != Grammar::STRING || token.begin + begin >= line.end + added) continue;
    quote->quoted += token.text.size();
    if (token.text.find('\n') != std::string_view::npos) return;  // the string continues on the next line
    if (token.begin == at || token.range().end == at + 1) quote->opens = token.begin == at;
    if (token.begin <= at && at < token.range().end) quote->string = {token.begin + begin, edit.range.begin};
  }
  quote->reached = end;
}

// Returns all edits of one quote after which the line has no error.
std::vector<RepairSearch::Search::Quote> RepairSearch::Search::QuotesOn(SourceRange line) {
  std::size_t first = 0;
  while (first < found_ && tokens_[first]->begin < line.begin) ++first;
  std::vector<Quote> quotes;
  const auto consider = [&](SourceRange range, std::string_view written, QuoteEdit kind) {
    if (range.begin < tokens_[first]->begin) return;
    Quote quote{.edit = Replace(range, written), .kind = kind};
    TryQuote(first, line, &quote);
    if (quote.reached > std::max(line.end, s_.found->begin) || quote.reached == s_.text.size())
      quotes.push_back(std::move(quote));
  };
  const auto is_border = [](char c) { return kBorders.find(c) != std::string_view::npos; };
  for (std::size_t at = line.begin; at <= line.end; ++at) {
    const char before = at > 0 ? s_.text[at - 1] : ' ';
    const char c = at < s_.text.size() ? s_.text[at] : '\n';
    if (c == '\'' || c == '`') consider({at, at + 1}, "\"", QuoteEdit::kReplace);
    if (c == '"' && before == '"') consider({at, at + 1}, "", QuoteEdit::kDelete);
    if (before != '"' && (is_border(before) || is_border(c))) consider({at, at}, "\"", QuoteEdit::kInsert);
  }
  return quotes;
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
  const SourceRange line = LineOfQuote();
  const std::string_view text = s_.Slice(line.begin, line.end);
  bool is_odd = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\\')
      ++at;
    else
      is_odd ^= text[at] == '"';
  }
  if (!is_odd) return std::nullopt;
  if (!HasTokens() || !s_.MayLook(64 * text.size() + 16 * kBehindLine)) return std::nullopt;
  const std::vector<Quote> quotes = QuotesOn(line);
  if (quotes.empty()) return std::nullopt;
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
