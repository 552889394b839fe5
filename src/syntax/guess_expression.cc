// Guesses about expressions and subscripts in place of names. The comment of a guess describes the mistake.
#include <fmt/format.h>

#include <algorithm>

#include "syntax/guess.h"
#include "tables/signatures.h"

namespace onnxc::syntax {
namespace {

// ---- inputs

struct ExpressionSign {
  std::string_view sign;
  std::string_view operators;  // those that compute the result
};

// A sign comes before the signs that it begins with.
constexpr ExpressionSign kBetween[] = {{"**", "the operator Pow"},
                                       {"==", "the operator Equal"},
                                       {"!=", "the operators Equal and Not"},
                                       {"<=", "the operator LessOrEqual"},
                                       {">=", "the operator GreaterOrEqual"},
                                       {"&&", "the operator And"},
                                       {"||", "the operator Or"},
                                       {"//", "the operators Div and Floor"},
                                       {".*", "the operator Mul"},
                                       {"+", "the operator Add"},
                                       {"-", "the operator Sub"},
                                       {"*", "the operator Mul"},
                                       {"/", "the operator Div"},
                                       {"@", "the operator MatMul"},
                                       {"%", "the operator Mod"},
                                       {"&", "the operator And"},
                                       {"|", "the operator Or"},
                                       {"<", "the operator Less"},
                                       {">", "the operator Greater"},
                                       {"^", "the operator Pow, Xor or BitwiseXor"}};
constexpr ExpressionSign kBefore[] = {{"-", "the operator Neg"}, {"!", "the operator Not"}, {"~", "the operator Not"}};

bool EndsInput(std::size_t type) { return type == Grammar::COMMA || type == Grammar::RPAREN; }

// Returns whether the token is on the line of the current token. Otherwise, a comment may end before it.
bool IsOnLine(const Situation& s, const SyntaxToken& token) { return token.begin <= s.LineEnd(s.found->begin); }

// Returns the sign at the current token, or null if the tokens around it are not those of an expression.
const ExpressionSign* SignOfExpression(const Situation& s) {
  if (!IsAmongInputs(s) || s.found->text.empty()) return nullptr;
  const std::string_view text = s.Line();
  const auto begins = [&](const ExpressionSign& row) { return text.starts_with(row.sign); };
  const ExpressionSign* sign = nullptr;
  const bool is_between = IsName(s.previous->type);
  if (is_between) {
    const auto* const row = std::ranges::find_if(kBetween, begins);
    if (row != std::end(kBetween)) sign = row;
  } else if (s.previous->type == Grammar::COMMA || s.previous->type == Grammar::LPAREN) {
    const auto* const row = std::ranges::find_if(kBefore, begins);
    if (row != std::end(kBefore)) sign = row;
  }
  if (sign == nullptr) return nullptr;
  SyntaxToken* operand = s.found;
  const std::size_t end = operand->begin + sign->sign.size();
  while (operand->type != antlr4::Token::EOF && operand->range().end <= end) operand = s.After(operand);
  const SyntaxToken* const next = s.After(operand);
  const std::size_t behind = next->type;
  // `Op (x <k = 1>)` and `Op (x, k == 1)` are attributes.
  const bool may_be_attribute = sign->sign == "<" || sign->sign == "==";
  if (may_be_attribute || !is_between) return operand->type == Grammar::ID && EndsInput(behind) ? sign : nullptr;
  const bool is_annotation = sign->sign == "@" && behind == Grammar::STRING;  // `@doc_string "a"`
  const bool is_comment = sign->sign == "//" && (!EndsInput(behind) || !IsOnLine(s, *next));
  if (is_annotation || is_comment || s.text.substr(s.found->begin).starts_with("->")) return nullptr;
  return IsName(operand->type) || IsNumber(operand->type) || operand->type == Grammar::LPAREN ? sign : nullptr;
}

// An expression as an input: `Add (x, a * b)`, `Add (x, -a)`.
std::optional<Guess> ExpressionAsInput(const Situation& s) {
  const ExpressionSign* const sign = SignOfExpression(s);
  if (sign == nullptr || (!s.IsJoined() && IsNumber(s.found->type))) return std::nullopt;
  return Foreign({s.found->begin, s.found->begin + sign->sign.size()},
                 fmt::format("expressions are not allowed; call {} in place of '{}'", sign->operators, sign->sign), {});
}

// A subscript of an input or of a result: `Add (x[0], w)`, `Relu (x)[0]`.
std::optional<Guess> Subscript(const Situation& s) {
  if (s.previous == nullptr) return std::nullopt;
  const bool opens = s.found->type == Grammar::LBRACKET || s.found->type == Grammar::NUMBERS;
  const bool is_of_input = opens && IsAmongInputs(s) && IsName(s.previous->type) && s.IsJoined();
  const SyntaxToken* const open = s.previous;  // `[`, after which the parser expects the name of the next node
  const auto* const node = static_cast<const Context*>(s.Around(Grammar::RuleNode));
  const bool is_of_result = node != nullptr && open->type == Grammar::LBRACKET && &First(node) == open &&
                            open->begin > 0 && s.text[open->begin - 1] == ')' && !IsName(s.found->type);
  if (!is_of_input && !is_of_result) return std::nullopt;
  const std::optional<SourceRange> range = Bracketed(s, is_of_input ? s.found : s.previous);
  if (!range || range->end - range->begin < 3) return std::nullopt;
  SyntaxToken* behind = s.found;
  while (behind->type != antlr4::Token::EOF && behind->begin < range->end) behind = s.After(behind);
  if (is_of_input && IsName(behind->type)) return std::nullopt;  // a misspelt type
  Guess guess = Foreign(*range, "subscripts are not allowed; use Gather or Slice to select a part of a value", {});
  if (is_of_input) guess.resume = Resume::kBehind;
  guess.at = range->end;
  return guess;
}

// A call without brackets as an input: `Add (x, Neg w)`. The operator is not a value, so no ',' is missing behind it.
std::optional<Guess> CallWithoutBrackets(const Situation& s) {
  constexpr std::size_t kRead = std::size_t{8} << 10;  // in bytes
  if (!IsAmongInputs(s) || s.previous->type != Grammar::ID || !IsName(s.found->type) || s.BeginsLine()) {
    return std::nullopt;
  }
  const std::string_view word = s.previous->text;
  if (FindOperator("", word, NewestVersion(FindDomain(""))) == nullptr) return std::nullopt;
  // A value of this name is followed by other signs than an operator.
  const std::size_t begin = s.previous->begin - std::min(s.previous->begin, kRead);
  const std::string_view before = s.Slice(begin, s.previous->begin);
  for (std::size_t at = before.find(word); at != std::string_view::npos; at = before.find(word, at + 1)) {
    const std::size_t behind = before.find_first_not_of(" \t", at + word.size());
    if (behind != std::string_view::npos && std::string_view("=,)").find(before[behind]) != std::string_view::npos) {
      return std::nullopt;
    }
  }
  return Foreign({s.previous->begin, s.found->range().end},
                 "calls cannot be nested: write each call as a node of its own, whose output has a name", {});
}

// ---- dimensions

// A dimension, from its first token to its last one.
struct Term {
  SourceRange range;
  SyntaxToken* behind;  // the `,` or `]` after the dimension
  std::size_t operands = 0;
  bool is_unsure = false;
  std::vector<std::string_view> numbers = {};  // the operands that are numbers
  char sign = '\0';                            // the last one
};

bool IsInShape(const Situation& s) {
  return s.rule() == Grammar::RuleShape || s.rule() == Grammar::RuleDims || s.rule() == Grammar::RuleDim;
}

// Reads a dimension that is a name, a number, or an expression of both. Returns nothing for other text.
std::optional<Term> TermAt(const Situation& s, SyntaxToken* token) {
  constexpr int kMostTokens = 100;
  Term term{.range = {token->begin, token->begin}, .behind = nullptr};
  std::size_t depth = 0;
  bool wants_operand = true;
  SyntaxToken* before = nullptr;
  for (int i = 0; i < kMostTokens; ++i, before = token, token = s.After(token)) {
    const std::size_t type = token->type;
    if (depth == 0 && (type == Grammar::COMMA || type == Grammar::RBRACKET)) {
      term.behind = token;
      return wants_operand ? std::nullopt : std::optional(term);
    }
    term.range.end = token->range().end;
    const bool is_negative = type == Grammar::INT && token->text.front() == '-';
    if (wants_operand && type == Grammar::LPAREN) {
      ++depth;
    } else if (wants_operand && (type == Grammar::ID || (type == Grammar::INT && !is_negative))) {
      if (type == Grammar::INT) term.numbers.push_back(token->text);
      ++term.operands;
      wants_operand = false;
    } else if (!wants_operand && is_negative) {  // the `-1` of `N-1`; in `N -1`, a comma may be missing
      term.numbers.push_back(token->text.substr(1));
      term.sign = '-';
      term.is_unsure = term.is_unsure || before->range().end != token->begin;
      ++term.operands;
    } else if (!wants_operand && type == Grammar::RPAREN && depth > 0) {
      --depth;
    } else if (!wants_operand && token->text.size() == 1 &&
               std::string_view("+-*/%").find(token->text.front()) != std::string_view::npos) {
      term.sign = token->text.front();
      wants_operand = true;
      SyntaxToken* const next = s.After(token);  // `**` and `//` are two tokens
      if (next->text == token->text && next->begin == token->range().end) token = next;
    } else {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

// An expression as a dimension: `float[N - 1, 3]`. In quotes it is a name, as in `float["N - 1", 3]`;
// inference gives such names to dimensions, too. The result of numbers is written as a number.
std::optional<Guess> DimensionExpression(const Situation& s) {
  if (!IsInShape(s) || s.previous == nullptr) return std::nullopt;
  const bool is_first = s.previous->type == Grammar::LBRACKET || s.previous->type == Grammar::COMMA;
  std::vector<FixIt> fix_its;
  std::optional<Diagnostic> diagnostic;
  bool is_unsure = false;
  for (SyntaxToken* token = is_first ? s.found : s.previous;;) {
    const std::optional<Term> term = TermAt(s, token);
    if (!term || (term->operands < 2 && !diagnostic)) break;
    const std::string_view written = s.Slice(term->range.begin, term->range.end);
    if (written.find_first_of("\n#\"") != std::string_view::npos) return std::nullopt;
    const bool are_numbers = term->operands == 2 && term->numbers.size() == 2;
    const std::optional<std::string> number =
        are_numbers ? ResultOf(term->numbers[0], term->sign, term->numbers[1]) : std::nullopt;
    const bool is_number = number && number->find_first_not_of("0123456789") == std::string::npos;
    const bool has_name = term->numbers.size() < term->operands;
    if (!diagnostic) {
      diagnostic = is_number
                       ? Say(term->range, fmt::format("a dimension must be an integer or a name: write {}", *number))
                   : has_name ? MakeDiagnostic(diag::kUnquotedName, term->range, Quoted(written))
                              : Say(term->range, "a dimension must be an integer or a name");
    }
    is_unsure = is_unsure || term->is_unsure ||
                (term->operands > 1 && !has_name && !is_number);  // only the author knows which size was meant
    if (term->operands > 1)
      fix_its.push_back(Replace(term->range, is_number ? *number : fmt::format("\"{}\"", written)));
    if (term->behind->type == Grammar::RBRACKET) break;
    token = s.After(term->behind);
  }
  if (!diagnostic) return std::nullopt;
  if (is_unsure) fix_its.clear();
  Guess guess = MakeGuess(*std::move(diagnostic), std::move(fix_its));
  if (guess.diagnostic.kind == DiagnosticKind::kUnquotedName) guess.same_as = kNamesWithoutQuotes;
  return guess;
}

}  // namespace

bool IsAmongInputs(const Situation& s) {
  const auto* node = static_cast<const Grammar::NodeContext*>(s.Around(Grammar::RuleNode));
  if (node == nullptr || s.previous == nullptr || s.Around(Grammar::RuleAttrs) != nullptr) return false;
  return node->in != nullptr || (node->out != nullptr && s.rule() == Grammar::RuleNames);
}

bool IsSignOfExpression(const Situation& s) {
  if (SignOfExpression(s) != nullptr) return true;
  if (!IsInShape(s) || s.previous == nullptr || (s.previous->type != Grammar::ID && !IsNumber(s.previous->type))) {
    return false;
  }
  const std::optional<Term> term = TermAt(s, s.previous);
  return term && term->operands > 1 && IsOnLine(s, *term->behind);
}

std::vector<Guesser> ExpressionGuesses() {
  return {ExpressionAsInput, Subscript, CallWithoutBrackets, DimensionExpression};
}

}  // namespace onnxc::syntax
