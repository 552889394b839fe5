#include "syntax/syntax_errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "source/report.h"
#include "source/unicode.h"
#include "syntax/brackets.h"
#include "syntax/words.h"

namespace onnxc::syntax {
namespace {

// The token types with one spelling, LPAREN to AT_BRACE, in the order of the grammar.
constexpr std::array<std::string_view, 17> kSpellings = {"",  "(", ")", "[",  "]", "{", "}", "<", ">",
                                                         ",", ":", "=", "=>", ".", "?", "@", "@{"};
static_assert(Grammar::LPAREN == 1 && Grammar::AT_BRACE == 16);

bool IsValue(std::size_t type) {
  switch (type) {
    case Grammar::INT:
    case Grammar::FLOAT:
    case Grammar::NUMBERS:
    case Grammar::DATA:
    case Grammar::LBRACE:
    case Grammar::LBRACKET: return true;
    default: return IsName(type);
  }
}

// Returns the empty range after a token, where a missing one is inserted.
SourceRange Behind(const SyntaxToken& token) { return {token.range().end, token.range().end}; }

// ---- invalid tokens

std::string DescribeCharacter(std::string_view text) {
  const Character character = DecodeCharacter(text, 0);
  if (!character.valid || character.code < ' ') return fmt::format("0x{:02X}", static_cast<unsigned>(character.code));
  if (character.code < 0x7f) return fmt::format("'{}'", text);
  return fmt::format("U+{:04X}", static_cast<unsigned>(character.code));
}

Diagnostic InvalidTokenError(const SyntaxProblem& problem, SyntaxToken* after) {
  const SyntaxToken& token = *problem.found;
  switch (token.text.front()) {
    case 'b':
      if (token.text.size() > 2 && token.text.back() == '"')
        return MakeDiagnostic(diag::kMalformedEscape, token.range());
      [[fallthrough]];
    case '"': {
      const std::size_t line_end = std::min(token.text.find('\n'), token.text.size());
      return MakeDiagnostic(diag::kUnclosedString, {token.begin, token.begin + line_end});
    }
    case '-': {
      const bool is_gap =
          after->type == Grammar::INT || after->type == Grammar::FLOAT || after->type == Grammar::SPECIAL;
      if (!is_gap) return MakeDiagnostic(diag::kMalformedNumber, token.range(), "-");
      const SourceRange range{token.begin, after->range().end};
      Diagnostic diagnostic = MakeDiagnostic(diag::kMalformedNumber, range, fmt::format("- {}", Quoted(after->text)));
      diagnostic.fix_its = {{{token.range().end, after->begin}, ""}};
      return diagnostic;
    }
    default: return MakeDiagnostic(diag::kUnexpectedCharacter, token.range(), DescribeCharacter(token.text));
  }
}

// ---- typical mistakes

std::optional<Diagnostic> WrongAssignment(const SyntaxProblem& problem) {
  if (problem.expected == Grammar::COLON && problem.found->type == Grammar::EQUALS) {
    Diagnostic diagnostic = MakeDiagnostic(diag::kEqualsForColon, problem.found->range());
    diagnostic.fix_its = {{problem.found->range(), ":"}};
    return diagnostic;
  }
  if (problem.expected == Grammar::ARROW && problem.found->type == Grammar::EQUALS && problem.found->next != nullptr &&
      problem.found->next->type == Grammar::GREATER) {
    const SourceRange range{problem.found->begin, problem.found->next->range().end};
    Diagnostic diagnostic = MakeDiagnostic(diag::kSplitArrow, range);
    diagnostic.fix_its = {{range, "=>"}};
    return diagnostic;
  }
  const std::size_t rule = RuleOf(problem.context);
  if (problem.expected == Grammar::EQUALS && (rule == Grammar::RuleAttr || rule == Grammar::RuleValue) &&
      IsValue(problem.found->type)) {
    Diagnostic diagnostic = MakeDiagnostic(diag::kMissingEquals, problem.found->range(), Describe(*problem.found));
    diagnostic.fix_its = {{Behind(*problem.previous), " ="}};
    return diagnostic;
  }
  return std::nullopt;
}

Diagnostic UnknownType(const SyntaxToken& word) {
  Diagnostic diagnostic = MakeDiagnostic(diag::kUnknownType, word.range(), Quoted(word.text));
  if (const std::string_view near = NearestType(word.text); !near.empty()) {
    diagnostic.message += fmt::format("; did you mean '{}'?", near);
    diagnostic.fix_its = {{word.range(), std::string(near)}};
  }
  return diagnostic;
}

bool IsType(std::size_t rule) {
  return rule == Grammar::RuleType || rule == Grammar::RuleInnerType || rule == Grammar::RuleInnerTensor;
}

// Returns whether the previous token is the first one of a member of a list. It reads only the last member, because the
// list may be long.
bool BeginsMember(const SyntaxProblem& problem) {
  const SyntaxToken* before = &First(problem.context);
  if (!problem.context->children.empty()) {
    const SyntaxToken* member = &First(static_cast<const Context*>(problem.context->children.back()));
    if (member == problem.previous) return before != member;
    if (member->begin < problem.previous->begin) before = member;
  }
  while (before != problem.previous && before->next != nullptr && before->next != problem.previous)
    before = before->next;
  return before->type == Grammar::COMMA || before->type == Grammar::LPAREN || before->type == Grammar::LESS;
}

// A misspelt type: in `flaot[2] x`, the parser reads `flaot` as the name of a value.
std::optional<Diagnostic> MisspeltType(const SyntaxProblem& problem) {
  const std::size_t rule = RuleOf(problem.context);
  if (IsType(rule) && problem.found->type == Grammar::ID) return UnknownType(*problem.found);
  const bool is_value_list = rule == Grammar::RuleInputs || rule == Grammar::RuleOutputs ||
                             rule == Grammar::RuleValues || rule == Grammar::RuleValue ||
                             rule == Grammar::RuleValueInfo;
  if (!is_value_list || problem.previous == nullptr || problem.previous->type != Grammar::ID) return std::nullopt;
  const bool goes_on =
      problem.found->type == Grammar::LBRACKET || problem.found->type == Grammar::LPAREN || IsName(problem.found->type);
  if (!goes_on || BeginsLine(problem.previous, *problem.found)) return std::nullopt;
  return BeginsMember(problem) ? std::optional(UnknownType(*problem.previous)) : std::nullopt;
}

std::optional<Diagnostic> ValueAsInput(const SyntaxProblem& problem) {
  const auto* node = dynamic_cast<const Grammar::NodeContext*>(problem.context);
  if (node == nullptr || node->in == nullptr) return std::nullopt;
  const std::size_t type = problem.found->type;
  const bool begins_input = problem.previous->type == Grammar::LPAREN || problem.previous->type == Grammar::COMMA;
  const bool is_list =
      type == Grammar::LBRACKET || type == Grammar::LBRACE || type == Grammar::DATA || type == Grammar::NUMBERS;
  if (type != Grammar::INT && type != Grammar::FLOAT && type != Grammar::AT && !(is_list && begins_input)) {
    return std::nullopt;
  }
  return MakeDiagnostic(diag::kValueAsInput, problem.found->range());
}

// ---- commas and brackets

bool IsList(std::size_t rule) {
  switch (rule) {
    case Grammar::RuleHeader:
    case Grammar::RuleList:
    case Grammar::RuleRecord:
    case Grammar::RuleInPlace:
    case Grammar::RuleFormals:
    case Grammar::RuleInputs:
    case Grammar::RuleOutputs:
    case Grammar::RuleValues:
    case Grammar::RuleNode:
    case Grammar::RuleAttrs:
    case Grammar::RuleAttrValue:
    case Grammar::RuleShape:
    case Grammar::RuleDims:
    case Grammar::RuleData:
    case Grammar::RuleDense: return true;
    default: return false;
  }
}

// Returns whether a token of this type comes after the closing bracket of the rule. After a list of values, this is the
// next part of the graph. After the list of a header entry, it may be the end of the header.
bool MayFollow(std::size_t rule, std::size_t type) {
  switch (rule) {
    case Grammar::RuleInputs: return type == Grammar::ARROW;
    case Grammar::RuleOutputs: return type == Grammar::LBRACE || type == Grammar::LESS;
    case Grammar::RuleValues: return type == Grammar::LBRACE;
    case Grammar::RuleFormals: return type == Grammar::LPAREN || type == Grammar::ARROW;
    case Grammar::RuleList: return type == Grammar::GREATER;
    default: return false;
  }
}

// Returns edits that delete `found` and all brackets after it, if the text ends with them.
std::vector<FixIt> WithoutStrayBrackets(const SyntaxToken& found) {
  std::vector<FixIt> fix_its;
  const SyntaxToken* token = &found;
  for (; token != nullptr && IsClosing(token->type); token = token->next) fix_its.push_back({token->range(), ""});
  if (token == nullptr || token->type != antlr4::Token::EOF) fix_its.clear();
  return fix_its;
}

std::optional<Diagnostic> CommaOrBracket(const SyntaxProblem& problem) {
  if (problem.previous == nullptr) return std::nullopt;
  if (problem.previous->type == Grammar::COMMA && IsClosing(problem.found->type)) {
    Diagnostic diagnostic = MakeDiagnostic(diag::kExtraComma, problem.previous->range());
    diagnostic.fix_its = {{problem.previous->range(), ""}};
    return diagnostic;
  }
  if (problem.previous->type == Grammar::COMMA && problem.found->type == Grammar::COMMA) {
    Diagnostic diagnostic = MakeDiagnostic(DiagnosticKind::kExtraComma, Severity::kError, problem.found->range(),
                                           "unexpected ',': no list member comes before it");
    diagnostic.fix_its = {{problem.found->range(), ""}};
    return diagnostic;
  }
  const bool is_new_line = BeginsLine(problem.previous, *problem.found);
  const std::size_t rule = RuleOf(problem.context);
  if (IsList(rule) && (IsClosing(problem.expected) || (problem.expected == 0 && rule != Grammar::RuleNode)) &&
      IsValue(problem.found->type) && !is_new_line) {
    Diagnostic diagnostic = MakeDiagnostic(diag::kMissingComma, problem.found->range(), Describe(*problem.found));
    const bool is_certain = !MayBeOneDimension(rule, *problem.previous, *problem.found) &&
                            !MayBeOneString(*problem.previous, *problem.found);
    if (is_certain) diagnostic.fix_its = {{Behind(*problem.previous), ","}};
    return diagnostic;
  }
  if (!IsClosing(problem.expected)) return std::nullopt;
  const SyntaxToken* open = problem.open;
  if (open == nullptr || ClosingOf(open->type) != problem.expected) return std::nullopt;
  // A missing bracket at the end of a line is reported there, not at the next token, which may be some lines below.
  const SourceRange range = is_new_line ? Behind(*problem.previous) : problem.found->range();
  Diagnostic diagnostic = MakeDiagnostic(diag::kUnclosedBracket, range, Spelling(problem.expected),
                                         open->text.substr(0, 1), Describe(*problem.found));
  diagnostic.notes = {{open->range(), "opened here"}};
  if (is_new_line || MayFollow(rule, problem.found->type)) {
    const bool is_body = rule == Grammar::RuleBody && is_new_line;
    diagnostic.fix_its = {{Behind(*problem.previous), is_body ? "\n}" : std::string(Spelling(problem.expected))}};
  }
  return diagnostic;
}

// ---- other errors

std::string_view KindOfFile(const Context* context) {
  while (context->parent != nullptr) context = static_cast<const Context*>(context->parent);
  switch (context->getRuleIndex()) {
    case Grammar::RuleItemsFile: return "model";
    case Grammar::RuleItemFile: return "graph or function";
    case Grammar::RuleNodeFile: return "node";
    case Grammar::RuleAttrFile: return "attribute";
    case Grammar::RuleTypeFile: return "type";
    case Grammar::RuleTensorFile: return "tensor";
    case Grammar::RuleRunValueFile: return "sequence, map or optional";
    default: return "shape";
  }
}

std::string WithArticle(std::string_view noun) { return fmt::format("{} {}", noun.front() == 'a' ? "an" : "a", noun); }

// Returns the expected token in words, or "" if several tokens are possible.
std::string ExpectedToken(std::size_t expected, std::size_t rule) {
  switch (expected) {
    case Grammar::EQUALS: return rule == Grammar::RuleNode ? "'=' after the outputs" : "'='";
    case Grammar::LPAREN:
      if (rule == Grammar::RuleNode) return "'(' with the inputs";
      return rule == Grammar::RuleOutputs ? "'(' with the outputs" : "'('";
    case Grammar::LBRACE: return "'{' with the nodes";
    case Grammar::RBRACE: return rule == Grammar::RuleBody ? "a node or '}'" : "'}'";
    case Grammar::STRING: return "a string";
    case 0:
    case antlr4::Token::EOF: return {};
    default: return fmt::format("'{}'", Spelling(expected));
  }
}

// A rule whose part of the text has the same name wherever it stands.
struct RuleName {
  std::size_t rule;
  std::string_view words;
};

constexpr RuleName kRuleNames[] = {
    {Grammar::RuleBody, "a node or '}'"},
    {Grammar::RuleEntry, "a header key"},
    {Grammar::RuleRecordField, "the name of a field"},
    {Grammar::RulePath, "the name of a field"},
    {Grammar::RuleMember, "a value"},
    {Grammar::RuleFieldValue, "a value"},
    {Grammar::RuleNative, "a graph, tensor, type or function"},
    {Grammar::RuleValue, "a value's type or name"},
    {Grammar::RuleValueInfo, "a value's type or name"},
    {Grammar::RuleOp, "an operator"},
    {Grammar::RuleAttrValue, "an attribute's value"},
    {Grammar::RuleAttrItem, "an attribute's value"},
    {Grammar::RuleGraphRest, "a graph"},
    {Grammar::RuleTensor, "a type"},
    {Grammar::RuleInnerTensor, "a type"},
    {Grammar::RuleInnerType, "a type"},
    {Grammar::RuleType, "a type"},
    {Grammar::RuleDims, "a dimension"},
    {Grammar::RuleDim, "a dimension"},
    {Grammar::RuleOpaque, "a name"},
    {Grammar::RulePair, "a string or a number"},
    {Grammar::RuleDense, "a number or a string"},
    {Grammar::RuleScalar, "a number or a string"},
    {Grammar::RuleElement, "a number or a string"},
    {Grammar::RuleData, "data"},
    {Grammar::RuleTensorRest, "data"},
};

// Returns what the rule allows at the current token, in words.
std::string Expectation(const SyntaxProblem& problem) {
  const std::size_t rule = RuleOf(problem.context);
  if (std::string token = ExpectedToken(problem.expected, rule); !token.empty()) return token;
  const auto is_behind = [&](std::size_t type) {
    return problem.previous != nullptr && problem.previous->type == type;
  };
  switch (rule) {
    case Grammar::RuleItem:
    case Grammar::RuleItemName:
      if (problem.previous != nullptr) return "the name of a graph or function";
      break;
    case Grammar::RuleNode: return is_behind(Grammar::LBRACKET) ? "a node's name" : "an operator and its inputs";
    case Grammar::RuleFormal:
    case Grammar::RuleAttr: return is_behind(Grammar::COLON) ? "an attribute type" : "an attribute name";
    default: break;
  }
  const auto* const named = std::ranges::find(kRuleNames, rule, &RuleName::rule);
  return named != std::end(kRuleNames) ? std::string(named->words) : WithArticle(KindOfFile(problem.context));
}

}  // namespace

Diagnostic MakeSyntaxError(const SyntaxProblem& problem) {
  if (problem.found->type == Grammar::INVALID) return InvalidTokenError(problem, problem.found->next);
  if (problem.found->type == Grammar::PRAGMA) return MakeDiagnostic(diag::kMisplacedPragma, problem.found->range());
  if (problem.expected == antlr4::Token::EOF && problem.previous != nullptr) {
    Diagnostic diagnostic = MakeDiagnostic(diag::kTextAfterEnd, problem.found->range(), KindOfFile(problem.context));
    diagnostic.fix_its = WithoutStrayBrackets(*problem.found);
    return diagnostic;
  }
  if (problem.previous != nullptr) {
    for (const auto likely : {WrongAssignment, MisspeltType, ValueAsInput}) {
      if (std::optional<Diagnostic> diagnostic = likely(problem)) return *std::move(diagnostic);
    }
  } else if (problem.found->type == antlr4::Token::EOF) {
    return MakeDiagnostic(diag::kUnexpectedToken, problem.found->range(), WithArticle(KindOfFile(problem.context)),
                          Describe(*problem.found));
  }
  if (IsType(RuleOf(problem.context)) && problem.found->type == Grammar::ID) return UnknownType(*problem.found);
  if (std::optional<Diagnostic> diagnostic = CommaOrBracket(problem)) return *std::move(diagnostic);
  return MakeDiagnostic(diag::kUnexpectedToken, problem.found->range(), Expectation(problem), Describe(*problem.found));
}

std::string_view Spelling(std::size_t type) { return type < kSpellings.size() ? kSpellings[type] : ""; }

std::string Describe(const SyntaxToken& token) {
  switch (token.type) {
    case antlr4::Token::EOF: return "the end of the text";
    case Grammar::INT:
    case Grammar::FLOAT: return fmt::format("the number {}", Quoted(token.text));
    case Grammar::STRING: return fmt::format("the string {}", Quoted(token.text));
    case Grammar::NUMBERS:
    case Grammar::DATA: return fmt::format("'{}'", token.text.front());
    default: return fmt::format("'{}'", Quoted(token.text));
  }
}

static_assert(Grammar::ELEMENT < Grammar::OPAQUE && Grammar::SPECIAL == Grammar::OPAQUE + 1);
bool IsName(std::size_t type) {
  return type == Grammar::ID || type == Grammar::STRING || (type >= Grammar::ELEMENT && type <= Grammar::SPECIAL);
}

bool BeginsLine(const SyntaxToken* previous, const SyntaxToken& token) {
  if (previous == nullptr) return true;
  const char* gap = previous->text.data() + previous->text.size();
  if (gap > token.text.data()) return false;  // the previous token was inserted by the error recovery
  const auto is_end = [](char c) { return c == '\n' || c == '\r'; };
  return std::find_if(gap, token.text.data(), is_end) != token.text.data();
}

bool MayBeOneString(const SyntaxToken& before, const SyntaxToken& behind) {
  const bool are_joined =
      before.type == Grammar::STRING && behind.type == Grammar::STRING && before.range().end == behind.begin;
  return are_joined && (before.text.size() == 2 || behind.text.size() == 2);
}

bool MayBeOneDimension(std::size_t rule, const SyntaxToken& before, const SyntaxToken& behind) {
  if (rule != Grammar::RuleShape && rule != Grammar::RuleDims && rule != Grammar::RuleDim) return false;
  const auto is_word = [](const SyntaxToken& token) { return IsName(token.type) && token.type != Grammar::STRING; };
  return (is_word(before) && is_word(behind)) || before.range().end == behind.begin;
}

std::size_t RuleOf(const Context* context) {
  while (context->parent != nullptr &&
         (context->getRuleIndex() == Grammar::RuleName || context->getRuleIndex() == Grammar::RuleKeyword)) {
    context = static_cast<const Context*>(context->parent);
  }
  return context->getRuleIndex();
}

}  // namespace onnxc::syntax
