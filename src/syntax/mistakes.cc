#include "syntax/mistakes.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "syntax/quoted.h"
#include "syntax/scanner.h"
#include "syntax/spelling.h"
#include "tables/element_types.h"
#include "tables/foreign_words.h"

namespace onnxc::syntax {
namespace {

constexpr Mistake kMistakes[] = {
#define ONNXC_MISTAKE(place, kind, wrong, right, words) \
  {MistakePlace::place, DiagnosticKind::kind, wrong, right, words},
#include "tables/mistakes.def"
#undef ONNXC_MISTAKE
};

constexpr std::size_t kFarBack = 1024;   // bytes before the mistake, on its line
constexpr std::size_t kFarAhead = 4096;  // bytes behind it
constexpr std::size_t kMostBack = 20;    // tokens before the mistake with which a row may begin

// ---- patterns

struct Token {
  std::size_t type;
  std::string_view text;
  std::size_t begin;
  [[nodiscard]] std::size_t end() const { return begin + text.size(); }
};

// The tokens from `begin` to `end`, each alone: a list of numbers is no token of its own, and is read to its end. The
// last token is the end of the text, unless that is farther away.
std::vector<Token> LexemesOf(std::string_view text, std::size_t begin, std::size_t end) {
  std::vector<Token> tokens;
  Scanner scanner(text, Scanner::ListTokens::kNumbers, begin);
  scanner.GoOnAt(begin);
  for (SyntaxToken token;;) {
    scanner.Next(token);
    tokens.push_back({token.type, token.text, token.begin});
    const bool is_of_list = IsNumber(token.type) || token.type == Grammar::COMMA;
    if (token.type == antlr4::Token::EOF || (token.begin >= end && !is_of_list)) return tokens;
    scanner.GoOnAt(token.range().end);
  }
}

// A token of a pattern, or a hole `$name`, `$name2`, `$word(a|b)`.
struct Part {
  std::string_view hole;     // its name; "" for a token
  std::string_view choices;  // of the hole, with '|' around each
  Token token = {};
  std::size_t begin = 0;  // in the pattern
  std::size_t end = 0;
  bool is_joined = false;  // no blank may stand before it
};

// The hole that begins at `at`, if one does.
bool IsHole(std::string_view pattern, std::size_t at, Part* part) {
  if (pattern.substr(at).starts_with("\"$text")) {  // in quotes, which are marks of their own on the right side
    (void)IsHole(pattern, at + 1, part);
    part->end += 1;
    return true;
  }
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || IsDigit(c); };
  if (pattern[at] != '$' || at + 1 == pattern.size() || !is_letter(pattern[at + 1])) return false;
  part->begin = at;
  part->end = at + 1;
  while (part->end < pattern.size() && is_letter(pattern[part->end])) ++part->end;
  part->hole = pattern.substr(at + 1, part->end - at - 1);
  return true;
}

std::vector<Part> HolesOf(std::string_view pattern) {
  std::vector<Part> holes;
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    Part hole;
    if (pattern[at] == '$' && IsHole(pattern, at, &hole)) holes.push_back(hole);
  }
  return holes;
}

std::vector<Part> PartsOf(std::string_view pattern) {
  std::vector<Part> parts;
  for (std::size_t at = pattern.find_first_not_of(' '); at < pattern.size();
       at = pattern.find_first_not_of(' ', parts.back().end)) {
    Part part;
    part.begin = at;
    part.is_joined = at > 0 && pattern[at - 1] != ' ';
    if (IsHole(pattern, at, &part)) {
      if (pattern.substr(part.end, 1) == "(" && part.hole.starts_with("word")) {
        const std::size_t close = pattern.find(')', part.end);
        part.choices = pattern.substr(part.end, close + 1 - part.end);
        part.end = close + 1;
      }
    } else {
      SyntaxToken token;
      Scanner scanner(pattern);
      scanner.GoOnAt(at);
      scanner.Next(token);
      part.token = {token.type, token.text, token.begin};
      part.end = part.token.end();
    }
    // A bracket may have a blank on each side.
    const auto is_bracket = [](const Part& p) {
      return p.hole.empty() && (IsOpening(p.token.type) || IsClosing(p.token.type));
    };
    if (parts.empty() || is_bracket(part) || is_bracket(parts.back())) part.is_joined = false;
    parts.push_back(part);
  }
  return parts;
}

