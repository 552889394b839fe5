// What the author most likely meant: guesses about mistakes that people make, each with its correction. The recovery
// tries a correction out (syntax/trial.h) before it believes a guess.
#pragma once

#include <onnxc/diagnostic.h>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "source/report.h"
#include "syntax/brackets.h"
#include "syntax/syntax_errors.h"
#include "syntax/tree.h"
#include "syntax/trial.h"

namespace onnxc::syntax {

/// How parsing goes on behind a mistake.
enum class Resume {
  kUnit,    ///< behind the smallest part that the correction makes whole: a node, attribute, value or header entry
  kBehind,  ///< at `at`, within the same rule
  kToken,   ///< as if a token of type `token` stood in place of the text up to `at`
  kTokens,  ///< as if the tokens in `retyped` had those types, and those in `inserted` stood in the text
  kItemAt,  ///< at `at`, with the next graph or function: the one that is being read is none
  kClose,   ///< as if a token of type `token` stood before the node that is being read, which begins something else
};

/// A guess. A correction that belongs elsewhere in the text as well has those edits in `elsewhere`: a trial leaves them
/// out.
struct Guess {
  Diagnostic diagnostic;
  Resume resume = Resume::kUnit;
  std::size_t at = 0;
  std::size_t token = 0;
  std::vector<std::pair<SyntaxToken*, std::size_t>> retyped = {};
  std::vector<std::pair<SyntaxToken*, std::size_t>> inserted = {};  ///< each behind a token that is there
  const Context* closed = nullptr;  ///< kClose: the part before which the token belongs; null for the node
  std::vector<FixIt> elsewhere = {};
  bool is_sure = true;       ///< else its correction leads the recovery, and is not told
  bool is_weak = false;      ///< without a correction that holds, the words are no help either
  std::string same_as = {};  ///< mistakes with the same key are one: the corrections of all are the first one's
};

/// A part of the text that can be skipped as a whole.
struct Unit {
  std::size_t rule;
  std::size_t begin;
  const Context* context;  ///< null where the parser is behind it
};

/// A place where the parser cannot go on, and the tokens around it.
class Situation {
 public:
  Situation(const SyntaxProblem& problem, std::string_view whole, TokenStream& tokens, Trials& trials)
      : context(problem.context),
        found(problem.found),
        previous(problem.previous),
        expected(problem.expected),
        text(whole),
        tokens_(tokens),
        trials_(trials) {}

  const Context* context;  ///< the innermost rule
  SyntaxToken* found;      ///< the token that does not fit
  SyntaxToken* previous;   ///< the one before it, or null
  std::size_t expected;    ///< the only type that would fit, or 0
  std::string_view text;

  [[nodiscard]] std::size_t rule() const { return RuleOf(context); }
  /// The nearest context of that rule, this one or around it, within the same graph; null where there is none.
  [[nodiscard]] const Context* Around(std::size_t rule) const;
  /// The graph, function or model around, with its header.
  [[nodiscard]] const Context* Item() const;
  /// The parts that a correction may make whole, the inner ones first.
  [[nodiscard]] std::vector<Unit> Units() const;

  [[nodiscard]] SyntaxToken* After(SyntaxToken* token) const { return tokens_.After(token); }
  /// The token before `token` in the smallest unit around; null where it is the first or too far away.
  [[nodiscard]] SyntaxToken* Before(const SyntaxToken* token) const;
  /// The bracket that closes `open`, in a text where brackets match; null where there is none near.
  [[nodiscard]] SyntaxToken* Closing(SyntaxToken* open) const;

  [[nodiscard]] std::string_view Slice(std::size_t begin, std::size_t end) const {
    return text.substr(begin, end - begin);
  }
  [[nodiscard]] bool IsJoined() const { return previous != nullptr && previous->range().end == found->begin; }
  [[nodiscard]] bool BeginsLine() const { return syntax::BeginsLine(previous, *found); }
  /// The text at the token, to the end of its line; of a very long line the first thousand bytes.
  [[nodiscard]] std::string_view Line() const;
  [[nodiscard]] std::size_t LineEnd(std::size_t from) const { return std::min(text.find('\n', from), text.size()); }

  /// Where the unit that begins at `begin` ends once the edits are made.
  [[nodiscard]] std::optional<std::size_t> Try(std::size_t rule, std::size_t begin, std::vector<FixIt> edits) const {
    return trials_.EndOf(rule, begin, std::move(edits));
  }
  /// Whether as many bytes may be looked at.
  [[nodiscard]] bool MayLook(std::size_t bytes) const { return trials_.ChargeSearch(bytes); }
  /// A name that the text does not have.
  [[nodiscard]] std::string FreshName(std::string_view stem) const { return trials_.FreshName(stem); }
  /// A value of the text has these digits as its name, without quotes.
  [[nodiscard]] bool IsNameOfDigits(std::string_view digits) const { return trials_.IsNameOfDigits(digits); }

 private:
  TokenStream& tokens_;
  Trials& trials_;
};

using Guesser = std::optional<Guess> (*)(const Situation&);

// The families of guesses, the surer ones first.
[[nodiscard]] std::vector<Guesser> CharacterGuesses();  // of characters that are no tokens
[[nodiscard]] std::vector<Guesser> WordGuesses();       // of words that are no tokens
[[nodiscard]] std::vector<Guesser> InputGuesses();      // of the inputs of nodes
[[nodiscard]] std::vector<Guesser> PartGuesses();       // of nodes and data
[[nodiscard]] std::vector<Guesser> ItemGuesses();       // of headers, graphs and functions
[[nodiscard]] std::vector<Guesser> BracketGuesses();    // of brackets that are missing, or too many

// ---- for guesses

/// A finding of kind foreign-syntax, in words of its own.
[[nodiscard]] Diagnostic Say(SourceRange range, std::string_view message);
/// "expected (...) around inputs, found [...]"
[[nodiscard]] Diagnostic WrongBrackets(SourceRange range, std::string_view what, std::string_view right,
                                       std::string_view wrong);

/// "(...)" for "(", and so on.
[[nodiscard]] std::string_view Pair(std::string_view open);
/// A bracket with all that is in it; nothing where it is not closed.
[[nodiscard]] std::optional<SourceRange> Bracketed(const Situation& s, SyntaxToken* open);
/// Whether the name stands among inputs not far behind the mistake.
[[nodiscard]] bool IsReadBehind(const Situation& s, std::string_view name);

[[nodiscard]] Guess MakeGuess(Diagnostic diagnostic, std::vector<FixIt> fix_its, Resume resume = Resume::kUnit);
/// The same for a finding in words of its own, and for one of wrong brackets.
[[nodiscard]] Guess Foreign(SourceRange range, std::string_view message, std::vector<FixIt> fix_its,
                            Resume resume = Resume::kUnit);
[[nodiscard]] Guess WrongBracket(SourceRange range, std::string_view what, std::string_view right,
                                 std::string_view wrong, std::vector<FixIt> fix_its);
[[nodiscard]] inline FixIt Insert(std::size_t at, std::string_view what) { return {{at, at}, std::string(what)}; }
[[nodiscard]] inline FixIt Replace(SourceRange range, std::string_view by) { return {range, std::string(by)}; }

/// The type of the token that is spelled so.
[[nodiscard]] std::size_t TypeOf(std::string_view spelling);
/// A token that stands for a number, and one that begins a type.
[[nodiscard]] bool IsNumber(std::size_t type);
[[nodiscard]] bool IsTypeToken(std::size_t type);

}  // namespace onnxc::syntax
