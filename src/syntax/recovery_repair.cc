// How the error recovery continues with a guess that corrects a part of the text, and with the result of the search for
// repairs.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "source/corrections.h"
#include "source/report.h"
#include "syntax/other_strings.h"
#include "syntax/recovery.h"
#include "syntax/words.h"

namespace onnxc::syntax {
namespace {

// Returns where the node ends that begins at `begin` and contains the offset `at`. It ends before the next node, which
// may be on the same line, and before the `}` that closes the graph. If a bracket is not closed, the node ends before
// the next line that begins a node.
std::size_t EndOfNode(std::string_view text, std::size_t begin, std::size_t at) {
  TokenStream tokens(text, Scanner::ListTokens::kNumbers, begin);
  NodeStarts nodes;
  SkippedBrackets open({});
  std::size_t end = begin;
  std::size_t string_end = 0;  // of the last string in quotes of another language
  for (SyntaxToken *token = tokens.current(), *before = nullptr; token->type != antlr4::Token::EOF;
       before = token, token = tokens.After(token)) {
    if (token->begin < string_end) continue;
    if (before != nullptr && token->begin >= at) {
      const bool begins_line = BeginsLine(before, *token);
      if (begins_line && open.empty() && BeginsNode(token->type)) break;
      if ((begins_line || open.empty()) && nodes.IsOneAt(tokens, token)) break;
    }
    if (IsOpening(token->type)) open.Open(token->type);
    if (IsClosing(token->type) && !open.Close(token->type) && token->type == Grammar::RBRACE) break;
    const std::optional<OtherString> string =
        token->type == Grammar::INVALID ? OtherStringAt(text, token->begin) : std::nullopt;
    string_end = string ? string->range.end : 0;
    end = std::max(token->range().end, string_end);
  }
  return end;
}

// Returns the edit that replaces `before`, which begins at the offset, by `after`.
FixIt ChangedPart(std::size_t begin, std::string_view before, std::string_view after) {
  const auto first = static_cast<std::size_t>(std::ranges::mismatch(before, after).in1 - before.begin());
  const std::size_t most = std::min(before.size(), after.size()) - first;
  std::size_t last = 0;
  while (last < most && before[before.size() - 1 - last] == after[after.size() - 1 - last]) ++last;
  return {{begin + first, begin + before.size() - last}, std::string(after.substr(first, after.size() - first - last))};
}

bool IsSame(const std::vector<FixIt>& a, const std::vector<FixIt>& b) {
  return std::ranges::equal(
      a, b, [](const FixIt& x, const FixIt& y) { return x.range == y.range && x.replacement == y.replacement; });
}

// Returns whether the tokens from `token` to `end` can only be the outputs and the operator of a node.
bool IsBeginOfNode(const SyntaxToken* token, const SyntaxToken* end) {
  const auto is_part = [](std::size_t type) {
    return IsName(type) || type == Grammar::COMMA || type == Grammar::EQUALS || type == Grammar::DOT ||
           type == Grammar::COLON;
  };
  while (token != end && is_part(token->type)) token = token->next;
  return token == end;
}

}  // namespace

// Returns whether the guess has no correction, is about a bracket, or has a correction after which
// RepairSearch::GoesOn() finds another error. Guesses about brackets are doubtful: instead of a missing bracket,
// another bracket may be superfluous, and a superfluous bracket may only be of the wrong kind.
bool Recovery::IsDoubtful(const syntax::Guess& guess, RepairSearch& search) {
  const std::vector<FixIt>& edits = guess.diagnostic.fix_its;
  if (!guess.elsewhere.empty() || guess.resume == Resume::kClose || guess.resume == Resume::kItemAt ||
      guess.resume == Resume::kItem) {
    return false;
  }
  const bool drops_bracket = guess.resume == Resume::kBehind && edits.size() == 1 &&
                             edits.front().replacement.empty() &&
                             guess.diagnostic.kind == DiagnosticKind::kUnexpectedToken;
  const bool is_of_bracket = drops_bracket || guess.diagnostic.kind == DiagnosticKind::kUnclosedBracket;
  return edits.empty() || is_of_bracket || !search.GoesOn(edits);
}

// Returns the edits, and edits of the strings of other languages in the part: `names = ('a', 'b')` has wrong brackets
// and wrong quotes. Returns nothing if there are no such strings.
std::vector<FixIt> Recovery::WithStrings(const Situation& situation, const Unit& unit,
                                         const std::vector<FixIt>& edits) {
  constexpr std::size_t kMost = 64;  // edits
  if (edits.empty() || edits.size() > kMost) return {};
  if (!situation.MayLook(Trials::Search::kStrings, 1)) return {};
  std::size_t end = unit.begin;
  std::vector<FixIt> more = RewriteStringsFrom(text_, unit.begin, unit.rule != Grammar::RuleNode, &end);
  (void)situation.MayLook(Trials::Search::kStrings, end - unit.begin);
  std::erase_if(more, [&](const FixIt& edit) {
    return std::ranges::any_of(edits, [&](const FixIt& other) {
      return edit.range.begin < other.range.end && other.range.begin < edit.range.end;
    });
  });
  if (!more.empty()) more.insert(more.end(), edits.begin(), edits.end());
  return more;
}

// Reports the guess and continues after the smallest part that its correction makes valid. The part may end before the
// current token if the correction changes later tokens.
std::optional<Recovery::Outcome> Recovery::AcceptUnit(ParserBase& parser, const Situation& situation,
                                                      const syntax::Guess& proposed, bool may_go_back) {
  TokenStream& tokens = parser.tokens();
  for (const Unit& unit : situation.Units()) {
    syntax::Guess guess = proposed;
    std::optional<std::size_t> end = situation.Try(unit.rule, unit.begin, guess.diagnostic.fix_its);
    if (!end) {
      std::vector<FixIt> more = WithStrings(situation, unit, guess.diagnostic.fix_its);
      if (!more.empty()) end = situation.Try(unit.rule, unit.begin, more);
      if (end) guess.diagnostic.fix_its = std::move(more);
    }
    if (!end) {
      if (std::optional<syntax::Guess> combined = WithOthers(situation, unit, proposed)) {
        guess = *std::move(combined);
        end = situation.Try(unit.rule, unit.begin, guess.diagnostic.fix_its);
      }
    }
    if (!end || (unit.context == nullptr && *end <= situation.found->begin && !may_go_back)) continue;
    Keep(guess, nullptr);
    if (unit.context == nullptr) {
      // The beginning of the part was not parsed as its author meant, so it is not lowered.
      const std::vector<antlr4::tree::ParseTree*>& parts = situation.context->children;
      if ((unit.rule == Grammar::RuleAttr || unit.rule == Grammar::RuleFormal) && !parts.empty()) {
        parser.Break(static_cast<Context*>(parts.back()));
      }
      tokens.GoOnAt(*end);
      return Outcome::kSkipped;
    }
    mended_ = {unit.context, *end};
    return Outcome::kGivenUp;
  }
  return std::nullopt;
}

// Combines a correction that moves attributes of a node with the corrections of other mistakes in the node, as in
// `Transpose (x, perm = (1, 0))`: parses the corrected node, and applies the corrections of all its errors. Returns
// nothing if an error has no correction.
std::optional<syntax::Guess> Recovery::WithOthers(const Situation& situation, const Unit& unit,
                                                  const syntax::Guess& guess) {
  constexpr std::size_t kLongest = 2048;  // in bytes
  const std::vector<FixIt>& edits = guess.diagnostic.fix_its;
  const bool is_move = guess.diagnostic.kind == DiagnosticKind::kAttributeAmongInputs;
  if (!may_nest_ || !is_move || edits.empty() || unit.rule != Grammar::RuleNode) return std::nullopt;
  std::size_t last = situation.found->begin;
  for (const FixIt& edit : edits) {
    if (edit.range.begin < unit.begin) return std::nullopt;
    last = std::max(last, edit.range.end);
  }
  if (last - unit.begin >= kLongest || !situation.MayLook(Trials::Search::kOthers, kLongest)) return std::nullopt;
  const std::size_t end = EndOfNode(text_.substr(0, unit.begin + kLongest), unit.begin, last);
  if (end < last) return std::nullopt;
  std::vector<FixIt> moved = edits;
  for (FixIt& edit : moved) edit.range = {edit.range.begin - unit.begin, edit.range.end - unit.begin};
  const std::string_view part = situation.Slice(unit.begin, end);
  const std::string corrected = Corrected(part, &moved);
  Diagnostics found;
  TokenStream tokens(corrected, Scanner::ListTokens::kNumbers);
  Grammar parser(&tokens);
  Recovery recovery(corrected, &found, &nested_budgets_);
  parser.set_error_strategy(&recovery);
  try {
    (void)parser.nodeFile();
  } catch (const FirstError&) {
    return std::nullopt;
  }
  recovery.Finish();
  const auto has_none = [](const Diagnostic& finding) { return finding.fix_its.empty(); };
  if (found.items().empty() || std::ranges::any_of(found.items(), has_none)) return std::nullopt;
  syntax::Guess combined = guess;
  combined.diagnostic.fix_its = {ChangedPart(unit.begin, part, ApplyCorrections(corrected, found.items()).text)};
  for (const Diagnostic& finding : found.items()) {
    combined.diagnostic.notes.push_back({guess.diagnostic.range, std::string(kAlsoCorrected).append(finding.message)});
  }
  return combined;
}

// Returns the result of the search, with a more specific message if there is one. A guess with a message but no
// correction has priority over this result, unless only a mark is missing.
std::optional<syntax::Repair> Recovery::FindRepair(ParserBase& parser, Context* context, std::size_t expected,
                                                   RepairSearch& search, bool has_guess, bool is_known) {
  const Said& plain = Unexpected(parser, context, expected);
  const bool is_stray = parser.tokens().current()->type == Grammar::INVALID;
  if (has_guess ? is_stray : plain.is_sure) return std::nullopt;
  std::optional<syntax::Repair> repair = search.Find(has_guess ? 1 : 2);
  if (!repair) return std::nullopt;
  if (repair->may_be_swapped) said_.diagnostic.fix_its.clear();
  const Diagnostic& said = plain.diagnostic;
  if (!repair->is_sure && (has_guess || !said.fix_its.empty())) return std::nullopt;
  const bool is_misspelt = said.kind == DiagnosticKind::kUnknownType && !repair->is_closing;
  if ((is_known || is_misspelt) && !repair->is_lost_mark) return std::nullopt;
  if (!repair->is_sure || said.kind == DiagnosticKind::kUnexpectedCharacter ||
      IsSame(said.fix_its, repair->diagnostic.fix_its)) {
    std::vector<FixIt> fix_its = std::exchange(repair->diagnostic, said).fix_its;
    repair->diagnostic.fix_its = std::move(fix_its);
  }
  return repair;
}

// If another node begins on a later line before `node` is finished, returns the first token of that other node;
// otherwise returns null. Nodes of a graph in an attribute of `node` are not looked at.
SyntaxToken* Recovery::NextNode(TokenStream& tokens, const Context* node) {
  if (!trials_.Charge(Trials::Search::kNodes, tokens.current()->begin - First(node).begin)) return nullptr;
  bool has_outputs = false;
  std::vector<bool> braces;  // for each open brace: whether it belongs to a graph, and not to data
  std::size_t graphs = 0;
  std::size_t previous = Grammar::EQUALS;
  for (auto* token = static_cast<SyntaxToken*>(node->start); token != tokens.current(); token = token->next) {
    if (token->next == nullptr) return nullptr;
    if (token->type == Grammar::LBRACE) {
      braces.push_back(previous == Grammar::RPAREN || previous == Grammar::GREATER);
      graphs += braces.back() ? 1 : 0;
    } else if (token->type == Grammar::RBRACE && !braces.empty()) {
      graphs -= braces.back() ? 1 : 0;
      braces.pop_back();
    }
    previous = token->type;
    has_outputs = has_outputs || token->type == Grammar::EQUALS;
    const bool may_begin = has_outputs && graphs == 0 && BeginsLine(token, *token->next);
    if (may_begin && nodes_.IsOneAt(tokens, token->next)) return token->next;
  }
  return nullptr;
}

// Returns the current token if it is the first token of its line and may open the nodes, or the initializers before the
// nodes; otherwise returns null. A bracket may have been inserted before the token.
SyntaxToken* Recovery::NextPart(TokenStream& tokens) const {
  SyntaxToken* const found = tokens.current();
  if (found->type != Grammar::LBRACE && found->type != Grammar::LESS) return nullptr;
  const std::size_t before = text_.substr(0, found->begin).find_last_not_of(" \t");
  return before != std::string_view::npos && text_[before] == '\n' ? found : nullptr;
}

// Handles an error after a line that is not finished: the next line begins another node, or another part of the graph.
// Reports the error once, and continues with that node, or after the graph. `repair` is the repair that was found, or
// null. Returns false if there is no such line, or if the repair is more likely.
bool Recovery::EndUnfinished(ParserBase& parser, const Context* context, Diagnostic diagnostic,
                             const syntax::Repair* repair) {
  TokenStream& tokens = parser.tokens();
  const auto is_end = [](std::size_t rule) {
    return rule == Grammar::RuleNode || rule == Grammar::RuleBody || rule == Grammar::RuleItem;
  };
  while (context != nullptr && !is_end(context->getRuleIndex())) context = static_cast<const Context*>(context->parent);
  if (context == nullptr || context->getRuleIndex() == Grammar::RuleBody || tokens.previous() == nullptr) return false;
  const bool is_node = context->getRuleIndex() == Grammar::RuleNode;
  const SyntaxToken* const next = is_node ? NextNode(tokens, context) : NextPart(tokens);
  if (next == nullptr) return false;
  if (repair != nullptr && repair->is_sure) {
    if (repair->diagnostic.fix_its.front().range.begin < next->begin) return false;
    if (is_node && !IsBeginOfNode(next, tokens.current())) return false;
  }
  mended_ = {context, is_node ? next->begin : kItsEnd};
  const SyntaxToken* last = tokens.previous();
  if (is_node) {
    for (last = &First(context); last->next != next;) last = last->next;
  }
  if (!is_node || next != tokens.current()) {
    const char* const message = is_node ? "the node is not finished; the next line begins another node"
                                        : "the line is not finished; the next line begins another part";
    diagnostic = MakeDiagnostic(DiagnosticKind::kUnexpectedToken, Severity::kError, last->range(), message);
  }
  ReportUnfinished(*last, std::move(diagnostic));
  return true;
}

// Reports that a line is not finished. `last` is its last token. If `last` is a bracket that the recovery has inserted,
// the error is already reported. The inserted bracket was not enough, so only this correction is withdrawn.
void Recovery::ReportUnfinished(const SyntaxToken& last, Diagnostic diagnostic) {
  const auto inserts = [&](const Diagnostic& finding) {
    if (finding.fix_its.size() != 1 || finding.fix_its.front().range.begin > last.begin) return false;
    const std::size_t at = finding.fix_its.front().range.begin;
    return text_.substr(at, last.begin - at).find_first_not_of(" \t\r\n") == std::string_view::npos;
  };
  if (last.text.empty() && !reported_.empty() && inserts(reported_.back())) return reported_.back().fix_its.clear();
  diagnostic.fix_its.clear();
  Keep({.diagnostic = std::move(diagnostic)}, nullptr);
}

// Reports a repair that the search has found, and continues with it.
Recovery::Outcome Recovery::Repair(ParserBase& parser, const Situation& situation, const syntax::Repair& repair,
                                   Asked asked) {
  if (repair.goes_far) {
    if (const std::optional<Outcome> outcome = RepairHere(parser, situation, repair, asked)) return *outcome;
  }
  const syntax::Guess guess{.diagnostic = repair.diagnostic, .is_sure = repair.is_sure};
  if (const std::optional<Outcome> outcome = AcceptUnit(parser, situation, guess)) return *outcome;
  if (!repair.goes_far || !repair.is_sure) return Outcome::kUnknown;
  Keep(guess, situation.found);
  // An error before the nodes means that the graph or function was not parsed as its author meant, so the rest of it is
  // skipped.
  const Context* at = situation.context;
  while (at->parent != nullptr && at->getRuleIndex() != Grammar::RuleBody && at->getRuleIndex() != Grammar::RuleItem) {
    at = static_cast<const Context*>(at->parent);
  }
  if (at->getRuleIndex() == Grammar::RuleItem) mended_ = {at, kItsEnd};
  return Outcome::kGivenUp;
}

// Continues at the current token if the repair changes only this token.
std::optional<Recovery::Outcome> Recovery::RepairHere(ParserBase& parser, const Situation& situation,
                                                      const syntax::Repair& repair, Asked asked) {
  if (!repair.here) return std::nullopt;
  TokenStream& tokens = parser.tokens();
  const std::size_t type = repair.here->type;
  const auto fits = [&](std::size_t next) {
    if (asked == Asked::kAt) return next == situation.expected;
    switch (situation.rule()) {  // after a member of a list
      case Grammar::RuleBody: return BeginsNode(next) || next == Grammar::RBRACE;
      case Grammar::RuleInputs:
      case Grammar::RuleOutputs: return next == Grammar::COMMA || next == Grammar::RPAREN;
      case Grammar::RuleHeader:
      case Grammar::RuleFormals:
      case Grammar::RuleValues:
      case Grammar::RuleAttrs: return next == Grammar::COMMA || next == Grammar::GREATER;
      default: return true;
    }
  };
  switch (repair.here->kind) {
    case TokenEdit::Kind::kInsert:
      if (!fits(type)) return std::nullopt;
      Keep({.diagnostic = repair.diagnostic, .is_sure = repair.is_sure}, nullptr);
      tokens.Insert(type);
      return Outcome::kRepaired;
    case TokenEdit::Kind::kReplace: {
      if (!fits(type)) return std::nullopt;
      Keep({.diagnostic = repair.diagnostic, .is_sure = repair.is_sure}, nullptr);
      if (repair.here->count == 1) {
        tokens.Retype(tokens.current(), type);
      } else {  // continues after the sign, as if the token were in its place
        tokens.GoOnAt(repair.diagnostic.fix_its.front().range.end);
        tokens.Insert(type);
      }
      return Outcome::kRepaired;
    }
    case TokenEdit::Kind::kDelete: {
      const SyntaxToken* next = tokens.After(tokens.current());
      if (!fits(next->type)) return std::nullopt;
      Keep({.diagnostic = repair.diagnostic, .is_sure = repair.is_sure}, nullptr);
      tokens.GoOnAt(next->begin);
      return Outcome::kSkipped;
    }
    default: return std::nullopt;
  }
}

}  // namespace onnxc::syntax