// ---- holes

using Tokens = std::span<const Token>;

bool IsChoice(std::string_view choices, std::string_view word) {
  for (std::size_t at = choices.find(word); at != std::string_view::npos; at = choices.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((choices[at - 1] == '(' || choices[at - 1] == '|') && (choices[end] == ')' || choices[end] == '|')) return true;
  }
  return false;
}

// How many tokens make a list: one that fits, and more of them behind `between`.
template <typename Fits>
std::size_t ListOf(Tokens tokens, std::size_t between, Fits fits) {
  std::size_t count = 0;
  while (count < tokens.size() && fits(tokens[count])) {
    count += 1;
    if (count + 1 >= tokens.size() || tokens[count].type != between || !fits(tokens[count + 1])) break;
    ++count;
  }
  return count;
}

// The bracket that closes the first token; 0 where there is none.
std::size_t ClosingAt(Tokens tokens) {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (IsOpening(tokens[i].type)) open.push_back(ClosingOf(tokens[i].type));
    if (!IsClosing(tokens[i].type)) continue;
    if (open.empty() || open.back() != tokens[i].type) return 0;
    open.pop_back();
    if (open.empty()) return i;
  }
  return 0;
}

bool IsElement(const Token& token) {
  return token.type == Grammar::ELEMENT || FindElementType(ElementTypeOf(token.text)) != nullptr;
}

std::size_t TypeAt(Tokens tokens) {
  if (!IsElement(tokens.front()) && !IsTypeToken(tokens.front().type)) return 0;
  const std::size_t behind = tokens.size() > 1 ? tokens[1].type : antlr4::Token::EOF;
  if (behind != Grammar::LBRACKET && behind != Grammar::LPAREN) return 1;
  const std::size_t close = ClosingAt(tokens.subspan(1));
  return close == 0 ? 0 : close + 2;
}

bool IsIntegral(std::string_view word) {
  const ElementType* const type = FindElementType(CodeOfElementType(word));
  return type != nullptr && type->literal == Literal::kInteger;
}

bool IsFloating(std::string_view word) {
  const ElementType* const type = FindElementType(CodeOfElementType(word));
  if (type == nullptr || type->keyword.starts_with("complex")) return false;
  return type->literal == Literal::kFloat || type->literal == Literal::kBits;
}

// `np.array`: calls of other names may give other numbers than those in their brackets.
std::size_t MakerAt(Tokens tokens) {
  constexpr std::string_view kMakers[] = {"array", "asarray", "tensor",   "Tensor",
                                          "list",  "tuple",   "constant", "as_tensor"};
  const std::size_t count = ListOf(tokens, Grammar::DOT, [](const Token& t) { return IsName(t.type); });
  return count > 0 && std::ranges::find(kMakers, tokens[count - 1].text) != std::end(kMakers) ? count : 0;
}

// What stands before the token `stop`, outside of its brackets; before a comma all members that are alike: with `=` or
// `:`, or without.
std::size_t PartBefore(Tokens tokens, std::size_t stop) {
  const auto has_sign = [&](std::size_t i) {
    return i + 1 < tokens.size() && (tokens[i + 1].type == Grammar::EQUALS || tokens[i + 1].type == Grammar::COLON);
  };
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const bool is_comma = tokens[i].type == Grammar::COMMA && i + 1 < tokens.size();
    const bool goes_on = is_comma && has_sign(0) == has_sign(i + 1) && !IsClosing(tokens[i + 1].type);
    if (tokens[i].type == stop && !goes_on) return i;
    if (IsClosing(tokens[i].type) || tokens[i].type == antlr4::Token::EOF) return 0;
    if (!IsOpening(tokens[i].type)) continue;
    const std::size_t close = ClosingAt(tokens.subspan(i));
    if (close == 0) return 0;
    i += close;
  }
  return 0;
}

std::string_view TextOf(Tokens tokens) {
  return {tokens.front().text.data(), tokens.back().end() - tokens.front().begin};
}

