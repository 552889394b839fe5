#include "syntax/mistakes.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "syntax/automaton.h"
#include "syntax/mistake_pattern.h"
#include "syntax/spelling.h"
#include "tables/foreign_words.h"

namespace onnxc::syntax {
namespace {

constexpr Mistake kMistakes[] = {
#define ONNXC_MISTAKE(place, kind, wrong, right, words) \
  {MistakePlace::place, DiagnosticKind::kind, wrong, right, words},
#include "tables/mistakes.def"
#undef ONNXC_MISTAKE
};

static_assert(std::ranges::all_of(kMistakes, [](const Mistake& row) {
  return HasKnownHoles(row.wrong) && HasKnownHoles(row.right) && HasKnownHoles(row.words);
}));

constexpr std::size_t kFarBack = 1024;   // how many bytes are read before the mistake, on its line or in its node
constexpr std::size_t kFarAhead = 4096;  // how many bytes are read after it
constexpr std::size_t kMostBack = 20;    // how many tokens before the mistake a pattern may begin

// Returns whether an edit may begin or end at the offset. It must not divide a word or a mark such as `==`: to replace
// `==` by `=`, the edit replaces both characters.
bool IsBorder(std::string_view text, std::size_t at) {
  constexpr std::string_view kAlone = " ()[]{}";
  return at == 0 || at >= text.size() || kAlone.find(text[at]) != std::string_view::npos ||
         kAlone.find(text[at - 1]) != std::string_view::npos;
}

// Returns the length of the beginning that both texts have in common.
std::size_t CommonBegin(std::string_view a, std::string_view b) {
  auto common = static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
  while (common > 0 && !(IsBorder(a, common) && IsBorder(b, common))) --common;
  return common;
}

std::size_t CommonEnd(std::string_view a, std::string_view b) {
  std::size_t common = 0;
  while (common < std::min(a.size(), b.size()) && a[a.size() - 1 - common] == b[b.size() - 1 - common]) ++common;
  while (common > 0 && !(IsBorder(a, a.size() - common) && IsBorder(b, b.size() - common))) --common;
  return common;
}

class Rewriting {
 public:
  Rewriting(const Mistake& row, const std::vector<PatternPart>& parts, const std::vector<SourceRange>& ranges,
            std::string_view text)
      : row_(row), parts_(parts), ranges_(ranges), text_(text) {}

  /// Returns the edits between the placeholders, or one edit of the whole text if the order of the placeholders
  /// changes.
  [[nodiscard]] std::vector<FixIt> Edits() const {
    const std::vector<PatternPart> right = HolesOf(row_.right);
    std::vector<FixIt> edits;
    std::size_t next = 0;    // an index in parts_
    std::size_t copied = 0;  // an offset in the right pattern
    std::size_t end = ranges_.front().begin;
    const auto replace = [&](SourceRange range, std::string_view by) {
      const bool is_last = range.end >= text_.size() || text_[range.end] == '\n' || text_[range.end] == ' ';
      if (is_last && by.ends_with(' ')) by.remove_suffix(1);
      // Line breaks inside of brackets are kept.
      const std::size_t line_break = text_.find('\n', range.begin);
      if (line_break < range.end && !by.empty()) {
        const std::size_t first = text_.find_first_not_of(" \n", range.begin);
        if (first > line_break) range.begin = first;
        if (text_[range.end - 1] == ' ' || text_[range.end - 1] == '\n') range.end = std::min(line_break, range.end);
      }
      const std::string_view there = text_.substr(range.begin, range.end - range.begin);
      const std::size_t first = CommonBegin(there, by);
      const std::size_t last = CommonEnd(there.substr(first), by.substr(first));
      FixIt edit = Replace({range.begin + first, range.end - last}, by.substr(first, by.size() - first - last));
      // An insertion between two blanks is moved to the end of the token before them.
      const std::size_t begin = edit.range.begin;
      if (begin == edit.range.end && begin > 0 && text_[begin - 1] == ' ' && edit.replacement.ends_with(' ')) {
        edit = Insert(begin - 1, " " + edit.replacement.substr(0, edit.replacement.size() - 1));
      }
      if (there != by) edits.push_back(edit);
    };
    for (const PatternPart& part : right) {
      const std::size_t from = next;
      while (next < parts_.size() && parts_[next].hole != part.hole) ++next;
      if (next == parts_.size()) {  // it is out of order, or computed from another placeholder
        edits.clear();
        replace({ranges_.front().begin, ranges_.back().end}, Whole(right));
        return edits;
      }
      const std::string_view between = row_.right.substr(copied, part.begin - copied);
      if (!IsSameGap(from, next, between)) replace({end, ranges_[next].begin}, between);
      replace(ranges_[next], Filled(part, TextAt(next)));
      end = ranges_[next].end;
      copied = part.end;
      ++next;
    }
    const std::size_t quote = parts_.back().holds == Holds::kText ? 1 : 0;
    if (!IsSameGap(next, parts_.size(), row_.right.substr(copied))) {
      replace({end, ranges_.back().end + quote}, row_.right.substr(copied));
    }
    return edits;
  }

