// Computes the cost of an edit of tokens, the edits of the text that it needs, and the message about it.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "source/report.h"
#include "syntax/other_strings.h"
#include "syntax/repair_search.h"
#include "syntax/spelling.h"
#include "syntax/words.h"
#include "tables/signatures.h"

namespace onnxc::syntax {

// ---- cost

// Returns whether the token occurs twice in succession. Only words may have a gap between them.
bool RepairSearch::Search::IsDoubled(std::size_t at) const {
  const auto is_twin = [&](std::size_t a, std::size_t b) {
    const std::string_view first = tokens_[a]->text;
    const std::string_view second = tokens_[b]->text;
    if (first.empty() || second.empty()) return false;
    if (IsName(tokens_[a]->type)) return first == second;
    if (tokens_[a]->range().end != tokens_[b]->begin) return false;
    // `{` and `{1, 2}`, `{1, 2}` and `}`
    return first == second || (a == at && first.size() == 1 && second.front() == first.front()) ||
           (b == at && second.size() == 1 && first.back() == second.front());
  };
  return (at > 0 && is_twin(at - 1, at)) || (at + 1 < tokens_.size() && is_twin(at, at + 1));
}

// Returns whether text may be missing after the mark, as in `axis = >` or after `Relu (` at the end of a line, or
// before it, as in `(x, = 1)`. Then the mark itself is no mistake.
bool RepairSearch::Search::MayLackText(std::size_t at) const {
  const auto is_border = [](std::size_t type) { return type == Grammar::COMMA || type == antlr4::Token::EOF; };
  const std::size_t mark = tokens_[at]->type;
  if (IsClosing(mark)) return false;
  if (mark == Grammar::DOT || mark == Grammar::AT || mark == Grammar::AT_BRACE) return true;
  std::size_t begin = at;
  while (begin > 0 && tokens_[begin - 1]->type == Grammar::INVALID) --begin;  // a stray character may be deleted, too
  const std::size_t before = begin > 0 ? tokens_[begin - 1]->type : antlr4::Token::EOF;
  if (!IsOpening(mark) && (is_border(before) || IsOpening(before) || before == Grammar::EQUALS)) return true;
  if (at + 1 >= tokens_.size() || BeginsLine(at + 1)) return true;
  const std::size_t behind = tokens_[at + 1]->type;
  return is_border(behind) || IsClosing(behind);
}

namespace {

bool IsOperation(std::string_view text) { return text.find_first_of("+-*/%&|^@") != std::string_view::npos; }

// Returns whether a comma may be meant. All other signs have a meaning of their own: `a * b` is not a list of two
// names.
bool LooksLikeComma(std::string_view text) { return text == "." || text == ";"; }

bool IsBorder(std::size_t type) {
  return type == Grammar::COMMA || type == Grammar::EQUALS || type == Grammar::ARROW || type == antlr4::Token::EOF;
}

// Returns whether the word is the prefix of the string, as in r"a".
bool IsPrefixOf(const SyntaxToken& word, const SyntaxToken& string) {
  return string.type == Grammar::STRING && word.range().end == string.begin && IsStringPrefix(word.text);
}

}  // namespace

// Returns whether the bracket at the index is closed before a `=>`. Then it opens the inputs of a graph or function.
bool RepairSearch::Search::IsBeforeArrow(std::size_t at) const {
  std::size_t depth = 0;
  for (; at + 1 < tokens_.size(); ++at) {
    if (IsOpening(tokens_[at]->type)) ++depth;
    if (depth == 0) return false;
    if (IsClosing(tokens_[at]->type) && --depth == 0) return tokens_[at + 1]->type == Grammar::ARROW;
  }
  return false;
}

// Returns the types of the tokens directly before and after an edit; the former is 0 if there is none.
std::pair<std::size_t, std::size_t> RepairSearch::Search::Neighbours(TokenEdit edit) const {
  const std::size_t end = edit.kind == EditKind::kInsert ? edit.at : edit.at + edit.count;
  return {edit.at > 0 ? tokens_[edit.at - 1]->type : std::size_t{0},
          end < tokens_.size() ? tokens_[end]->type : antlr4::Token::EOF};
}

bool RepairSearch::Search::ReplacesEquals(TokenEdit edit) const {
  return edit.kind == EditKind::kReplace && tokens_[edit.at]->type == Grammar::EQUALS;
}

bool RepairSearch::Search::IsPlausibleDeletion(TokenEdit edit) const {
  const auto [before, behind] = Neighbours(edit);
  const SyntaxToken& token = *tokens_[edit.at];
  const bool is_operation = behind == Grammar::EQUALS && IsOperation(token.text);
  // `float]` may be `float[]`, and a '?' is a dimension.
  const bool is_shape = token.type == Grammar::RBRACKET || IsOpening(token.type);
  const bool is_of_type = (is_shape && IsTypeToken(before)) || token.type == Grammar::QUESTION;
  return !is_operation && (!is_of_type || IsDoubled(edit.at));
}

bool RepairSearch::Search::IsPlausibleSwap(TokenEdit edit) const {
  const auto [before, behind] = Neighbours(edit);
  const std::size_t first = tokens_[edit.at]->type;
  const bool empties = IsOpening(before) && IsClosing(behind);  // `[N]` would be `[]N`
  const bool is_of_type = IsTypeToken(first) || IsTypeToken(behind);
  if (IsClosing(first) && behind == Grammar::COMMA) return false;  // `(x),` would be `(x,)`
  return !empties && !(is_of_type && (first == Grammar::COMMA || behind == Grammar::COMMA));
}

bool RepairSearch::Search::IsPlausibleReplacement(TokenEdit edit) const {
  const std::size_t behind = Neighbours(edit).second;
  const std::string_view text = tokens_[edit.at]->text;
  const std::string_view last = tokens_[edit.at + edit.count - 1]->text;
  const bool is_sign_of_number = last == "-" && (behind == Grammar::INT || behind == Grammar::FLOAT);
  const bool is_operation = edit.count > 1 && last == "=" && IsOperation(text);  // `+=`
  if (is_sign_of_number || is_operation) return false;
  const SyntaxToken* const next = edit.at + 1 < tokens_.size() ? tokens_[edit.at + 1] : nullptr;
  const bool is_joined = next != nullptr && tokens_[edit.at]->range().end == next->begin;
  if (last == "<" && is_joined && next->text.starts_with('-')) return false;  // `axis<-1` may be `axis = 1` or `= -1`
  if (edit.type == Grammar::COMMA) return LooksLikeComma(text);
  return edit.type != Grammar::LESS || !IsBeforeArrow(edit.at);
}

bool RepairSearch::Search::IsPlausibleComma(TokenEdit edit) const {
  const auto [before, behind] = Neighbours(edit);
  const std::size_t rule = s_.rule();
  const bool is_inserted = edit.kind == EditKind::kInsert;
  if (rule == Grammar::RuleNode || rule == Grammar::RuleOutputs || rule == Grammar::RuleBody) {
    const SyntaxToken* const open = OpenAt(edit.at);
    const bool is_in_bracket = open != nullptr && open->type == Grammar::LPAREN;
    if (is_inserted && BeginsLine(edit.at) && !is_in_bracket) return false;
    if (ReplacesEquals(edit)) return false;  // a second node begins
  }
  if (is_inserted && edit.at > 0 && edit.at < tokens_.size()) {
    const SyntaxToken& first = *tokens_[edit.at - 1];
    const SyntaxToken& second = *tokens_[edit.at];
    if (MayBeOneDimension(rule, first, second) || MayBeOneString(first, second) || IsPrefixOf(first, second)) {
      return false;
    }
  }
  if (rule == Grammar::RuleFormals && IsTypeToken(behind)) return false;  // `alpha. float = 1`
  return !IsBorder(before) && !IsOpening(before) && !IsBorder(behind) && !IsClosing(behind);
}

bool RepairSearch::Search::IsPlausibleColon(TokenEdit edit) const {
  if (ReplacesEquals(edit)) {  // not if another node or attribute begins, because this one is not finished
    const bool is_of_next = edit.at + 1 < tokens_.size() && BeginsLine(edit.at + 1);
    return s_.rule() != Grammar::RuleNode && s_.rule() != Grammar::RuleOp && !is_of_next;
  }
  const std::size_t behind = Neighbours(edit).second;
  return behind != Grammar::ID && !IsBorder(behind) && !IsTypeToken(behind);
}

// Returns whether the mark that the edit inserts may be meant at this place.
bool RepairSearch::Search::IsPlausibleMark(TokenEdit edit) const {
  const auto [before, behind] = Neighbours(edit);
  if (edit.type == Grammar::COMMA) return IsPlausibleComma(edit);
  if (edit.type == Grammar::COLON) return IsPlausibleColon(edit);
  // In `g (float x) {`, the outputs are missing, and not the inputs.
  if (edit.type == Grammar::ARROW && IsName(before) && behind == Grammar::LPAREN) return false;
  if (IsClosing(edit.type)) return !BeginsLine(edit.at) || MayEndAt(edit.at);
  if (!IsOpening(edit.type)) return true;
  return behind != Grammar::COMMA && (!IsClosing(behind) || behind == ClosingOf(edit.type));
}

// Returns whether the edit is a plausible correction. Other edits make the text valid, but probably not what was meant:
// they result in an omitted input (`x,, y`), an overload (`Relu: x`), a name in place of a type, or a lost operation
// (`+=`, `a * b`).
bool RepairSearch::Search::IsPlausible(TokenEdit edit) const {
  switch (edit.kind) {
    case EditKind::kDelete: return IsPlausibleDeletion(edit);
    case EditKind::kSwap: return IsPlausibleSwap(edit);
    case EditKind::kInsert: return IsPlausibleMark(edit);
    case EditKind::kReplace: return IsPlausibleReplacement(edit) && IsPlausibleMark(edit);
    case EditKind::kSplit:
    case EditKind::kWord:
    case EditKind::kPart: return true;
  }
  return true;
}

// Returns whether a list may end at the end of the line before the token. It cannot end after `float[`, and after `Relu
// (` only if the operator needs no inputs.
bool RepairSearch::Search::MayEndAt(std::size_t at) const {
  const std::size_t before = tokens_[at - 1]->type;
  if (before != Grammar::LPAREN) return before != Grammar::LBRACKET && before != Grammar::LESS;
  std::size_t op = at - 1;
  if (op > 0 && tokens_[op - 1]->type == Grammar::GREATER) {
    while (op > 0 && tokens_[op - 1]->type != Grammar::LESS) --op;
    if (op > 0) --op;
  }
  if (op == 0 || tokens_[op - 1]->type != Grammar::ID) return true;
  const Operator* const known = FindOperator("", tokens_[op - 1]->text, NewestVersion(FindDomain("")));
  return known != nullptr && known->min_inputs == 0;
}

// Returns whether the edit inserts a `,` or `:` that continues the alternation of both, as in `a: b, c: d`.
bool RepairSearch::Search::IsNext(TokenEdit edit) const {
  if (edit.type != Grammar::COMMA && edit.type != Grammar::COLON) return false;
  std::array<std::size_t, 2> marks = {};  // the last two marks, the nearest first
  std::size_t known = 0;
  for (std::size_t i = edit.at; i > 0 && known < marks.size(); --i) {
    if (IsMark(tokens_[i - 1]->type)) marks[known++] = tokens_[i - 1]->type;
  }
  const bool is_colon = marks[0] == Grammar::COMMA && marks[1] == Grammar::COLON;
  return (edit.type == Grammar::COLON) == is_colon;
}

int RepairSearch::Search::CostOfDeletion(TokenEdit edit, int far) const {
  const std::size_t type = tokens_[edit.at]->type;
  const bool is_output = s_.rule() == Grammar::RuleNode && s_.expected == Grammar::EQUALS;
  if ((!IsName(type) || is_output) && IsDoubled(edit.at)) return far / 2 + 40;
  if (IsName(type)) return far + 110;
  return far + (type == Grammar::INVALID ? 60 : IsClosing(type) ? 125 : 100);
}

int RepairSearch::Search::CostOfInsertion(TokenEdit edit) const {
  const SyntaxToken& token = *tokens_[edit.at];
  const bool is_joined = edit.at > 0 && tokens_[edit.at - 1]->range().end == token.begin;
  if (IsOpening(edit.type) && token.type == ClosingOf(edit.type)) return is_joined ? 300 : 150;  // `()`
  const bool is_behind_open = edit.at > 0 && IsOpening(tokens_[edit.at - 1]->type);
  if (IsClosing(edit.type) && is_behind_open && !BeginsLine(edit.at)) return 150;
  if (IsClosing(edit.type) && token.type == Grammar::EQUALS) return 250;  // a node without outputs
  // The string after the comma is more likely the next import than a key of the header.
  const bool is_before_string =
      token.type == Grammar::COMMA && edit.at + 1 < tokens_.size() && tokens_[edit.at + 1]->type == Grammar::STRING;
  if (edit.type == Grammar::RBRACKET && is_before_string && s_.Around(Grammar::RuleHeader) != nullptr) return 150;
  const bool is_at_end = IsClosing(edit.type) && BeginsLine(edit.at);
  return is_at_end ? 80 : IsNext(edit) ? 85 : 100;
}

int RepairSearch::Search::CostOfReplacement(TokenEdit edit) const {
  if (edit.count > 1) return 60;
  const std::size_t type = tokens_[edit.at]->type;
  const auto is_pair = [&](std::size_t a, std::size_t b) {
    return (type == a && edit.type == b) || (type == b && edit.type == a);
  };
  const bool is_alike = (IsOpening(type) && IsOpening(edit.type)) || (IsClosing(type) && IsClosing(edit.type)) ||
                        type == Grammar::INVALID || is_pair(Grammar::COMMA, Grammar::DOT) ||
                        is_pair(Grammar::EQUALS, Grammar::COLON) || is_pair(Grammar::EQUALS, Grammar::ARROW) ||
                        is_pair(Grammar::COLON, Grammar::ARROW);
  return is_alike ? 80 : 130;
}

// Returns the cost of an edit. Most edits cost about 100, and edits near the mistake cost less than others.
int RepairSearch::Search::Cost(TokenEdit edit) const {
  const int far = 2 * static_cast<int>(edit.at < found_ ? found_ - edit.at : edit.at - found_);
  switch (edit.kind) {
    case EditKind::kDelete: return CostOfDeletion(edit, far);
    case EditKind::kInsert: return far + CostOfInsertion(edit);
    case EditKind::kReplace: return far + CostOfReplacement(edit);
    case EditKind::kSwap: return far + 140;
    case EditKind::kSplit:
      return far + (tokens_[edit.at]->type == Grammar::ARROW ? 20 : 60);  // of `=>`, nothing is lost
    case EditKind::kWord: return far + 60;
    case EditKind::kPart: return far + 70;
  }
  return 0;
}

// ---- edits of the text

SourceRange RepairSearch::Search::RangeOf(TokenEdit edit) const {
  return {tokens_[edit.at]->begin, tokens_[edit.at + edit.count - 1]->range().end};
}

FixIt RepairSearch::Search::EditOf(TokenEdit edit) const {
  const SyntaxToken& token = *tokens_[edit.at];
  const SyntaxToken* before = edit.at > 0 ? tokens_[edit.at - 1] : found_ == 0 ? s_.previous : nullptr;
  const std::string spelling(Spelling(edit.type));
  switch (edit.kind) {
    case EditKind::kDelete: {
      SourceRange range = token.range();
      const bool has_gap = range.begin > 0 && s_.text[range.begin - 1] == ' ';
      if (has_gap && range.end < s_.text.size() && s_.text[range.end] == ' ') ++range.end;
      return Replace(range, "");
    }
    case EditKind::kReplace: return Replace(RangeOf(edit), spelling);
    case EditKind::kSwap: {
      const SyntaxToken& behind = *tokens_[edit.at + 1];
      const std::string_view gap = s_.Slice(token.range().end, behind.begin);
      return Replace({token.begin, behind.range().end}, fmt::format("{}{}{}", behind.text, gap, token.text));
    }
    case EditKind::kWord: return Replace(token.range(), NearestType(token.text));
    case EditKind::kPart: return Insert(token.begin + edit.cut, edit.type == Grammar::EQUALS ? " = " : spelling);
    case EditKind::kSplit: {
      if (token.type == Grammar::ARROW) return Insert(token.begin + 1, " ");
      const std::size_t dot = token.begin + token.text.find('.');
      return Replace({dot, dot + 1}, ",");
    }
    case EditKind::kInsert: break;
  }
  if (before == nullptr) return Insert(token.begin, spelling);
  const std::size_t end = before->range().end;
  const bool is_joined = end >= token.begin;
  const bool is_new_line = syntax::BeginsLine(before, token);
  switch (edit.type) {
    case Grammar::EQUALS:
    case Grammar::ARROW: return Insert(end, is_joined ? spelling : " " + spelling);
    case Grammar::COMMA: return Insert(end, is_joined ? ", " : ",");
    case Grammar::RBRACE: {
      const bool is_behind_node = before->type == Grammar::RPAREN || before->type == Grammar::GREATER;
      return Insert(end, is_new_line && is_behind_node ? "\n}" : "}");
    }
    case Grammar::LBRACE: return is_new_line ? Insert(end, " {") : Insert(token.begin, "{");
    default:
      return IsOpening(edit.type)
                 ? Insert(token.begin, is_joined && edit.type != Grammar::LPAREN && edit.type != Grammar::LBRACKET
                                           ? " " + spelling
                                           : spelling)
                 : Insert(end, spelling);
  }
}

std::vector<FixIt> RepairSearch::Search::EditsOf(const Candidate& candidate) const {
  std::vector<FixIt> edits;
  for (const TokenEdit& edit : candidate.edits) edits.push_back(EditOf(edit));
  return edits;
}

// ---- messages

// Adds the token to the open brackets if it is an opening one, and removes the last of them if it is a closing one.
void RepairSearch::Search::Follow(const SyntaxToken& token, std::vector<const SyntaxToken*>* open) {
  if (IsOpening(token.type)) open->push_back(&token);
  if (IsClosing(token.type) && !open->empty()) open->pop_back();
}

// Returns the innermost bracket that is open before the token, or null. Brackets before the part that was read are
// unknown.
const SyntaxToken* RepairSearch::Search::OpenAt(std::size_t at) const {
  std::vector<const SyntaxToken*> open = open_;
  for (std::size_t i = 0; i < at; ++i) Follow(*tokens_[i], &open);
  return open.empty() ? nullptr : open.back();
}

// Describes the missing mark and where it belongs, such as "'=>' before the outputs".
std::string RepairSearch::Search::Wanted(TokenEdit edit) const {
  const SyntaxToken* open = OpenAt(edit.at);
  const bool is_in_list = open != nullptr && open->type != Grammar::LBRACE;
  switch (edit.type) {
    case Grammar::ARROW: return "'=>' before the outputs";
    case Grammar::COLON: {
      const std::size_t behind = edit.at + edit.count;
      const bool is_typed = behind < tokens_.size() && IsTypeToken(tokens_[behind]->type);
      return is_typed ? "':' before the type" : "':' before the value";
    }
    case Grammar::EQUALS: return is_in_list ? "'=' before the value" : "'=' between the outputs and the operator";
    default: return fmt::format("'{}'", Spelling(edit.type));
  }
}

Diagnostic RepairSearch::Search::Explain(const Candidate& candidate) const {
  const TokenEdit& edit = candidate.edits.front();
  const SyntaxToken& token = *tokens_[edit.at];
  const auto say = [&](SourceRange range, std::string message) {
    return MakeDiagnostic(DiagnosticKind::kUnexpectedToken, Severity::kError, range, std::move(message));
  };
  const auto unclosed = [&](SourceRange range, const SyntaxToken& open) {
    Diagnostic diagnostic =
        MakeDiagnostic(diag::kUnclosedBracket, range, Spelling(edit.type), open.text.substr(0, 1), Describe(token));
    diagnostic.notes = {{open.range(), "opened here"}};
    return diagnostic;
  };
  switch (edit.kind) {
    case EditKind::kDelete:
      if (IsClosing(token.type) && s_.rule() == Grammar::RuleBody) {
        return say(token.range(), fmt::format("unmatched '{}'", token.text));
      }
      return say(token.range(), fmt::format("unexpected {}", Describe(token)));
    case EditKind::kSwap:
      return say({token.begin, tokens_[edit.at + 1]->range().end},
                 fmt::format("{} must come before {}", Describe(*tokens_[edit.at + 1]), Describe(token)));
    case EditKind::kWord: {
      Diagnostic diagnostic = MakeDiagnostic(diag::kUnknownType, token.range(), Quoted(token.text));
      diagnostic.message += fmt::format("; did you mean '{}'?", NearestType(token.text));
      return diagnostic;
    }
    case EditKind::kPart:
      return MakeDiagnostic(diag::kUnexpectedToken, SourceRange{token.begin + edit.cut, token.range().end},
                            fmt::format("'{}'", Spelling(edit.type)),
                            fmt::format("'{}'", Quoted(token.text.substr(edit.cut))));
    case EditKind::kSplit: {
      if (token.type == Grammar::ARROW) return say(token.range(), "'=>' is a single mark; write '= >'");
      const std::size_t dot = token.begin + token.text.find('.');
      return MakeDiagnostic(diag::kUnexpectedToken, SourceRange{dot, dot + 1}, "','", "'.'");
    }
    case EditKind::kInsert: {
      const std::size_t end = edit.at > 0 ? tokens_[edit.at - 1]->range().end : token.begin;
      const bool is_behind = BeginsLine(edit.at) && EditOf(edit).range.begin < token.begin;
      const SourceRange range = is_behind ? SourceRange{end, end} : token.range();
      if (edit.type == Grammar::COMMA) return MakeDiagnostic(diag::kMissingComma, range, Describe(token));
      if (edit.type == Grammar::EQUALS) return MakeDiagnostic(diag::kMissingEquals, token.range(), Describe(token));
      const SyntaxToken* open = OpenAt(edit.at);
      const Context* const body = s_.Around(Grammar::RuleBody);
      if (open == nullptr && body != nullptr) open = &First(body);  // too far before
      if (open != nullptr && ClosingOf(open->type) == edit.type) return unclosed(range, *open);
      return MakeDiagnostic(diag::kUnexpectedToken, range, fmt::format("'{}'", Spelling(edit.type)), Describe(token));
    }
    case EditKind::kReplace:
      if (const SyntaxToken* open = OpenAt(edit.at); open != nullptr && ClosingOf(open->type) == edit.type) {
        return unclosed(token.range(), *open);
      }
      if (edit.count > 1) {
        const SourceRange sign = RangeOf(edit);
        return MakeDiagnostic(diag::kUnexpectedToken, sign, Wanted(edit),
                              fmt::format("'{}'", s_.Slice(sign.begin, sign.end)));
      }
      return MakeDiagnostic(diag::kUnexpectedToken, token.range(), Wanted(edit), Describe(token));
  }
  return say(token.range(), "");
}

// If the edit replaces an opening bracket, and its closing bracket is after the tokens that were read, returns the edit
// that replaces the closing one.
std::optional<FixIt> RepairSearch::Search::ClosingFor(TokenEdit edit) const {
  SyntaxToken* open = tokens_[edit.at];
  if (edit.kind != EditKind::kReplace || !IsOpening(edit.type) || !IsOpening(open->type)) return std::nullopt;
  const SyntaxToken* close = s_.Closing(open);
  if (close == nullptr || close->begin < tokens_.back()->range().end) return std::nullopt;
  return Replace(close->range(), Spelling(ClosingOf(edit.type)));
}

}  // namespace onnxc::syntax
