#include "syntax/mistake_pattern.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "syntax/brackets.h"
#include "syntax/guess.h"
#include "syntax/scanner.h"
#include "syntax/spelling.h"
#include "tables/element_types.h"
#include "tables/foreign_words.h"

namespace onnxc::syntax {
namespace {

// ---- patterns

// Finds the closing bracket of each opening one. A wrong closing bracket closes none.
void MatchBrackets(std::vector<Lexeme>* tokens) {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < tokens->size(); ++i) {
    const std::size_t type = (*tokens)[i].type;
    if (IsOpening(type)) open.push_back(i);
    if (!IsClosing(type) || open.empty()) continue;
    Lexeme& last = (*tokens)[open.back()];
    if (ClosingOf(last.type) == type) {
      last.closing = i - open.back();
      open.pop_back();
    } else {
      open.clear();
    }
  }
}

// Tells when enough tokens were read: some after the line of an offset, and of the brackets that are open there.
class EndOfLine {
 public:
  EndOfLine(std::string_view text, std::size_t at) : text_(text), at_(at) {}

  /// Must be called for each token in turn.
  [[nodiscard]] bool IsReachedAt(const SyntaxToken& token) {
    depth_ += IsOpening(token.type) ? 1 : IsClosing(token.type) && depth_ > 0 ? -1 : 0;
    const bool may_end = token.begin > at_ && depth_ == 0 && count_ == 0;
    const bool is_behind = may_end && text_.substr(before_, token.begin - before_).find('\n') != std::string_view::npos;
    before_ = token.range().end;
    if (is_behind || count_ > 0) ++count_;
    return count_ > kSome;
  }

 private:
  static constexpr std::size_t kSome = 24;  // tokens

  std::string_view text_;
  std::size_t at_;
  std::size_t before_ = at_;  // the end of the last token
  std::size_t count_ = 0;     // how many tokens were read after the line
  int depth_ = 0;
};

}  // namespace

std::vector<Lexeme> LexemesOf(std::string_view text, std::size_t begin, std::size_t end,
                              std::optional<std::size_t> line_of) {
  std::vector<Lexeme> tokens;
  Scanner scanner(text, Scanner::ListTokens::kNumbers, begin);
  scanner.GoOnAt(begin);
  EndOfLine line(text, line_of.value_or(end));
  for (SyntaxToken token;;) {
    scanner.Next(token);
    tokens.push_back({token.type, token.text, token.begin});
    const bool is_of_list = IsNumber(token.type) || token.type == Grammar::COMMA;
    const bool is_enough = line.IsReachedAt(token) || token.begin >= end;
    if (token.type == antlr4::Token::EOF || (is_enough && !is_of_list)) break;
    scanner.GoOnAt(token.range().end);
  }
  MatchBrackets(&tokens);
  return tokens;
}

namespace {

// Sets `*part` to the placeholder that begins at `at`. Returns false if none begins there.
bool IsHole(std::string_view pattern, std::size_t at, PatternPart* part) {
  if (pattern.substr(at).starts_with("\"$text")) {  // only the text between the quotes is used for the correction
    (void)IsHole(pattern, at + 1, part);
    part->end += 1;
    return true;
  }
  part->hole = HoleAt(pattern, at);
  if (part->hole.empty()) return false;
  part->begin = at;
  part->end = at + 1 + part->hole.size();
  part->holds = FindHole(part->hole)->holds;
  return true;
}

}  // namespace

std::vector<PatternPart> HolesOf(std::string_view pattern) {
  std::vector<PatternPart> holes;
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    PatternPart hole;
    if (pattern[at] == '$' && IsHole(pattern, at, &hole)) holes.push_back(hole);
  }
  return holes;
}

std::vector<PatternPart> PartsOf(std::string_view pattern) {
  std::vector<PatternPart> parts;
  for (std::size_t at = pattern.find_first_not_of(' '); at < pattern.size();
       at = pattern.find_first_not_of(' ', parts.back().end)) {
    PatternPart part;
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
    // Blanks are allowed before and after a bracket.
    const auto is_bracket = [](const PatternPart& p) {
      return p.hole.empty() && (IsOpening(p.token.type) || IsClosing(p.token.type));
    };
    if (parts.empty() || is_bracket(part) || is_bracket(parts.back())) part.is_joined = false;
    parts.push_back(part);
  }
  return parts;
}

