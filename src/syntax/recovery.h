// Parsing continues after an error, so that one run reports all errors.
#pragma once

#include <onnxc/diagnostic.h>

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "source/names.h"
#include "syntax/brackets.h"
#include "syntax/guess.h"
#include "syntax/parser_base.h"
#include "syntax/repair.h"
#include "syntax/tree.h"

namespace onnxc::syntax {

/// A token of this type may be the first one of a node.
[[nodiscard]] bool BeginsNode(std::size_t type);

/// Tells nodes by their first tokens. What was found of a run of names, or of brackets, is kept: to ask at each line of
/// a text takes time linear in the text.
class NodeStarts {
 public:
  /// `token` begins what looks like a node. Asked with tokens further and further on.
  [[nodiscard]] bool IsOneAt(TokenStream& tokens, SyntaxToken* token);

 private:
  [[nodiscard]] bool IsBehindNames(TokenStream& tokens, SyntaxToken* token);
  void FindGraphs(TokenStream& tokens, SyntaxToken* token);

  // The last run of names and commas that was looked at, in bytes, and what was found behind it.
  std::size_t names_begin_ = 1;
  std::size_t names_end_ = 0;
  bool is_behind_names_ = false;
  std::optional<std::vector<std::size_t>> graphs_;  // where the brackets begin that `=>` comes after
};

/// Reports each error once. If a single missing or wrong token is the cause, the right token takes its place and
/// nothing is lost; otherwise the rest of the entry, attribute, value, node or function is skipped.
class Recovery final : public ErrorStrategy {
 public:
  Recovery(std::string_view text, Diagnostics* diagnostics);

  /// Hands the findings over.
  void Finish();

  bool Report(ParserBase& parser, Context* context, std::size_t expected) override;
  void ReportDepth(ParserBase& parser) override;
  void Sync(ParserBase& parser, Context* context) override;
  bool Recover(ParserBase& parser, Context* context) override;
  [[nodiscard]] bool IsSettled(const TokenStream& tokens) const override;

 private:
  const OpenBrackets& BracketsAt(TokenStream& tokens, const Context* context);
  bool SkipTo(TokenStream& tokens, const Context* context, std::initializer_list<std::size_t> stops);
  bool SkipToNode(TokenStream& tokens, const Context* context);
  enum class Outcome {
    kUnknown,   // nothing was found out, nothing was said
    kSkipped,   // what is wrong was skipped: look at the current token again
    kRepaired,  // the token that was missing is there now
    kGivenUp,   // the part around is to be given up
  };

  enum class Asked { kBefore, kAt };  // before a part that may be left out, or at a token that must be another one

  Outcome Guess(ParserBase& parser, Context* context, std::size_t expected, Asked asked);
  std::optional<Outcome> Accept(ParserBase& parser, const Situation& situation, const syntax::Guess& guess);
  std::optional<Outcome> AcceptUnit(ParserBase& parser, const Situation& situation, const syntax::Guess& guess,
                                    bool may_go_back = false);
  static bool IsDoubtful(const syntax::Guess& guess, RepairSearch& search);
  std::optional<syntax::Repair> FindRepair(ParserBase& parser, Context* context, std::size_t expected,
                                           RepairSearch& search, bool has_guess, bool is_known);
  Outcome Repair(ParserBase& parser, const Situation& situation, const syntax::Repair& repair, Asked asked);
  std::optional<Outcome> RepairHere(ParserBase& parser, const Situation& situation, const syntax::Repair& repair,
                                    Asked asked);
  Outcome Close(ParserBase& parser, const Situation& situation, const syntax::Guess& guess);
  // What the grammar expects at a token.
  struct Said {
    const Context* context = nullptr;
    std::size_t begin = 0;
    std::size_t expected = 0;
    Diagnostic diagnostic = {};
    bool is_sure = false;  // its correction makes a part whole
  };

  const Said& Unexpected(ParserBase& parser, Context* context, std::size_t expected);
  bool ReportUnexpected(ParserBase& parser, Context* context, std::size_t expected);
  void Keep(syntax::Guess guess, const SyntaxToken* blamed);
  [[nodiscard]] bool IsEcho(const Diagnostic& diagnostic) const;
  static bool NeedsGuess(const Context* context, TokenStream& tokens);
  void GiveUp(ParserBase& parser, Context* context);
  void SyncList(ParserBase& parser, Context* context, std::size_t closing);

  // A part that a correction makes whole, and where it ends.
  struct Mended {
    const Context* context = nullptr;
    std::size_t end = 0;
  };

  // Mistakes that are one finding.
  struct Same {
    std::size_t index;                  // in reported_
    std::set<std::size_t> places = {};  // where the corrections begin
  };

  static constexpr int kMaxReports = 1000;  // more than anybody reads; each may cost an exception

  std::string_view text_;
  Diagnostics* diagnostics_;
  Trials trials_;
  std::vector<Guesser> guessers_;        // asked before the rows of tables/mistakes.def
  std::vector<Guesser> later_guessers_;  // asked behind them
  std::vector<Diagnostic> reported_;
  OwnedNameMap<Same> same_;  // by Guess::same_as
  Mended mended_;
  static constexpr std::size_t kItsEnd = std::string_view::npos;  // of Mended::end: where the brackets say
  std::size_t quote_ = std::string_view::npos;                    // where the last quote was mended: not again
  Said said_;
  const Context* closed_ = nullptr;  // a node that is none: the body around it ends before it
  OpenBrackets brackets_;
  SyntaxToken* node_ = nullptr;  // the last token in the body of an item at which a node may begin
  syntax::NodesBefore nodes_before_ = {};
  NodeStarts nodes_;
  int reports_ = 0;
  std::optional<DiagnosticKind> last_;   // what the last call of Report() added
  const SyntaxToken* blamed_ = nullptr;  // the token of the last report: a second report about it would repeat it
  const SyntaxToken* found_ = nullptr;   // the token at which an error is being looked at
  std::size_t doubted_ = std::string_view::npos;  // where the last error without a correction was found
  bool has_ended_ = false;                        // an error was found at the end of the text
};

}  // namespace onnxc::syntax
