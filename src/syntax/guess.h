// Guesses what the author of a text with an error meant. Each guess is about one kind of mistake and has a correction.
// The error recovery accepts a guess only if a trial parse (syntax/trial.h) of the corrected text succeeds.
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

/// Where or how parsing continues after a mistake.
enum class Resume {
  kUnit,    ///< after the smallest part that the correction makes valid: a node, attribute, value or header entry
  kBehind,  ///< at `at`, within the same rule
  kToken,   ///< as if the text up to `at` were a token of type `token`
  kTokens,  ///< as if the tokens in `retyped` had the types given there, and those in `inserted` were in the text
  kItem,    ///< after the graph or function, whose rest is not read
  kItemAt,  ///< at `at`, with the next graph or function; the text before it is not a graph or function
  kClose,   ///< as if the missing `}` of a body were before the current node, followed by a token of type `token`
            ///< unless that is 0
};

/// A guess. If the same correction is needed at other places of the text, those edits are in `elsewhere`. A trial does
/// not make these edits.
struct Guess {
  Diagnostic diagnostic;
  Resume resume = Resume::kUnit;
  std::size_t at = 0;
  std::size_t token = 0;
  std::vector<std::pair<SyntaxToken*, std::size_t>> retyped = {};
  std::vector<std::pair<SyntaxToken*, std::size_t>> inserted =
      {};                           ///< a token of the text, and the type of the token to insert after it
  const Context* closed = nullptr;  ///< for kClose: the part before which the `}` is inserted; null means the current
                                    ///< node
  std::vector<FixIt> elsewhere = {};
  bool is_sure = true;       ///< if false, the correction is only used to continue, and not shown
  bool is_weak = false;      ///< the message is not useful without a valid correction
  std::string same_as = {};  ///< mistakes with the same key become one finding with all their corrections
};

/// The key of `same_as` for all names that need quotes.
inline constexpr std::string_view kNamesWithoutQuotes = "names without quotes";

/// A part of the text that can be skipped as a whole.
struct Unit {
  std::size_t rule;
  std::size_t begin;
  const Context* context;  ///< null if the parser has already read the part
};

/// A place where the parser cannot continue, and the tokens around it.
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
  SyntaxToken* found;      ///< the token that is not allowed
  SyntaxToken* previous;   ///< the token before `found`, or null
  std::size_t expected;    ///< the only type that is allowed, or 0
  std::string_view text;

  [[nodiscard]] std::size_t rule() const { return RuleOf(context); }
  /// Looks for a parse tree context of this rule, from `context` outward, but not beyond the current graph. Returns the
  /// first one that it finds, or null.
  [[nodiscard]] const Context* Around(std::size_t rule) const;
  /// Returns the enclosing graph, function or model, including its header.
  [[nodiscard]] const Context* Item() const;
  /// Returns the parts that a correction may make valid, the innermost first.
  [[nodiscard]] std::vector<Unit> Units() const;

  /// Returns where the value around the mistake ends. Returns the end of the line if the mistake is not in the inputs,
  /// outputs or initializers of a graph or function. Reads at most 2000 bytes after the mistake.
  [[nodiscard]] std::size_t EndOfValue() const;

  [[nodiscard]] SyntaxToken* After(SyntaxToken* token) const { return tokens_.After(token); }
  /// Returns the token before `token` in the smallest enclosing unit; null if `token` is the first one or too far away.
  [[nodiscard]] SyntaxToken* Before(const SyntaxToken* token) const;
  /// Returns the bracket that closes `open`. Returns null if there is none nearby, or if the brackets in between do not
  /// match.
  [[nodiscard]] SyntaxToken* Closing(SyntaxToken* open) const;

  [[nodiscard]] std::string_view Slice(std::size_t begin, std::size_t end) const {
    return text.substr(begin, end - begin);
  }
  [[nodiscard]] bool IsJoined() const { return previous != nullptr && previous->range().end == found->begin; }
  [[nodiscard]] bool BeginsLine() const { return syntax::BeginsLine(previous, *found); }
  /// Returns the text from the token to the end of its line, but at most a thousand bytes.
  [[nodiscard]] std::string_view Line() const;
  /// Returns the end of the line, or `from + most` if the line is longer.
  [[nodiscard]] std::size_t LineEnd(std::size_t from, std::size_t most = std::string_view::npos) const {
    const std::size_t end = from + std::min(most, text.size() - from);
    return std::min(text.substr(0, end).find('\n', from), end);
  }

  /// Parses `rule` at `begin` with the edits applied. Returns where it ends; see Trials::EndOf().
  [[nodiscard]] std::optional<std::size_t> Try(std::size_t rule, std::size_t begin, std::vector<FixIt> edits) const {
    return trials_.EndOf(rule, begin, std::move(edits));
  }
  /// Charges this many bytes to the budget of the search. Returns false if the budget is used up.
  [[nodiscard]] bool MayLook(Trials::Search search, std::size_t bytes) const { return trials_.Charge(search, bytes); }
  /// Returns a name that the text does not contain.
  [[nodiscard]] std::string FreshName(std::string_view stem) const { return trials_.FreshName(stem); }
  /// Returns whether some value of the text has these digits as its name, without quotes.
  [[nodiscard]] bool IsNameOfDigits(std::string_view digits) const { return trials_.IsNameOfDigits(digits); }

 private:
  TokenStream& tokens_;
  Trials& trials_;
};