namespace {

// ---- placeholders

bool IsChoice(std::string_view choices, std::string_view word) {
  for (std::size_t at = choices.find(word); at != std::string_view::npos; at = choices.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((choices[at - 1] == '(' || choices[at - 1] == '|') && (choices[end] == ')' || choices[end] == '|')) return true;
  }
  return false;
}

// Returns how many tokens form a list: members for which `fits` is true, separated by tokens of type `between`.
template <typename Fits>
std::size_t ListOf(Lexemes tokens, std::size_t between, Fits fits) {
  std::size_t count = 0;
  while (count < tokens.size() && fits(tokens[count])) {
    count += 1;
    if (count + 1 >= tokens.size() || tokens[count].type != between || !fits(tokens[count + 1])) break;
    ++count;
  }
  return count;
}

// Returns the index of the bracket that closes the first token, or 0 if there is none.
std::size_t ClosingAt(Lexemes tokens) { return tokens.front().closing; }

bool IsElement(const Lexeme& token) {
  return token.type == Grammar::ELEMENT || FindElementType(ElementTypeOf(token.text)) != nullptr;
}

std::size_t TypeAt(Lexemes tokens) {
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

// Returns how many tokens form the name of a function that only makes a tensor of its argument, such as `np.array`.
// Other functions may change the numbers.
std::size_t MakerAt(Lexemes tokens) {
  constexpr std::string_view kMakers[] = {"array", "asarray", "tensor",   "Tensor",
                                          "list",  "tuple",   "constant", "as_tensor"};
  const std::size_t count = ListOf(tokens, Grammar::DOT, [](const Lexeme& t) { return IsName(t.type); });
  return count > 0 && std::ranges::find(kMakers, tokens[count - 1].text) != std::end(kMakers) ? count : 0;
}

// Returns whether a node begins at `at`: a line with `a, b = Op (`, possibly after a label. A graph as the value of an
// attribute (`body = b () =>`) is not a node.
bool BeginsNode(Lexemes tokens, std::size_t at) {
  if (at == 0 || TextOf(tokens.subspan(at - 1, 2)).find('\n') == std::string_view::npos) return false;
  const auto is_name = [](const Lexeme& t) { return IsName(t.type); };
  tokens = tokens.subspan(at);
  if (tokens.front().type == Grammar::LBRACKET) tokens = tokens.subspan(ClosingAt(tokens) + 1);  // `[label]`
  const std::size_t names = ListOf(tokens, Grammar::COMMA, is_name);
  if (names == 0 || names + 1 >= tokens.size() || tokens[names].type != Grammar::EQUALS) return false;
  const std::size_t op = names + 1 + ListOf(tokens.subspan(names + 1), Grammar::DOT, is_name);
  if (op == names + 1 || op >= tokens.size()) return false;
  if (tokens[op].type == Grammar::LESS) return true;
  const std::size_t close = tokens[op].type == Grammar::LPAREN ? op + ClosingAt(tokens.subspan(op)) : op;
  return close > op && (close + 1 >= tokens.size() || tokens[close + 1].type != Grammar::ARROW);
}

// Returns the number of tokens before the first token of type `stop` outside of brackets. If `stop` is a comma, the
// members after it are counted, too, as long as they have the form of the first member: either all begin with a name
// and `=` or `:`, or none does.
std::size_t PartBefore(Lexemes tokens, std::size_t stop) {
  const auto has_sign = [&](std::size_t i) {
    return i + 1 < tokens.size() && (tokens[i + 1].type == Grammar::EQUALS || tokens[i + 1].type == Grammar::COLON);
  };
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const bool is_comma = tokens[i].type == Grammar::COMMA && i + 1 < tokens.size();
    const bool goes_on = is_comma && has_sign(0) == has_sign(i + 1) && !IsClosing(tokens[i + 1].type);
    if (tokens[i].type == stop && !goes_on) return i;
    if (BeginsNode(tokens, i)) return 0;
    if (IsClosing(tokens[i].type) || tokens[i].type == antlr4::Token::EOF) return 0;
    if (!IsOpening(tokens[i].type)) continue;
    const std::size_t close = ClosingAt(tokens.subspan(i));
    if (close == 0) return 0;
    i += close;
  }
  return 0;
}

}  // namespace

std::string_view TextOf(Lexemes tokens) {
  return {tokens.front().text.data(), tokens.back().end() - tokens.front().begin};
}