  /// Returns the range for the finding: the misplaced part of a call, or else the first wrong tokens.
  [[nodiscard]] SourceRange Place(const std::vector<FixIt>& edits) const {
    const std::vector<PatternPart> left = HolesOf(row_.wrong);
    const std::vector<PatternPart> right = HolesOf(row_.right);
    const auto [before, behind] = std::ranges::mismatch(left, right, {}, &PatternPart::hole, &PatternPart::hole);
    if (row_.place == MistakePlace::kCall && before != left.end() &&
        std::ranges::find(right, before->hole, &PatternPart::hole) != right.end()) {
      const auto moved = std::ranges::find(parts_, behind->hole, &PatternPart::hole);
      if (moved != parts_.end() && moved > std::ranges::find(parts_, before->hole, &PatternPart::hole)) {
        return ranges_[static_cast<std::size_t>(moved - parts_.begin())];
      }
    }
    const auto is_written = [](const FixIt& edit) { return edit.range.begin < edit.range.end; };
    const auto written = std::ranges::find_if(edits, is_written);
    SourceRange place{ranges_.front().begin, ranges_.back().end};
    if (!edits.empty()) place = written == edits.end() ? edits.front().range : written->range;
    while (place.begin < place.end && text_[place.begin] == ' ') ++place.begin;
    while (place.begin < place.end && text_[place.end - 1] == ' ') --place.end;
    if (place.begin == place.end && text_.substr(place.begin, 1) == " ") place = {place.begin + 1, place.end + 1};
    return place;
  }

  /// Returns the pattern with its placeholders replaced by the text that they matched.
  [[nodiscard]] std::string Whole(const std::vector<PatternPart>& pattern) const { return Whole(pattern, row_.right); }
  [[nodiscard]] std::string Whole(const std::vector<PatternPart>& pattern, std::string_view written) const {
    std::string whole;
    std::size_t copied = 0;
    for (const PatternPart& part : pattern) {
      whole.append(written.substr(copied, part.begin - copied));
      for (std::size_t i = 0; i < parts_.size(); ++i) {
        if (parts_[i].hole == part.hole) whole += Filled(part, TextAt(i));
        if (part.hole == "code" && (parts_[i].hole == "element" || parts_[i].hole == "constant")) {
          whole += std::to_string(CodeOfElementType(Filled(parts_[i], TextAt(i))));
        }
        if (part.hole == "count" && parts_[i].holds >= Holds::kInts) {
          whole += std::to_string(std::ranges::count(TextAt(i), ',') + 1);
        }
      }
      copied = part.end;
    }
    return whole.append(written.substr(copied));
  }

 private:
  [[nodiscard]] std::string_view TextAt(std::size_t part) const {
    return text_.substr(ranges_[part].begin, ranges_[part].end - ranges_[part].begin);
  }

