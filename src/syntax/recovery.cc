#include "syntax/recovery.h"

#include <algorithm>

#include "source/report.h"
#include "syntax/mistakes.h"
#include "syntax/syntax_errors.h"

namespace onnxc::syntax {
namespace {

bool IsNameOrComma(std::size_t type) { return IsName(type) || type == Grammar::COMMA; }

bool IsOperatorPart(std::size_t type) { return IsName(type) || type == Grammar::DOT || type == Grammar::COLON; }

// Skips the rest of the graph or function `context`.
bool SkipToItem(TokenStream& tokens, const Context* context) {
  if (&First(context) == tokens.current()) tokens.consume();
  std::size_t braces = 0;
  for (const SyntaxToken* token = &First(context); token != nullptr && token != tokens.current(); token = token->next) {
    if (IsBrace(token->type)) ++braces;
    if (token->type == Grammar::RBRACE && braces > 0) --braces;
  }
  for (; tokens.current()->type != antlr4::Token::EOF; tokens.consume()) {
    const std::size_t type = tokens.current()->type;
    if (IsBrace(type)) ++braces;
    if (type == Grammar::RBRACE && braces > 0 && --braces == 0) {
      tokens.consume();
      return true;
    }
  }
  return true;
}

bool BeginsAnnotation(std::size_t type) {
  return type == Grammar::AT || type == Grammar::AT_BRACE || type == Grammar::PRAGMA;
}

bool BeginsItem(std::size_t type) { return type == Grammar::LESS || IsName(type) || BeginsAnnotation(type); }

}  // namespace

bool BeginsNode(std::size_t type) {
  return BeginsAnnotation(type) || type == Grammar::LBRACKET || type == Grammar::COMMA || type == Grammar::EQUALS ||
         IsName(type);
}

// Returns whether a node may begin at `token`, as in `[label] a, b = Op (`.
bool NodeStarts::IsOneAt(TokenStream& tokens, SyntaxToken* token) {
  if (token->type == Grammar::LBRACKET) {
    token = tokens.After(token);
    if (IsName(token->type)) token = tokens.After(token);
    if (token->type != Grammar::RBRACKET) return false;
    token = tokens.After(token);
  }
  if (token->begin < names_begin_ || token->begin > names_end_) {
    names_begin_ = token->begin;
    while (IsNameOrComma(token->type)) token = tokens.After(token);
    names_end_ = token->begin;
    is_behind_names_ = IsBehindNames(tokens, token);
  }
  return is_behind_names_;
}

// Returns whether `= Op (` begins at `token` and no `=>` follows the closing bracket: `body = b (int64 i) => ...` is an
// attribute.
bool NodeStarts::IsBehindNames(TokenStream& tokens, SyntaxToken* token) {
  if (token->type != Grammar::EQUALS) return false;
  do {
    token = tokens.After(token);
  } while (IsOperatorPart(token->type));
  if (token->type != Grammar::LPAREN && token->type != Grammar::LESS) return false;
  if (!graphs_ || token->begin < graphs_from_) FindGraphs(tokens, token);
  return !std::ranges::binary_search(*graphs_, token->begin);
}

// Finds all brackets after `token` whose closing bracket is followed by `=>`.
void NodeStarts::FindGraphs(TokenStream& tokens, SyntaxToken* token) {
  graphs_.emplace();
  graphs_from_ = token->begin;
  std::vector<std::size_t> open;
  for (; token->type != antlr4::Token::EOF; token = tokens.After(token)) {
    if (IsOpening(token->type)) open.push_back(token->begin);
    if (!IsClosing(token->type) || open.empty()) continue;
    if (tokens.After(token)->type == Grammar::ARROW) graphs_->push_back(open.back());
    open.pop_back();
  }
  std::ranges::sort(*graphs_);
}

const OpenBrackets& Recovery::BracketsAt(TokenStream& tokens, const Context* context) {
  while (context->parent != nullptr) context = static_cast<const Context*>(context->parent);
  brackets_.ReadTo(&First(context), tokens.current());
  return brackets_;
}

// Skips to one of `stops` outside of all brackets that were opened in `context`. The search ends at a node that begins
// a line, because then a bracket is missing, and at a closing bracket that matches no opening one. Returns true if a
// stop was found.
bool Recovery::SkipTo(TokenStream& tokens, const Context* context, std::initializer_list<std::size_t> stops) {
  if (tokens.current()->type == antlr4::Token::EOF) return false;
  SkippedBrackets open(BracketsAt(tokens, context).TypesFrom(First(context).begin));
  for (;; tokens.consume()) {
    SyntaxToken* token = tokens.current();
    if (open.empty() && std::find(stops.begin(), stops.end(), token->type) != stops.end()) return true;
    if (token->type == antlr4::Token::EOF) return false;
    if (BeginsLine(tokens.previous(), *token) && nodes_.IsOneAt(tokens, token)) return false;
    if (IsOpening(token->type)) open.Open(token->type);
    if (IsClosing(token->type) && !open.Close(token->type) && token->type == Grammar::RBRACE) return false;
  }
}

// Skips to the next node of the body that contains `context`, or to the end of this body. `context` may also be the
// body.
bool Recovery::SkipToNode(TokenStream& tokens, const Context* context) {
  if (&First(context) == tokens.current()) tokens.consume();
  std::size_t braces = BracketsAt(tokens, context).BracesFrom(First(context).begin);
  if (context->getRuleIndex() == Grammar::RuleBody && braces > 0) --braces;
  for (; tokens.current()->type != antlr4::Token::EOF; tokens.consume()) {
    SyntaxToken* token = tokens.current();
    if (token->type == Grammar::RBRACE && braces-- == 0) return true;
    if (braces == 0 && BeginsLine(tokens.previous(), *token) && nodes_.IsOneAt(tokens, token)) return true;
    if (IsBrace(token->type)) ++braces;
  }
  return false;
}

Recovery::Recovery(std::string_view text, Diagnostics* diagnostics, TrialBudgets* budgets)
    : text_(text),
      diagnostics_(diagnostics),
      may_nest_(budgets == nullptr),
      budgets_(text.size(), kTimes),
      nested_budgets_(text.size(), kNestedTimes),
      trials_(text, budgets == nullptr ? &budgets_ : budgets) {
  for (const auto& family : {CharacterGuesses(), ExpressionGuesses(), WordGuesses(), InputGuesses(), PartGuesses()}) {
    guessers_.insert(guessers_.end(), family.begin(), family.end());
  }
  for (const auto& family : {ItemGuesses(), BracketGuesses()}) {
    later_guessers_.insert(later_guessers_.end(), family.begin(), family.end());
  }
}

// Reports the error at the current token: a guess that a trial confirms, or else what the grammar expects.
bool Recovery::Report(ParserBase& parser, Context* context, std::size_t expected) {
  TokenStream& tokens = parser.tokens();
  if (blamed_ == tokens.current()) return false;
  const Outcome outcome = Guess(parser, context, expected, Asked::kAt);
  if (outcome == Outcome::kUnknown) return ReportUnexpected(parser, context, expected);
  if (outcome == Outcome::kGivenUp) return false;
  if (expected != 0 && tokens.current()->type == expected) return true;
  blamed_ = tokens.current();  // the token after the skipped text is not reported again
  return false;
}

// Returns whether the error is probably a consequence of an earlier one. This is so if neither has a correction, and
// the later error is shortly after the earlier one on the same line, or is at the end of the text, where brackets in
// skipped text seem to be missing. At the end of the text, only one error is reported.
bool Recovery::IsEcho(const Diagnostic& diagnostic) const {
  constexpr std::size_t kNear = 40;  // bytes
  const bool is_at_end = found_->type == antlr4::Token::EOF;
  if (is_at_end && has_ended_) return true;
  if (doubted_ > found_->begin || !diagnostic.fix_its.empty()) return false;
  if (is_at_end) return true;
  const std::string_view between = text_.substr(doubted_, found_->begin - doubted_);
  return between.size() < kNear && between.find('\n') == std::string_view::npos;
}

Recovery::Outcome Recovery::Guess(ParserBase& parser, Context* context, std::size_t expected, Asked asked) {
  TokenStream& tokens = parser.tokens();
  if (tokens.current()->type == Grammar::PRAGMA) return Outcome::kUnknown;
  found_ = tokens.current();
  const SyntaxProblem problem{context, tokens.current(), tokens.previous(), expected, nullptr};
  const Situation situation(problem, text_, tokens, trials_);
  RepairSearch search(situation, nodes_before_);
  std::optional<syntax::Guess> unsure;  // the first guess whose correction makes no part valid
  std::vector<syntax::Guess> doubtful;  // guesses of lower priority; see IsDoubtful()
  bool is_known = false;                // the last guess has a message, but no correction
  const auto consider = [&](syntax::Guess guess) -> std::optional<Outcome> {
    if (IsDoubtful(guess, search)) {
      is_known = guess.diagnostic.fix_its.empty();
      doubtful.push_back(std::move(guess));
      return std::nullopt;
    }
    const std::optional<Outcome> outcome = Accept(parser, situation, guess);
    if (!outcome && !unsure && !guess.is_weak) unsure = std::move(guess);
    return outcome;
  };
  const auto ask = [&](const std::vector<Guesser>& guessers) -> std::optional<Outcome> {
    for (const Guesser guesser : guessers) {
      std::optional<syntax::Guess> guess = is_known ? std::nullopt : guesser(situation);
      const std::optional<Outcome> outcome = guess ? consider(*std::move(guess)) : std::nullopt;
      if (outcome) return outcome;
    }
    return std::nullopt;
  };
  if (const std::optional<Outcome> outcome = RepairQuote(parser, situation, search, asked)) return *outcome;
  if (const std::optional<Outcome> outcome = ask(guessers_)) return *outcome;
  // `flota half`: a misspelt type is more likely than a type after a name.
  const Diagnostic& plain = Unexpected(parser, context, expected).diagnostic;
  const bool is_misspelt = plain.kind == DiagnosticKind::kUnknownType && !plain.fix_its.empty();
  for (syntax::Guess& row : is_known ? std::vector<syntax::Guess>() : FindMistakes(situation)) {
    if (is_misspelt && row.diagnostic.kind != DiagnosticKind::kUnknownType) continue;
    if (row.resume == Resume::kBehind && !search.GoesOn(row.diagnostic.fix_its)) row.diagnostic.fix_its.clear();
    const std::optional<Outcome> outcome = is_known ? std::nullopt : consider(std::move(row));
    if (outcome) return *outcome;
  }
  if (const std::optional<Outcome> outcome = ask(later_guessers_)) return *outcome;
  // If the whole text is one tensor, it has no part for a trial, so the guess is accepted without one.
  const bool is_believed = unsure && situation.Units().empty();
  if (!is_believed) {
    const bool has_guess = unsure || !doubtful.empty();
    const std::optional<syntax::Repair> repair = FindRepair(parser, context, expected, search, has_guess, is_known);
    if (repair && EndUnfinished(parser, context, plain, &*repair)) return Outcome::kGivenUp;
    const Outcome outcome = repair ? Repair(parser, situation, *repair, asked) : Outcome::kUnknown;
    if (outcome != Outcome::kUnknown) return outcome;
  }
  return ReportDoubtful(parser, situation, context, std::move(doubtful), std::move(unsure));
}

// Corrects a missing quote, if one is missing. Returns nothing if the text is not valid with it.
std::optional<Recovery::Outcome> Recovery::RepairQuote(ParserBase& parser, const Situation& situation,
                                                       RepairSearch& search, Asked asked) {
  const std::optional<syntax::Repair> quote = search.FindQuote();
  if (!quote || quote->diagnostic.fix_its.front().range.begin == quote_) return std::nullopt;
  const syntax::Guess guess{.diagnostic = quote->diagnostic};
  quote_ = guess.diagnostic.fix_its.front().range.begin;
  if (const std::optional<Outcome> outcome = AcceptUnit(parser, situation, guess, true)) return outcome;
  const Outcome outcome = Repair(parser, situation, *quote, asked);
  return outcome == Outcome::kUnknown ? std::nullopt : std::optional(outcome);
}

// Reports the first doubtful guess whose correction is valid. If there is none, reports `unsure` without its
// correction, or if this is nothing, the first doubtful guess that is not weak.
Recovery::Outcome Recovery::ReportDoubtful(ParserBase& parser, const Situation& situation, Context* context,
                                           std::vector<syntax::Guess> doubtful, std::optional<syntax::Guess> unsure) {
  for (syntax::Guess& guess : doubtful) {
    const bool has_edits = !guess.diagnostic.fix_its.empty() || !guess.elsewhere.empty();
    if (!has_edits && EndUnfinished(parser, context, guess.diagnostic)) return Outcome::kGivenUp;
    const std::optional<Outcome> outcome = Accept(parser, situation, guess);
    if (outcome) return *outcome;
    if (!unsure && !guess.is_weak) unsure = std::move(guess);
  }
  if (!unsure) return Outcome::kUnknown;
  if (EndUnfinished(parser, context, unsure->diagnostic)) return Outcome::kGivenUp;
  unsure->diagnostic.fix_its.clear();
  unsure->elsewhere.clear();
  Keep(*std::move(unsure), situation.found);
  return Outcome::kGivenUp;
}

// Reports the guess and continues as the guess specifies. Returns nothing if the correction of the guess is not valid.
std::optional<Recovery::Outcome> Recovery::Accept(ParserBase& parser, const Situation& situation,
                                                  const syntax::Guess& guess) {
  TokenStream& tokens = parser.tokens();
  switch (guess.resume) {
    case Resume::kBehind:
      Keep(guess, nullptr);
      tokens.GoOnAt(guess.at);
      return Outcome::kSkipped;
    case Resume::kToken:
      if (situation.expected != 0 && situation.expected != guess.token) return std::nullopt;
      Keep(guess, nullptr);
      if (guess.at > tokens.current()->begin) {
        tokens.Extend(guess.token, guess.at);
      } else {
        tokens.Insert(guess.token);
      }
      return Outcome::kRepaired;
    case Resume::kTokens:
      Keep(guess, nullptr);
      for (const auto& [token, type] : guess.retyped) tokens.Retype(token, type);
      for (const auto& [token, type] : guess.inserted) tokens.InsertBehind(token, type);
      if (guess.token != 0) tokens.Insert(guess.token);
      return Outcome::kRepaired;
    case Resume::kItem:
      Keep(guess, nullptr);
      mended_ = {situation.Item(), kItsEnd};
      return Outcome::kGivenUp;
    case Resume::kItemAt:
      Keep(guess, nullptr);
      mended_ = {situation.Item(), guess.at};
      return Outcome::kGivenUp;
    case Resume::kClose: return Close(parser, situation, guess);
    case Resume::kUnit: break;
  }
  if (guess.diagnostic.fix_its.empty() && guess.elsewhere.empty()) {
    Keep(guess, situation.found);
    const Context* node = situation.Around(Grammar::RuleNode);
    if (node != nullptr && guess.at != 0) mended_ = {node, guess.at};
    return Outcome::kGivenUp;
  }
  return AcceptUnit(parser, situation, guess);
}

// Ends an unclosed body before the current node, or before the node that was read last.
Recovery::Outcome Recovery::Close(ParserBase& parser, const Situation& situation, const syntax::Guess& guess) {
  TokenStream& tokens = parser.tokens();
  Keep(guess, nullptr);
  if (const Context* closed = guess.closed != nullptr ? guess.closed : situation.Around(Grammar::RuleNode)) {
    closed_ = closed;
    return Outcome::kGivenUp;
  }
  if (guess.at < tokens.current()->begin) {
    tokens.GoOnAt(guess.at);
    const_cast<Context*>(situation.context)->children.pop_back();
  }
  if (guess.token != 0) tokens.Insert(guess.token);
  tokens.Insert(Grammar::RBRACE);
  return Outcome::kRepaired;
}

// Adds a finding. `blamed` is a token about which nothing more is reported, or null.
void Recovery::Keep(syntax::Guess guess, const SyntaxToken* blamed) {
  constexpr std::size_t kMostFixIts = 10000;
  blamed_ = blamed;
  last_ = guess.diagnostic.kind;
  std::vector<FixIt>& fix_its = guess.diagnostic.fix_its;
  if (!guess.is_sure) fix_its.clear();
  fix_its.insert(fix_its.end(), guess.elsewhere.begin(), guess.elsewhere.end());
  if (trials_.HasRefused()) fix_its.clear();
  if (IsEcho(guess.diagnostic)) return;
  if (!guess.same_as.empty()) {
    const auto [known, is_first] = same_.try_emplace(guess.same_as, Same{.index = reported_.size()});
    // A correction may be known already: the corrections of a line include those of its next mistakes, and a part that
    // is parsed again has the same mistakes.
    std::set<std::size_t>& places = known->second.places;
    std::erase_if(fix_its, [&](const FixIt& edit) { return places.contains(edit.range.begin); });
    for (const FixIt& edit : fix_its) places.insert(edit.range.begin);
    if (!is_first) {
      std::vector<FixIt>& all = reported_[known->second.index].fix_its;
      if (all.size() < kMostFixIts) all.insert(all.end(), fix_its.begin(), fix_its.end());
      return;
    }
  }
  if (fix_its.empty()) doubted_ = found_->begin;
  has_ended_ = has_ended_ || found_->type == antlr4::Token::EOF;
  if (++reports_ > kMaxReports) throw FirstError{};
  reported_.push_back(std::move(guess.diagnostic));
}

// Returns what the grammar expects, with a correction if only one token is possible.
const Recovery::Said& Recovery::Unexpected(ParserBase& parser, Context* context, std::size_t expected) {
  TokenStream& tokens = parser.tokens();
  const std::size_t begin = tokens.current()->begin;
  if (said_.context == context && said_.begin == begin && said_.expected == expected) return said_;
  const SyntaxToken* open = BracketsAt(tokens, context).Innermost(First(context).begin);
  const SyntaxProblem problem{context, tokens.current(), tokens.previous(), expected, open};
  tokens.After(tokens.After(problem.found));  // scans the tokens that an explanation may read
  said_ = {context, begin, expected, MakeSyntaxError(problem)};
  Diagnostic& diagnostic = said_.diagnostic;
  // If the text ends too early, one bracket seldom completes it; the search finds the place of the missing bracket.
  if (problem.found->type == antlr4::Token::EOF) diagnostic.fix_its.clear();
  const Situation situation(problem, text_, tokens, trials_);
  std::vector<Unit> units = situation.Units();
  if (const std::size_t list = situation.rule(); list == Grammar::RuleHeader || list == Grammar::RuleFormals) {
    units.push_back({list, First(context).begin, context});
  }
  const auto holds = [&](const Unit& unit) {
    return situation.Try(unit.rule, unit.begin, diagnostic.fix_its).has_value();
  };
  // After the end of a list of values, the part that becomes valid is the whole graph, which is too large for a trial.
  const std::size_t rule = situation.rule();
  const bool is_list = rule == Grammar::RuleInputs || rule == Grammar::RuleOutputs || rule == Grammar::RuleValues;
  const bool is_untried = diagnostic.kind == DiagnosticKind::kExtraComma ||
                          (is_list && diagnostic.kind == DiagnosticKind::kUnclosedBracket);
  if (!diagnostic.fix_its.empty() && !units.empty() && !is_untried && std::ranges::none_of(units, holds)) {
    diagnostic.fix_its.clear();
  }
  // If a bracket seems to be missing, another bracket may be wrong instead. If a comma seems to be missing, the missing
  // token may be another mark.
  const bool is_one_of_two =
      diagnostic.kind == DiagnosticKind::kUnclosedBracket || diagnostic.kind == DiagnosticKind::kMissingComma;
  said_.is_sure = !diagnostic.fix_its.empty() && !is_one_of_two &&
                  RepairSearch(situation, nodes_before_).GoesOn(diagnostic.fix_its);
  return said_;
}

// Reports what the grammar expects.
bool Recovery::ReportUnexpected(ParserBase& parser, Context* context, std::size_t expected) {
  TokenStream& tokens = parser.tokens();
  const Said said = Unexpected(parser, context, expected);
  const SyntaxToken* found = tokens.current();
  const bool begins_line = BeginsLine(tokens.previous(), *found);
  found_ = found;
  if (said.diagnostic.fix_its.empty() && EndUnfinished(parser, context, said.diagnostic)) return false;
  Keep({.diagnostic = said.diagnostic}, found);
  switch (said.diagnostic.kind) {
    case DiagnosticKind::kMissingEquals: expected = Grammar::EQUALS; break;
    case DiagnosticKind::kUnclosedBracket:
      if (said.diagnostic.fix_its.empty() && !begins_line) return false;
      break;
    case DiagnosticKind::kEqualsForColon: tokens.Retype(tokens.current(), expected); return true;
    default: return false;
  }
  tokens.Insert(expected);
  blamed_ = nullptr;
  return true;
}

void Recovery::Finish() {
  for (Diagnostic& diagnostic : reported_) diagnostics_->Add(std::move(diagnostic));
  reported_.clear();
}

void Recovery::ReportDepth(ParserBase& parser) {
  diagnostics_->Add(MakeDiagnostic(diag::kNestingTooDeep, parser.tokens().current()->range()));
}

// Asks for a guess before an optional part. Returns whether another one can follow.
bool Recovery::GuessBefore(ParserBase& parser, Context* context) {
  if (blamed_ == parser.tokens().current()) return false;
  const Outcome outcome = Guess(parser, context, 0, Asked::kBefore);
  if (outcome == Outcome::kGivenUp && (mended_.context != nullptr || closed_ != nullptr)) GiveUp(parser, context);
  return outcome != Outcome::kUnknown && outcome != Outcome::kGivenUp;
}

// Generated code leaves a loop at the first token that cannot begin another iteration. This function skips such a
// token, or inserts a missing one before it, so that the loop continues.
void Recovery::Sync(ParserBase& parser, Context* context) {
  TokenStream& tokens = parser.tokens();
  if (IsBodyOfItem(context) && node_ != tokens.current()) {
    const bool is_first = nodes_before_.body != context;
    nodes_before_ = {context, is_first ? nullptr : node_, is_first ? nullptr : nodes_before_.last};
    node_ = tokens.current();
  }
  for (int turns = 0; NeedsGuess(context, tokens) && turns < kMaxReports && GuessBefore(parser, context);) ++turns;
  const std::size_t type = tokens.current()->type;
  switch (context->getRuleIndex()) {
    case Grammar::RuleItemsFile:
      if (tokens.previous() == nullptr || BeginsItem(type) || type == antlr4::Token::EOF) return;
      (void)Report(parser, context, antlr4::Token::EOF);
      while (tokens.current()->type != antlr4::Token::EOF) tokens.consume();
      return;
    case Grammar::RuleBody:
      if (BeginsNode(type) || type == Grammar::RBRACE || type == antlr4::Token::EOF) return;
      if (blamed_ != tokens.current()) (void)ReportUnexpected(parser, context, 0);
      if (type == Grammar::INVALID) tokens.consume();
      if (!BeginsNode(tokens.current()->type)) (void)SkipToNode(tokens, context);
      return;
    case Grammar::RuleValue:
      if (tokens.previous()->type == Grammar::EQUALS) return;
      if (type != Grammar::DATA && type != Grammar::LBRACE) return;
      if (!Report(parser, context, Grammar::EQUALS) && mended_.context != nullptr) GiveUp(parser, context);
      return;
    case Grammar::RuleInputs:
    case Grammar::RuleOutputs: SyncList(parser, context, Grammar::RPAREN); return;
    case Grammar::RuleHeader:
    case Grammar::RuleFormals:
    case Grammar::RuleValues:
    case Grammar::RuleAttrs: SyncList(parser, context, Grammar::GREATER); return;
    default: return;
  }
}

// Leaves the rule and continues in an enclosing rule. The error is already reported.
void Recovery::GiveUp(ParserBase& parser, Context* context) {
  blamed_ = parser.tokens().current();
  throw antlr4::RecognitionException(&parser, &parser.tokens(), context, parser.tokens().current());
}

// Returns whether the current token is invalid or cannot continue the rule.
bool Recovery::NeedsGuess(const Context* context, TokenStream& tokens) {
  const std::size_t type = tokens.current()->type;
  if (type == Grammar::INVALID) return true;
  const std::size_t behind =
      context->children.empty() ? 0 : static_cast<const Context*>(context->children.back())->getRuleIndex();
  switch (context->getRuleIndex()) {
    case Grammar::RuleItem:
      return (type == Grammar::LESS && behind == Grammar::RuleHeader) || type == Grammar::LBRACE ||
             type == Grammar::LBRACKET || type == Grammar::LPAREN;
    case Grammar::RuleNamed:
    case Grammar::RuleGraphRest:
      if (behind == Grammar::RuleItemName) return type != Grammar::LPAREN && type != Grammar::ARROW;
      if (behind == Grammar::RuleOutputs && type == Grammar::LBRACE) {
        return IsTypeToken(tokens.After(tokens.current())->type);  // `{` in place of the `<` before initializers
      }
      return behind == Grammar::RuleOutputs && type != Grammar::LESS;
    case Grammar::RuleBody: return !BeginsNode(type) && type != Grammar::RBRACE && type != antlr4::Token::EOF;
    case Grammar::RuleFieldValue: return type == Grammar::EQUALS || type == Grammar::COLON;
    default: return false;
  }
}

// After a member of a list, there must be a comma or the closing bracket.
void Recovery::SyncList(ParserBase& parser, Context* context, std::size_t closing) {
  TokenStream& tokens = parser.tokens();
  const auto fits = [&] {
    const std::size_t type = tokens.current()->type;
    const bool is_behind_member = !context->children.empty() && tokens.previous()->type != Grammar::COMMA;
    return !is_behind_member || type == Grammar::COMMA || type == closing;
  };
  last_.reset();
  for (int turns = 0; turns < kMaxReports; ++turns) {
    if (fits() || blamed_ == tokens.current()) return;
    const Outcome outcome = Guess(parser, context, 0, Asked::kBefore);
    if (outcome == Outcome::kUnknown && ReportUnexpected(parser, context, closing)) return;
    if (mended_.context != nullptr) return GiveUp(parser, context);
    if (outcome == Outcome::kUnknown || outcome == Outcome::kGivenUp) break;
  }
  if (last_ == DiagnosticKind::kMissingComma) {
    tokens.Insert(Grammar::COMMA);
    blamed_ = nullptr;
  } else if (last_ == DiagnosticKind::kUnknownType) {
    (void)SkipTo(tokens, static_cast<const Context*>(context->children.back()), {Grammar::COMMA, closing});
  }
}

bool Recovery::IsSettled(const TokenStream& tokens) const {
  return tokens.IsAsScanned() && blamed_ != tokens.current() && mended_.context == nullptr && closed_ == nullptr;
}

bool Recovery::Recover(ParserBase& parser, Context* context) {
  TokenStream& tokens = parser.tokens();
  if (mended_.context != nullptr) {
    if (mended_.context != context) return false;
    const std::size_t end = mended_.end;
    mended_ = {};
    if (end == kItsEnd) return SkipToItem(tokens, context);
    tokens.GoOnAt(end);
    return true;
  }
  if (closed_ != nullptr) {
    if (closed_ != context) return false;
    tokens.GoOnAt(First(context).begin);
    tokens.Insert(Grammar::RBRACE);
    closed_ = nullptr;
    return true;
  }
  switch (context->getRuleIndex()) {
    case Grammar::RuleEntry:
    case Grammar::RuleFormal:
    case Grammar::RuleAttr: return SkipTo(tokens, context, {Grammar::COMMA, Grammar::GREATER});
    case Grammar::RuleRecordField: return SkipTo(tokens, context, {Grammar::COMMA, Grammar::RBRACE});
    case Grammar::RuleValueInfo:
      if (static_cast<Context*>(context->parent)->getRuleIndex() == Grammar::RuleValue) return false;
      [[fallthrough]];
    case Grammar::RuleValue: return SkipTo(tokens, context, {Grammar::COMMA, Grammar::RPAREN, Grammar::GREATER});
    case Grammar::RuleNode: return SkipToNode(tokens, context);
    case Grammar::RuleItem: return SkipToItem(tokens, context);
    default: return context->parent == nullptr;
  }
}

}  // namespace onnxc::syntax