using Guesser = std::optional<Guess> (*)(const Situation&);

// The groups of guesses, the most reliable first.
[[nodiscard]] std::vector<Guesser> CharacterGuesses();   // about characters that are not tokens
[[nodiscard]] std::vector<Guesser> ExpressionGuesses();  // about expressions in place of names
[[nodiscard]] std::vector<Guesser> WordGuesses();        // about words that are not tokens
[[nodiscard]] std::vector<Guesser> InputGuesses();       // about the inputs of nodes
[[nodiscard]] std::vector<Guesser> PartGuesses();        // about nodes and data
[[nodiscard]] std::vector<Guesser> ItemGuesses();        // about headers, graphs and functions
[[nodiscard]] std::vector<Guesser> BracketGuesses();     // about missing and superfluous brackets

// ---- for guesses

/// Returns a finding of kind foreign-syntax with this message.
[[nodiscard]] Diagnostic Say(SourceRange range, std::string_view message);
/// Returns a finding such as "expected (...) around inputs, found [...]".
[[nodiscard]] Diagnostic WrongBrackets(SourceRange range, std::string_view what, std::string_view right,
                                       std::string_view wrong);

/// Returns "(...)" for "(", and the same for other brackets.
[[nodiscard]] std::string_view Pair(std::string_view open);
/// Returns the range from the bracket to its closing bracket, or nothing if it is not closed.
[[nodiscard]] std::optional<SourceRange> Bracketed(const Situation& s, SyntaxToken* open);
/// Returns whether the name is an input of a node shortly after the mistake.
[[nodiscard]] bool IsReadBehind(const Situation& s, std::string_view name);

[[nodiscard]] Guess MakeGuess(Diagnostic diagnostic, std::vector<FixIt> fix_its, Resume resume = Resume::kUnit);
/// Like MakeGuess(), with the findings of Say() and WrongBrackets().
[[nodiscard]] Guess Foreign(SourceRange range, std::string_view message, std::vector<FixIt> fix_its,
                            Resume resume = Resume::kUnit);
[[nodiscard]] Guess WrongBracket(SourceRange range, std::string_view what, std::string_view right,
                                 std::string_view wrong, std::vector<FixIt> fix_its);
[[nodiscard]] inline FixIt Insert(std::size_t at, std::string_view what) { return {{at, at}, std::string(what)}; }
[[nodiscard]] inline FixIt Replace(SourceRange range, std::string_view by) { return {range, std::string(by)}; }

/// Returns the result of `left sign right`. It is an integer if both numbers are integers and the result is exact.
[[nodiscard]] std::optional<std::string> ResultOf(std::string_view left, char sign, std::string_view right);
/// Returns whether the current token is among the inputs of a node, or is the bracket that closes them.
[[nodiscard]] bool IsAmongInputs(const Situation& s);
/// Returns whether the current token is the sign of an operation, as in `Add (x, a * b)` and `float[N - 1]`.
[[nodiscard]] bool IsSignOfExpression(const Situation& s);

/// Returns the type of the token with this spelling.
[[nodiscard]] std::size_t TypeOf(std::string_view spelling);
/// Return whether the token type is a number, or begins a type.
[[nodiscard]] bool IsNumber(std::size_t type);
[[nodiscard]] bool IsTypeToken(std::size_t type);

}  // namespace onnxc::syntax