namespace {

// Returns how many tokens form the entries of a header. They end before the first line that is not an entry.
std::size_t EntriesAt(Lexemes tokens) {
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

// Returns how many tokens form a slice of Python, such as `:, 0` or `1:3`.
std::size_t SliceAt(Lexemes tokens) {
  const auto is_part = [](const Lexeme& t) {
    return t.type == Grammar::INT || t.type == Grammar::COLON || t.type == Grammar::COMMA || t.type == Grammar::DOT;
  };
  return static_cast<std::size_t>(std::ranges::find_if_not(tokens, is_part) - tokens.begin());
}

// Returns how many tokens form an equation of Einsum, such as `ij, jk->ik`. It ends before the next attribute.
std::size_t EquationAt(Lexemes tokens) {
  std::size_t arrow = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const Lexeme& token = tokens[i];
    const bool is_arrow = token.type == Grammar::GREATER && i > 0 && tokens[i - 1].text == "-";
    if (is_arrow) arrow = i;
    if (is_arrow || token.text == "-" || token.type == Grammar::DOT) continue;
    if (token.type == Grammar::COMMA && arrow == 0) continue;
    if (token.type != Grammar::ID) return arrow == 0 ? 0 : i;
  }
  return 0;
}

// Returns how many tokens form a formula with names, such as `2 * N + 1` or `floor(N / 2)`. It ends before the next
// dimension.
std::size_t FormulaAt(Lexemes tokens) {
  constexpr std::string_view kSigns = "+-*/%";
  if (!IsName(tokens.front().type) && tokens.front().type != Grammar::INT) return 0;
  std::size_t depth = 0;
  bool has_name = false;
  bool has_sign = false;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const Lexeme& token = tokens[i];
    if (token.type == Grammar::STRING) return 0;  // one name has quotes
    const bool is_sign = token.text.size() == 1 && kSigns.find(token.text.front()) != std::string_view::npos;
    const bool is_comma = token.type == Grammar::COMMA;
    const bool is_end = token.type == Grammar::RBRACKET || (is_comma && depth == 0);
    if (is_end) return depth == 0 && has_name && has_sign ? i : 0;
    if (token.type == Grammar::LPAREN) ++depth;
    if (token.type == Grammar::RPAREN && depth-- == 0) return 0;
    const bool is_bracket = token.type == Grammar::LPAREN || token.type == Grammar::RPAREN;
    if (!is_sign && !is_bracket && !is_comma && !IsName(token.type) && token.type != Grammar::INT) return 0;
    has_name = has_name || IsName(token.type);
    has_sign = has_sign || is_sign || token.type == Grammar::LPAREN;
  }
  return 0;
}

// Returns the type for the text in the brackets of MLIR's `tensor<?x4xf32>`, or "" if ONNX has no such type.
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

// Returns whether the token is one that the placeholder stands for. Placeholders for several tokens match none alone.
bool IsOne(const PatternPart& part, const Lexeme& token) {
  switch (part.holds) {
    case Holds::kText: return token.type == Grammar::STRING && token.text.front() == '"';
    case Holds::kName: return IsName(token.type);
    case Holds::kWord:
      if (part.choices.empty()) return token.type == Grammar::ID;
      return IsName(token.type) && IsChoice(part.choices, token.text);
    case Holds::kString: return token.type == Grammar::STRING;
    case Holds::kPlain:
      return token.type == Grammar::STRING && token.text.find_first_of("{\\") == std::string_view::npos;
    case Holds::kInt: return token.type == Grammar::INT;
    case Holds::kFloat: return token.type == Grammar::FLOAT;
    case Holds::kNumber: return IsNumber(token.type);
    case Holds::kDim: return IsName(token.type) || token.type == Grammar::INT || token.type == Grammar::QUESTION;
    case Holds::kElement: return IsElement(token);
    case Holds::kConstant: return CodeOfElementType(token.text) != 0;
    case Holds::kFloatWord: return IsFloating(token.text);
    case Holds::kIntWord: return IsIntegral(token.text);
    default: return false;
  }
}

// Returns how many tokens a placeholder for several tokens matches, or 0 if it does not match. `next` is the token
// after it in the pattern.
std::size_t SeveralAt(const PatternPart& part, std::size_t next, Lexemes tokens) {
  const auto is_name = [](const Lexeme& t) { return IsName(t.type); };
  const auto is_number = [](const Lexeme& t) { return IsNumber(t.type); };
  const auto is_int = [](const Lexeme& t) { return t.type == Grammar::INT; };
  const auto is_sign = [](const Lexeme& t) { return t.type == Grammar::EQUALS; };
  const auto part_if = [&](const auto& fits) {
    const std::size_t count = PartBefore(tokens, next);
    return count > 0 && fits(tokens.first(count)) ? count : std::size_t{0};
  };
  switch (part.holds) {
    case Holds::kAny: return PartBefore(tokens, next);
    case Holds::kPart: return part_if([&](Lexemes all) { return std::ranges::none_of(all, is_sign); });
    case Holds::kAttributes: return part_if([&](Lexemes all) { return std::ranges::any_of(all, is_sign); });
    case Holds::kMlir: return part_if([](Lexemes all) { return !TypeOfMlir(TextOf(all)).empty(); });
    case Holds::kEntries: return EntriesAt(tokens);
    case Holds::kSlice: return SliceAt(tokens);
    case Holds::kEquation: return EquationAt(tokens);
    case Holds::kFormula: return FormulaAt(tokens);
    case Holds::kMaker: return MakerAt(tokens);
    case Holds::kType: return TypeAt(tokens);
    case Holds::kNames: return ListOf(tokens, Grammar::COMMA, is_name);
    case Holds::kPath: return ListOf(tokens, Grammar::DOT, is_name);
    case Holds::kInts: return ListOf(tokens, Grammar::COMMA, is_int);
    case Holds::kNumbers: return ListOf(tokens, Grammar::COMMA, is_number);
    default: return 0;
  }
}

