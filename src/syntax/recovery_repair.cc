// How the error recovery continues with the result of the search for repairs.
#include <algorithm>
#include <utility>

#include "syntax/recovery.h"
#include "syntax/words.h"

namespace onnxc::syntax {
namespace {

bool IsSame(const std::vector<FixIt>& a, const std::vector<FixIt>& b) {
  return std::ranges::equal(
      a, b, [](const FixIt& x, const FixIt& y) { return x.range == y.range && x.replacement == y.replacement; });
}

}  // namespace

// Returns whether the guess has no correction, is about a bracket, or has a correction after which
// RepairSearch::GoesOn() finds another error. Guesses about brackets are doubtful: instead of a missing bracket,
// another bracket may be superfluous, and a superfluous bracket may only be of the wrong kind.
bool Recovery::IsDoubtful(const syntax::Guess& guess, RepairSearch& search) {
  const std::vector<FixIt>& edits = guess.diagnostic.fix_its;
  if (!guess.elsewhere.empty() || guess.resume == Resume::kClose || guess.resume == Resume::kItemAt) return false;
  const bool drops_bracket = guess.resume == Resume::kBehind && edits.size() == 1 &&
                             edits.front().replacement.empty() &&
                             guess.diagnostic.kind == DiagnosticKind::kUnexpectedToken;
  const bool is_of_bracket = drops_bracket || guess.diagnostic.kind == DiagnosticKind::kUnclosedBracket;
  return edits.empty() || is_of_bracket || !search.GoesOn(edits);
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