// The entries of a header, up to the end of a line that no other one goes on with.
std::size_t EntriesAt(Tokens tokens) {
  std::size_t depth = 0;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    const bool begins_line = i > 0 && TextOf(tokens.subspan(i - 1, 2)).find('\n') != std::string_view::npos;
    const bool goes_on = tokens[i + 1].type == Grammar::COLON;
    const bool is_entry = goes_on || tokens[i + 1].type == Grammar::LBRACE;  // `opset_import {...}`
    if (begins_line && depth == 0 && !is_entry) return i;
    if (IsOpening(tokens[i].type)) ++depth;
    if (IsClosing(tokens[i].type) && depth-- == 0) return 0;
  }
  return 0;
}

// `:, 0`, `1:3`: a part of a value, as Python takes it.
std::size_t SliceAt(Tokens tokens) {
  const auto is_part = [](const Token& t) {
    return t.type == Grammar::INT || t.type == Grammar::COLON || t.type == Grammar::COMMA || t.type == Grammar::DOT;
  };
  return static_cast<std::size_t>(std::ranges::find_if_not(tokens, is_part) - tokens.begin());
}

// `ij, jk->ik`, up to the next attribute.
std::size_t EquationAt(Tokens tokens) {
  std::size_t arrow = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    const bool is_arrow = token.type == Grammar::GREATER && i > 0 && tokens[i - 1].text == "-";
    if (is_arrow) arrow = i;
    if (is_arrow || token.text == "-" || token.type == Grammar::DOT) continue;
    if (token.type == Grammar::COMMA && arrow == 0) continue;
    if (token.type != Grammar::ID) return arrow == 0 ? 0 : i;
  }
  return 0;
}

// The type in MLIR's `tensor<?x4xf32>`; "" where that is another one.
std::string TypeOfMlir(std::string_view inner) {
  const std::size_t last = inner.rfind('x');
  const std::string_view element = ElementTypeOf(inner.substr(last == std::string_view::npos ? 0 : last + 1));
  if (element.empty() || last == std::string_view::npos) return std::string(element);
  std::string dims;
  for (const char c : inner.substr(0, last)) {
    if (c != 'x' && c != '?' && !IsDigit(c)) return {};
    dims += c == 'x' ? std::string(", ") : std::string(1, c);
  }
  return std::string(element) + "[" + dims + "]";
}

enum class Holds {
  kNothing,
  kBegin,
  kOpen,
  kEnd,
  kStop,
  kText,
  kAny,
  kEntries,
  kSlice,
  kEquation,
  kMlir,
  kName,
  kWord,
  kString,
  kInt,
  kFloat,
  kNumber,
  kDim,
  kElement,
  kConstant,
  kFloating,
  kIntegral,
  kMaker,
  kPlain,
  kType,
  kNames,
  kPath,
  kInts,
  kNumbers,
  kPart,
  kAttributes,
};
constexpr std::pair<std::string_view, Holds> kHoles[] = {
    {"call", Holds::kNothing},      {"value", Holds::kNothing},
    {"graph", Holds::kNothing},     {"rest", Holds::kNothing},
    {"end", Holds::kEnd},           {"stop", Holds::kStop},
    {"name", Holds::kName},         {"field", Holds::kName},
    {"word", Holds::kWord},         {"key", Holds::kWord},
    {"string", Holds::kString},     {"int", Holds::kInt},
    {"float", Holds::kFloat},       {"number", Holds::kNumber},
    {"dim", Holds::kDim},           {"element", Holds::kElement},
    {"type", Holds::kType},         {"names", Holds::kNames},
    {"path", Holds::kPath},         {"ints", Holds::kInts},
    {"numbers", Holds::kNumbers},   {"inputs", Holds::kPart},
    {"data", Holds::kPart},         {"lists", Holds::kPart},
    {"holds", Holds::kPart},        {"attributes", Holds::kAttributes},
    {"floating", Holds::kFloating}, {"integral", Holds::kIntegral},
    {"maker", Holds::kMaker},       {"plain", Holds::kPlain},
    {"begin", Holds::kBegin},       {"open", Holds::kOpen},
    {"constant", Holds::kConstant}, {"text", Holds::kText},
    {"any", Holds::kAny},           {"entries", Holds::kEntries},
    {"slice", Holds::kSlice},       {"equation", Holds::kEquation},
    {"mlir", Holds::kMlir},
};