  // Returns whether the parts [from, to) of the wrong pattern are the same tokens as `right`.
  [[nodiscard]] bool IsSameGap(std::size_t from, std::size_t to, std::string_view right) const {
    const auto quote = [&](std::size_t i) {
      return i < parts_.size() && parts_[i].holds == Holds::kText ? std::string("\"") : std::string();
    };
    std::string wrong = quote(from - 1);
    for (std::size_t i = from; i < to; ++i) {
      if (!parts_[i].hole.empty()) return false;
      wrong.append(parts_[i].token.text);
    }
    wrong += quote(to);
    std::string other(right);
    std::erase(other, ' ');
    return wrong == other;
  }

  const Mistake& row_;
  const std::vector<PatternPart>& parts_;
  const std::vector<SourceRange>& ranges_;
  std::string_view text_;
};

bool StandsIn(MistakePlace place, const Situation& s) {
  const auto is_in = [&](auto... rules) { return ((s.Around(rules) != nullptr) || ...); };
  const bool is_attribute = is_in(Grammar::RuleAttrs, Grammar::RuleAttr, Grammar::RuleFormals, Grammar::RuleFormal);
  switch (place) {
    case MistakePlace::kNode: return !is_attribute && (s.rule() == Grammar::RuleBody || is_in(Grammar::RuleNode));
    case MistakePlace::kCall:
    case MistakePlace::kBranch: return is_in(Grammar::RuleNode);
    case MistakePlace::kInput: return !is_attribute && is_in(Grammar::RuleNode);
    case MistakePlace::kAttribute: return is_attribute;
    case MistakePlace::kFormal: return is_in(Grammar::RuleFormals, Grammar::RuleFormal);
    case MistakePlace::kAnnotation:
    case MistakePlace::kBehindNode: return true;
    case MistakePlace::kValue:
      return is_in(Grammar::RuleValue, Grammar::RuleValueInfo, Grammar::RuleInputs, Grammar::RuleOutputs,
                   Grammar::RuleValues);
    case MistakePlace::kType: return true;  // except before the brackets of a graph: see MistakeAt()
    case MistakePlace::kShape: return is_in(Grammar::RuleShape, Grammar::RuleDims, Grammar::RuleDim);
    case MistakePlace::kModel:
    case MistakePlace::kItem:
      return is_in(Grammar::RuleFormals) || s.rule() == Grammar::RuleItemsFile || s.rule() == Grammar::RuleItem ||
             s.rule() == Grammar::RuleNamed || s.rule() == Grammar::RuleItemName;
    case MistakePlace::kHeader:
    case MistakePlace::kImport: return is_in(Grammar::RuleHeader, Grammar::RuleEntry);
  }
  return false;
}

struct Pattern {
  std::vector<PatternPart> parts;
  TokenSet needed = 0;  // the types of the tokens without which it does not match
};

const std::vector<Pattern>& Patterns() {
  static const std::vector<Pattern> patterns = [] {
    std::vector<Pattern> all;
    for (const Mistake& row : kMistakes) {
      Pattern& pattern = all.emplace_back(Pattern{.parts = PartsOf(row.wrong)});
      for (const PatternPart& part : pattern.parts) {
        if (part.hole.empty()) pattern.needed |= Bit(part.token.type);
      }
    }
    return all;
  }();
  return patterns;
}

// Decides where parsing continues: after the part that the edits make valid, or, if the parser has already read that
// part, after the matched text.
void GoOn(const Situation& s, MistakePlace place, const std::vector<SourceRange>& ranges, Guess* guess) {
  const std::vector<FixIt>& edits = guess->diagnostic.fix_its;
  const std::vector<Unit> units = s.Units();
  guess->at = ranges.back().end;
  if (edits.empty()) return;
  const std::size_t begin = edits.front().range.begin;
  const bool is_item = place <= MistakePlace::kItem;
  const bool is_before = place <= MistakePlace::kBranch && (units.empty() || ranges.front().begin < units.back().begin);
  const bool is_first = edits.size() == 1 && begin == First(s.Item()).begin;
  if (is_item && is_first && edits.front().range.end <= s.found->begin) {
    guess->resume = Resume::kItemAt;
    guess->at = edits.front().range.end;
  } else if (is_item || is_before) {
    guess->resume = Resume::kBehind;
  }
}

// Returns whether the token is the first one of a line or of a body.
bool BeginsPart(Lexemes tokens, std::size_t at) {
  return at == 0 || tokens[at - 1].type == Grammar::LBRACE ||
         TextOf(tokens.subspan(at - 1, 2)).find('\n') != std::string_view::npos;
}

// Returns for each token whether it is inside of brackets, apart from braces.
std::vector<bool> FindTokensInBrackets(Lexemes tokens) {
  std::vector<bool> are_inside;
  are_inside.reserve(tokens.size());
  int depth = 0;
  for (const Lexeme& token : tokens) {
    are_inside.push_back(depth > 0);
    if (token.type == Grammar::LBRACE || token.type == Grammar::RBRACE) {
      depth = 0;
    } else {
      depth += IsOpening(token.type) ? 1 : IsClosing(token.type) ? -1 : 0;
    }
  }
  return are_inside;
}

// Returns whether the row makes a Constant node of a literal that has a name: `k = [1, 2]`.
bool MakesConstant(const Mistake& row) {
  return row.wrong.starts_with("$name = ") && row.right.starts_with("$name = Constant ");
}

// Returns whether the name, which is the first matched part, occurs near the match. Otherwise `k = [1, 2]` may be an
// attribute of another node.
bool IsNamedElsewhere(const Situation& s, const std::vector<SourceRange>& ranges) {
  constexpr std::size_t kNear = std::size_t{16} << 10;  // in bytes
  const std::string_view name = s.Slice(ranges.front().begin, ranges.front().end);
  const std::size_t begin = ranges.front().begin;
  const std::size_t end = ranges.back().end;
  return HasWord(s.Slice(begin - std::min(begin, kNear), begin), name) ||
         HasWord(s.Slice(end, std::min(s.text.size(), end + kNear)), name);
}

// Returns a guess if the row matches the tokens that begin at index `from`.
std::optional<Guess> MistakeAt(std::size_t row, const std::vector<Lexeme>& tokens, std::size_t from,
                               const Situation& s) {
  const Mistake& mistake = kMistakes[row];
  const std::vector<PatternPart>& parts = Patterns()[row].parts;
  const PatternPart& first = parts.front();
  if (first.hole.empty() && tokens[from].text != first.token.text) return std::nullopt;  // as in most calls
  if (first.holds == Holds::kBegin && !BeginsPart(tokens, from)) return std::nullopt;
  const bool is_item = mistake.place <= MistakePlace::kItem;
  const auto ranges = Match(parts, std::span(tokens).subspan(from), s.text, is_item);
  const bool is_open =
      parts.back().holds <= Holds::kStop;  // the current token may be the first one after the matched text
  const std::size_t end = is_open && s.previous != nullptr ? s.previous->range().end : s.found->begin + 1;
  if (ranges.empty() || ranges.back().end < end) return std::nullopt;
  // Up to the current token, the text is valid. In `seq(tensor(float))`, the current token is already the wrong word.
  const bool is_wrong_word = mistake.place == MistakePlace::kType && !first.choices.empty();
  const bool is_right = parts.size() > 1 && !first.hole.empty() && ranges.front().begin >= s.found->begin;
  if (is_right && !is_wrong_word) return std::nullopt;
  const Context* const inputs = s.Around(Grammar::RuleInputs);
  const bool is_before_types = inputs != nullptr && ranges.front().begin < First(inputs).begin;
  if (mistake.place == MistakePlace::kType && is_before_types)
    return std::nullopt;  // for example, a graph named Sequence
  const Rewriting rewriting(mistake, parts, ranges, s.text);
  std::vector<FixIt> edits;
  if (!mistake.right.empty()) edits = rewriting.Edits();
  const auto has_comment = [&](const FixIt& edit) {
    return s.Slice(edit.range.begin, edit.range.end).find('#') != std::string_view::npos;
  };
  if (std::ranges::any_of(edits, has_comment)) edits.clear();
  if (mistake.place == MistakePlace::kModel && !s.Try(Grammar::RuleHeader, ranges.front().begin, edits)) edits.clear();
  const bool is_told = mistake.words.find(", found ") != std::string_view::npos &&
                       !mistake.words.ends_with("found none") && mistake.kind == DiagnosticKind::kUnexpectedToken;
  SourceRange place = is_told ? s.found->range() : rewriting.Place(edits);
  const bool is_behind = mistake.right.empty() && s.rule() == Grammar::RuleBody && place.begin < s.found->begin;
  if (is_behind)
    place = {s.found->begin, std::max(place.end, s.found->range().end)};  // the text before the current token is valid
  const bool is_whole = !edits.empty() || (mistake.right.empty() && parts.back().holds == Holds::kStop);
  if (MakesConstant(mistake) && !IsNamedElsewhere(s, ranges)) edits.clear();
  const std::string words = rewriting.Whole(HolesOf(mistake.words), mistake.words);
  Guess guess = MakeGuess(MakeDiagnostic(mistake.kind, Severity::kError, place, words), std::move(edits));
  const bool is_dimension = mistake.place == MistakePlace::kShape && mistake.kind == DiagnosticKind::kUnquotedName;
  if (is_dimension && is_whole) guess.same_as = kNamesWithoutQuotes;
  if (is_whole) GoOn(s, mistake.place, ranges, &guess);
  return guess;
}

// Returns where the search for mistakes begins: at the beginning of the line, or of the node if the node begins on an
// earlier line.
std::size_t BeginOfSearch(const Situation& s) {
  const std::size_t near = s.previous == nullptr ? s.found->begin : s.previous->begin;
  const std::size_t far = near - std::min(near, kFarBack);
  const std::size_t line_break = s.Slice(far, near).rfind('\n');
  const std::size_t line = line_break != std::string_view::npos ? far + line_break + 1 : far == 0 ? 0 : near;
  const Context* const node = s.Around(Grammar::RuleNode);
  const std::size_t start = node == nullptr ? line : First(node).begin;
  return start >= far ? std::min(start, line) : line;
}

}  // namespace

std::span<const Mistake> Mistakes() { return kMistakes; }

std::vector<Guess> FindMistakes(const Situation& s) {
  if (!s.MayLook(Trials::Search::kRows, 1)) return {};
  std::array<bool, static_cast<std::size_t>(MistakePlace::kImport) + 1> is_there{};
  for (std::size_t place = 0; place < is_there.size(); ++place) {
    is_there[place] = StandsIn(static_cast<MistakePlace>(place), s);
  }
  const bool may_end_line = is_there[static_cast<std::size_t>(MistakePlace::kModel)];  // as for kItem
  const std::size_t begin = BeginOfSearch(s);
  const std::size_t end = std::min(s.text.size(), s.found->begin + kFarAhead);
  const std::vector<Lexeme> tokens =
      LexemesOf(s.text, begin, end, may_end_line ? std::nullopt : std::optional(s.found->begin));
  (void)s.MayLook(Trials::Search::kRows, tokens.back().end() - begin);
  const auto at = std::ranges::find(tokens, s.found->begin, &Lexeme::begin);
  if (at == tokens.end()) return {};
  const auto found = static_cast<std::size_t>(at - tokens.begin());
  TokenSet present = 0;
  for (const Lexeme& token : tokens) present |= Bit(token.type);
  const std::vector<bool> are_inside = FindTokensInBrackets(std::span(tokens).first(found + 1));
  std::vector<Guess> guesses;
  for (std::size_t row = 0; row < std::size(kMistakes); ++row) {
    if (!is_there[static_cast<std::size_t>(kMistakes[row].place)]) continue;
    if ((Patterns()[row].needed & ~present) != 0) continue;
    const bool is_node = kMistakes[row].place == MistakePlace::kNode;
    for (std::size_t from = found + 1; from > 0 && from + kMostBack > found; --from) {
      if (is_node && are_inside[from - 1]) continue;
      std::optional<Guess> guess = MistakeAt(row, tokens, from - 1, s);
      if (!guess) continue;
      guesses.push_back(*std::move(guess));
      break;
    }
  }
  return guesses;
}

}  // namespace onnxc::syntax