// Returns whether the placeholder matches no token before this one.
bool IsNothing(const PatternPart& part, std::size_t next, const Lexeme& token) {
  switch (part.holds) {
    case Holds::kNothing:
    case Holds::kBegin:
    case Holds::kEnd:
    case Holds::kStop: return true;
    case Holds::kOpen: return token.type == Grammar::LPAREN || token.type == Grammar::LESS;
    case Holds::kAny: return token.type == next;
    default: return false;
  }
}

// Returns how many tokens the placeholder matches, or nothing if it does not match. `next` is the token after it in the
// pattern.
std::optional<std::size_t> Fill(const PatternPart& part, std::size_t next, Lexemes tokens) {
  if (IsNothing(part, next, tokens.front())) return 0;
  const std::size_t count = IsOne(part, tokens.front()) ? 1 : SeveralAt(part, next, tokens);
  return count > 0 ? std::optional(count) : std::nullopt;
}

// ---- rows

// Returns whether the text contains a comment or a line break.
bool IsOfLines(std::string_view text) { return text.find_first_of("#\n") != std::string_view::npos; }

// Returns whether a placeholder that only says how the part ends allows this token. `begins_line` says whether the
// token begins a line.
bool MayEndBefore(const Lexeme& token, bool begins_line, Holds holds) {
  const bool is_end = begins_line || token.type == Grammar::RBRACE || token.type == antlr4::Token::EOF;
  if (holds == Holds::kStop) return is_end;
  if (holds != Holds::kEnd) return true;
  if (token.type == Grammar::ARROW) return false;  // the text continues a graph
  return is_end || IsClosing(token.type) || token.type == Grammar::COMMA;
}

}  // namespace

std::vector<SourceRange> Match(const std::vector<PatternPart>& parts, Lexemes tokens, std::string_view text,
                               bool may_end_line) {
  std::vector<SourceRange> found;
  std::size_t at = 0;
  std::size_t end = 0;  // the end of the last matched token
  int depth = 0;
  for (std::size_t i = 0; i < parts.size() && at < tokens.size(); ++i) {
    const PatternPart& part = parts[i];
    const Lexeme& token = tokens[at];
    const std::string_view gap = i == 0 ? std::string_view() : text.substr(end, token.begin - end);
    const bool begins_line = gap.find('\n') != std::string_view::npos;
    std::optional<std::size_t> count;
    if (part.hole.empty()) {
      if (token.type != part.token.type || token.text != part.token.text) return {};
      count = 1;
      depth += IsOpening(part.token.type) ? 1 : IsClosing(part.token.type) ? -1 : 0;
    } else {
      count = Fill(part, i + 1 < parts.size() ? parts[i + 1].token.type : std::size_t{0}, tokens.subspan(at));
    }
    if (!count || (part.is_joined && !gap.empty())) return {};
    const bool is_of_line = part.hole == "holds" || part.holds == Holds::kFormula;
    const std::size_t begin_of_part = i == 0 ? token.begin : end;
    if (is_of_line && IsOfLines(text.substr(begin_of_part, tokens[at + *count - 1].end() - begin_of_part))) return {};
    if (!MayEndBefore(token, begins_line, part.holds)) return {};
    if (!may_end_line && *count > 0 && depth <= 0 && begins_line && !IsClosing(token.type)) return {};
    const std::size_t begin = *count == 0 && begins_line ? end : token.begin;
    end = *count == 0 ? begin : tokens[at + *count - 1].end();
    const std::size_t quote = part.holds == Holds::kText ? 1 : 0;
    found.push_back({begin + quote, end - quote});
    at += *count;
  }
  const bool is_cut =
      at == tokens.size() && tokens.back().type != antlr4::Token::EOF;  // the tokens after the last one are unknown
  return found.size() == parts.size() && !is_cut ? found : std::vector<SourceRange>();
}

std::string Filled(const PatternPart& hole, std::string_view text) {
  if (hole.holds == Holds::kMlir) return TypeOfMlir(text);
  if (hole.holds != Holds::kType && hole.holds != Holds::kElement) return std::string(text);
  const std::size_t end = std::min(text.find_first_of("[( "), text.size());
  const std::string_view alias = ElementTypeOf(text.substr(0, end));
  return std::string(alias.empty() ? text.substr(0, end) : alias).append(text.substr(end));
}

}  // namespace onnxc::syntax