Holds HoldsOf(const Part& hole) {
  const std::string_view kind = hole.hole.substr(0, hole.hole.find_first_of("123456789"));
  const auto* row = std::ranges::find(kHoles, kind, &std::pair<std::string_view, Holds>::first);
  return row == std::end(kHoles) ? Holds::kNothing : row->second;
}

// How many tokens the hole takes; nothing where they do not fit. The token `next` ends a part.
std::optional<std::size_t> Fill(const Part& part, std::size_t next, Tokens tokens) {
  const Token& token = tokens.front();
  const auto one_if = [](bool fits) { return fits ? std::optional<std::size_t>(1) : std::nullopt; };
  const auto some = [](std::size_t count) { return count > 0 ? std::optional(count) : std::nullopt; };
  const auto is_name = [](const Token& t) { return IsName(t.type); };
  const auto is_number = [](const Token& t) { return IsNumber(t.type); };
  const auto is_int = [](const Token& t) { return t.type == Grammar::INT; };
  const auto is_sign = [](const Token& t) { return t.type == Grammar::EQUALS; };
  const auto part_with = [&](bool sign) {
    const std::size_t count = PartBefore(tokens, next);
    return std::ranges::any_of(tokens.first(count), is_sign) == sign ? some(count) : std::nullopt;
  };
  switch (HoldsOf(part)) {
    case Holds::kNothing:
    case Holds::kBegin:
    case Holds::kEnd:
    case Holds::kStop: return 0;
    case Holds::kOpen:
      return token.type == Grammar::LPAREN || token.type == Grammar::LESS ? std::optional<std::size_t>(0)
                                                                          : std::nullopt;
    case Holds::kText: return one_if(token.type == Grammar::STRING && token.text.front() == '"');
    case Holds::kAny: return token.type == next ? std::optional<std::size_t>(0) : some(PartBefore(tokens, next));
    case Holds::kEntries: return some(EntriesAt(tokens));
    case Holds::kSlice: return some(SliceAt(tokens));
    case Holds::kEquation: return some(EquationAt(tokens));
    case Holds::kMlir: {
      const std::size_t count = PartBefore(tokens, next);
      return count > 0 && !TypeOfMlir(TextOf(tokens.first(count))).empty() ? some(count) : std::nullopt;
    }
    case Holds::kName: return one_if(is_name(token));
    case Holds::kWord:
      if (part.choices.empty()) return one_if(token.type == Grammar::ID);
      return one_if(is_name(token) && IsChoice(part.choices, token.text));
    case Holds::kString: return one_if(token.type == Grammar::STRING);
    case Holds::kPlain: {
      const bool is_plain = token.text.find_first_of("{\\") == std::string_view::npos;
      return one_if(token.type == Grammar::STRING && is_plain);
    }
    case Holds::kInt: return one_if(is_int(token));
    case Holds::kFloat: return one_if(token.type == Grammar::FLOAT);
    case Holds::kNumber: return one_if(is_number(token));
    case Holds::kDim: return one_if(is_name(token) || is_int(token) || token.type == Grammar::QUESTION);
    case Holds::kElement: return one_if(IsElement(token));
    case Holds::kConstant: return one_if(CodeOfElementType(token.text) != 0);
    case Holds::kFloating: return one_if(IsFloating(token.text));
    case Holds::kIntegral: return one_if(IsIntegral(token.text));
    case Holds::kMaker: return some(MakerAt(tokens));
    case Holds::kType: return some(TypeAt(tokens));
    case Holds::kNames: return some(ListOf(tokens, Grammar::COMMA, is_name));
    case Holds::kPath: return some(ListOf(tokens, Grammar::DOT, is_name));
    case Holds::kInts: return some(ListOf(tokens, Grammar::COMMA, is_int));
    case Holds::kNumbers: return some(ListOf(tokens, Grammar::COMMA, is_number));
    case Holds::kPart: return part_with(false);
    case Holds::kAttributes: return part_with(true);
  }
  return std::nullopt;
}

// ---- rows

// With a comment or a line break in it, which a name cannot hold.
bool IsOfLines(std::string_view text) { return text.find_first_of("#\n") != std::string_view::npos; }

// The ranges of the text for the parts of a row; none where it does not fit there.
std::vector<SourceRange> Match(const std::vector<Part>& parts, Tokens tokens, std::string_view text,
                               bool may_end_line) {
  std::vector<SourceRange> found;
  std::size_t at = 0;
  std::size_t end = 0;  // of the last token
  int depth = 0;
  for (std::size_t i = 0; i < parts.size() && at < tokens.size(); ++i) {
    const Part& part = parts[i];
    const Token& token = tokens[at];
    const std::string_view gap = i == 0 ? std::string_view() : text.substr(end, token.begin - end);
    const bool begins_line = gap.find('\n') != std::string_view::npos;
    std::optional<std::size_t> count;
    if (part.hole.empty()) {
      if (token.type == part.token.type && token.text == part.token.text) count = 1;
      depth += IsOpening(part.token.type) ? 1 : IsClosing(part.token.type) ? -1 : 0;
    } else {
      count = Fill(part, i + 1 < parts.size() ? parts[i + 1].token.type : std::size_t{0}, tokens.subspan(at));
    }
    if (!count || (part.is_joined && !gap.empty())) return {};
    if (part.hole == "holds" && IsOfLines(text.substr(end, tokens[at + *count - 1].end() - end))) return {};
    const bool is_end = begins_line || token.type == Grammar::RBRACE || token.type == antlr4::Token::EOF;
    if (HoldsOf(part) == Holds::kStop && !is_end) return {};
    if (HoldsOf(part) == Holds::kEnd && !is_end && !IsClosing(token.type) && token.type != Grammar::COMMA) return {};
    if (!may_end_line && *count > 0 && depth <= 0 && begins_line && !IsClosing(token.type)) return {};
    const std::size_t begin = *count == 0 && begins_line ? end : token.begin;
    end = *count == 0 ? begin : tokens[at + *count - 1].end();
    const std::size_t quote = HoldsOf(part) == Holds::kText ? 1 : 0;
    found.push_back({begin + quote, end - quote});
    at += *count;
  }
  const bool is_cut =
      at == tokens.size() && tokens.back().type != antlr4::Token::EOF;  // more of the text may belong to it
  return found.size() == parts.size() && !is_cut ? found : std::vector<SourceRange>();
}

// What stands in a hole; other words for element types become ours.
std::string Filled(const Part& hole, std::string_view text) {
  if (HoldsOf(hole) == Holds::kMlir) return TypeOfMlir(text);
  if (HoldsOf(hole) != Holds::kType && HoldsOf(hole) != Holds::kElement) return std::string(text);
  const std::size_t end = std::min(text.find_first_of("[( "), text.size());
  const std::string_view alias = ElementTypeOf(text.substr(0, end));
  return std::string(alias.empty() ? text.substr(0, end) : alias).append(text.substr(end));
}

// Marks that stand together are one: of `==` and `=` nothing is common.
bool IsBorder(std::string_view text, std::size_t at) {
  constexpr std::string_view kAlone = " ()[]{}";
  return at == 0 || at >= text.size() || kAlone.find(text[at]) != std::string_view::npos ||
         kAlone.find(text[at - 1]) != std::string_view::npos;
}

// How many bytes both begin with.
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
  Rewriting(const Mistake& row, const std::vector<Part>& parts, const std::vector<SourceRange>& ranges,
            std::string_view text)
      : row_(row), parts_(parts), ranges_(ranges), text_(text) {}

  /// The edits between the holes; of all at once where the holes change their order.
  [[nodiscard]] std::vector<FixIt> Edits() const {
    const std::vector<Part> right = HolesOf(row_.right);
    std::vector<FixIt> edits;
    std::size_t next = 0;    // in parts_
    std::size_t copied = 0;  // of the right pattern
    std::size_t end = ranges_.front().begin;
    const auto replace = [&](SourceRange range, std::string_view by) {
      const bool is_last = range.end >= text_.size() || text_[range.end] == '\n' || text_[range.end] == ' ';
      if (is_last && by.ends_with(' ')) by.remove_suffix(1);
      // Line breaks inside of brackets stay.
      const std::size_t line_break = text_.find_first_of("\n", range.begin);
      if (line_break < range.end && !by.empty()) {
        const std::size_t first = text_.find_first_not_of(" \n", range.begin);
        if (first > line_break) range.begin = first;
        if (text_[range.end - 1] == ' ' || text_[range.end - 1] == '\n') range.end = std::min(line_break, range.end);
      }
      const std::string_view there = text_.substr(range.begin, range.end - range.begin);
      const std::size_t first = CommonBegin(there, by);
      const std::size_t last = CommonEnd(there.substr(first), by.substr(first));
      FixIt edit = Replace({range.begin + first, range.end - last}, by.substr(first, by.size() - first - last));
      // What is inserted between two blanks is inserted behind the token before them.
      const std::size_t begin = edit.range.begin;
      if (begin == edit.range.end && begin > 0 && text_[begin - 1] == ' ' && edit.replacement.ends_with(' ')) {
        edit = Insert(begin - 1, " " + edit.replacement.substr(0, edit.replacement.size() - 1));
      }
      if (there != by) edits.push_back(edit);
    };
    for (const Part& part : right) {
      const std::size_t from = next;
      while (next < parts_.size() && parts_[next].hole != part.hole) ++next;
      if (next == parts_.size()) {  // it stood before, or follows from another one
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
    const std::size_t quote = HoldsOf(parts_.back()) == Holds::kText ? 1 : 0;
    if (!IsSameGap(next, parts_.size(), row_.right.substr(copied))) {
      replace({end, ranges_.back().end + quote}, row_.right.substr(copied));
    }
    return edits;
  }

  /// What stands elsewhere in a call, or the first tokens that are not right.
  [[nodiscard]] SourceRange Place(const std::vector<FixIt>& edits) const {
    const std::vector<Part> left = HolesOf(row_.wrong);
    const std::vector<Part> right = HolesOf(row_.right);
    const auto [before, behind] = std::ranges::mismatch(left, right, {}, &Part::hole, &Part::hole);
    if (row_.place == MistakePlace::kCall && before != left.end() &&
        std::ranges::find(right, before->hole, &Part::hole) != right.end()) {
      const auto moved = std::ranges::find(parts_, behind->hole, &Part::hole);
      if (moved != parts_.end() && moved > std::ranges::find(parts_, before->hole, &Part::hole)) {
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

  /// A pattern with its holes filled.
  [[nodiscard]] std::string Whole(const std::vector<Part>& pattern) const { return Whole(pattern, row_.right); }
  [[nodiscard]] std::string Whole(const std::vector<Part>& pattern, std::string_view written) const {
    std::string whole;
    std::size_t copied = 0;
    for (const Part& part : pattern) {
      whole.append(written.substr(copied, part.begin - copied));
      for (std::size_t i = 0; i < parts_.size(); ++i) {
        if (parts_[i].hole == part.hole) whole += Filled(part, TextAt(i));
        if (part.hole == "code" && (parts_[i].hole == "element" || parts_[i].hole == "constant")) {
          whole += std::to_string(CodeOfElementType(Filled(parts_[i], TextAt(i))));
        }
        if (part.hole == "count" && HoldsOf(parts_[i]) >= Holds::kInts) {
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

  // Both patterns have the same tokens there.
  [[nodiscard]] bool IsSameGap(std::size_t from, std::size_t to, std::string_view right) const {
    const auto quote = [&](std::size_t i) {
      return i < parts_.size() && HoldsOf(parts_[i]) == Holds::kText ? std::string("\"") : std::string();
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
  const std::vector<Part>& parts_;
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
    case MistakePlace::kType: return true;
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

const std::vector<std::vector<Part>>& Patterns() {
  static const std::vector<std::vector<Part>> patterns = [] {
    std::vector<std::vector<Part>> all;
    for (const Mistake& row : kMistakes) all.push_back(PartsOf(row.wrong));
    return all;
  }();
  return patterns;
}

// Where parsing goes on: behind the part that the edits make whole, or, where that was read before, behind the row.
void GoOn(const Situation& s, bool is_item, const std::vector<SourceRange>& ranges, Guess* guess) {
  const std::vector<FixIt>& edits = guess->diagnostic.fix_its;
  const std::vector<Unit> units = s.Units();
  guess->at = ranges.back().end;
  if (edits.empty()) return;
  const std::size_t begin = edits.front().range.begin;
  if (is_item && edits.size() == 1 && begin == First(s.Item()).begin && edits.front().range.end <= s.found->begin) {
    guess->resume = Resume::kItemAt;
    guess->at = edits.front().range.end;
  } else if (is_item || units.empty() || ranges.front().begin < units.back().begin) {
    guess->resume = Resume::kBehind;
  }
}

// The row as it stands at that token, if it does.
std::optional<Guess> MistakeAt(std::size_t row, const std::vector<Token>& tokens, std::size_t from,
                               const Situation& s) {
  const Mistake& mistake = kMistakes[row];
  const std::vector<Part>& parts = Patterns()[row];
  const bool is_first = from == 0 || tokens[from - 1].type == Grammar::LBRACE ||
                        TextOf(std::span(tokens).subspan(from - 1, 2)).find('\n') != std::string_view::npos;
  if (HoldsOf(parts.front()) == Holds::kBegin && !is_first) return std::nullopt;
  const bool is_item = mistake.place <= MistakePlace::kItem;
  const auto ranges = Match(parts, std::span(tokens).subspan(from), s.text, is_item);
  const bool is_open = HoldsOf(parts.back()) <= Holds::kStop;  // the mistake may stand right behind the row
  const std::size_t end = is_open && s.previous != nullptr ? s.previous->range().end : s.found->begin + 1;
  if (ranges.empty() || ranges.back().end < end) return std::nullopt;
  const bool is_right = parts.size() > 1 && !parts.front().hole.empty() && ranges.front().begin >= s.found->begin;
  if (is_right) return std::nullopt;  // what a row begins with is no mistake on its own
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
  if (is_behind) place.begin = s.found->begin;  // what is before is right
  const bool is_whole = !edits.empty() || (mistake.right.empty() && HoldsOf(parts.back()) == Holds::kStop);
  const std::string words = rewriting.Whole(HolesOf(mistake.words), mistake.words);
  Guess guess = MakeGuess(MakeDiagnostic(mistake.kind, Severity::kError, place, words), std::move(edits));
  if (is_whole) GoOn(s, is_item, ranges, &guess);
  return guess;
}

}  // namespace

std::span<const Mistake> Mistakes() { return kMistakes; }

std::vector<Guess> FindMistakes(const Situation& s) {
  if (!s.MayLook(kFarBack + kFarAhead)) return {};
  const std::size_t near = s.previous == nullptr ? s.found->begin : s.previous->begin;
  const std::size_t far = near - std::min(near, kFarBack);
  const std::size_t line_break = s.Slice(far, near).rfind('\n');
  const std::size_t begin = line_break != std::string_view::npos ? far + line_break + 1 : far == 0 ? 0 : near;
  const std::vector<Token> tokens = LexemesOf(s.text, begin, s.found->begin + kFarAhead);
  if (!s.MayLook(tokens.back().end() - begin)) return {};
  const auto at = std::ranges::find(tokens, s.found->begin, &Token::begin);
  if (at == tokens.end()) return {};
  const auto found = static_cast<std::size_t>(at - tokens.begin());
  std::vector<Guess> guesses;
  for (std::size_t row = 0; row < std::size(kMistakes); ++row) {
    if (!StandsIn(kMistakes[row].place, s)) continue;
    for (std::size_t from = found + 1; from > 0 && from + kMostBack > found; --from) {
      std::optional<Guess> guess = MistakeAt(row, tokens, from - 1, s);
      if (!guess) continue;
      guesses.push_back(*std::move(guess));
      break;
    }
  }
  return guesses;
}

}  // namespace onnxc::syntax
