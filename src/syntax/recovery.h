// Error recovery: parsing continues after an error, so that one run reports all errors.
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

/// Returns whether a token of this type may be the first one of a node.
[[nodiscard]] bool BeginsNode(std::size_t type);

/// Recognizes nodes by their first tokens. Results for sequences of names and for brackets are stored, so that the
/// total time for all lines of a text is linear.
class NodeStarts {
 public:
  /// Returns whether a node may begin at `token`. The total time is linear only if most calls have a later token than
  /// the call before.
  [[nodiscard]] bool IsOneAt(TokenStream& tokens, SyntaxToken* token);

 private:
  [[nodiscard]] bool IsBehindNames(TokenStream& tokens, SyntaxToken* token);
  void FindGraphs(TokenStream& tokens, SyntaxToken* token);

  // The range of the last sequence of names and commas, and whether `= Op (` follows it.
  std::size_t names_begin_ = 1;
  std::size_t names_end_ = 0;
  bool is_behind_names_ = false;
  std::optional<std::vector<std::size_t>> graphs_;  // where the brackets begin that are followed by `=>` and so belong
                                                    // to graphs
  std::size_t graphs_from_ = 0;                     // graphs before this place are unknown
};

/// Reports each error once. If a single missing or wrong token is the cause, the right token takes its place and
/// nothing is lost; otherwise the rest of the entry, attribute, value, node or function is skipped.
class Recovery final : public ErrorStrategy {
 public:
  /// If `budgets` is null, a correction that leaves other errors in its part is combined with their corrections. These
  /// are found by other recoveries, which share `budgets`.
  Recovery(std::string_view text, Diagnostics* diagnostics, TrialBudgets* budgets = nullptr);
  Recovery(const Recovery&) = delete;
  Recovery& operator=(const Recovery&) = delete;

  /// Adds all findings to the diagnostics.
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
    kUnknown,   // nothing was found or reported
    kSkipped,   // the wrong text was skipped: check the current token again
    kRepaired,  // the missing token was inserted
    kGivenUp,   // parsing of the enclosing part must end
  };

  enum class Asked { kBefore, kAt };  // before an optional part, or at a wrong token

  Outcome Guess(ParserBase& parser, Context* context, std::size_t expected, Asked asked);
  bool GuessBefore(ParserBase& parser, Context* context);
  std::optional<Outcome> RepairQuote(ParserBase& parser, const Situation& situation, RepairSearch& search, Asked asked);
  Outcome ReportDoubtful(ParserBase& parser, const Situation& situation, Context* context,
                         std::vector<syntax::Guess> doubtful, std::optional<syntax::Guess> unsure);
  std::optional<Outcome> Accept(ParserBase& parser, const Situation& situation, const syntax::Guess& guess);
  std::optional<Outcome> AcceptUnit(ParserBase& parser, const Situation& situation, const syntax::Guess& guess,
                                    bool may_go_back = false);
  std::optional<syntax::Guess> WithOthers(const Situation& situation, const Unit& unit, const syntax::Guess& guess);
  std::vector<FixIt> WithStrings(const Situation& situation, const Unit& unit, const std::vector<FixIt>& edits);
  static bool IsDoubtful(const syntax::Guess& guess, RepairSearch& search);
  std::optional<syntax::Repair> FindRepair(ParserBase& parser, Context* context, std::size_t expected,
                                           RepairSearch& search, bool has_guess, bool is_known);
  Outcome Repair(ParserBase& parser, const Situation& situation, const syntax::Repair& repair, Asked asked);
  std::optional<Outcome> RepairHere(ParserBase& parser, const Situation& situation, const syntax::Repair& repair,
                                    Asked asked);
  Outcome Close(ParserBase& parser, const Situation& situation, const syntax::Guess& guess);
  SyntaxToken* NextNode(TokenStream& tokens, const Context* node);
  SyntaxToken* NextPart(TokenStream& tokens) const;
  bool EndUnfinished(ParserBase& parser, const Context* context, Diagnostic diagnostic,
                     const syntax::Repair* repair = nullptr);
  void ReportUnfinished(const SyntaxToken& last, Diagnostic diagnostic);
  // What the grammar expects at a token.
  struct Said {
    const Context* context = nullptr;
    std::size_t begin = 0;
    std::size_t expected = 0;
    Diagnostic diagnostic = {};
    bool is_sure = false;  // its correction is reliable
  };

  const Said& Unexpected(ParserBase& parser, Context* context, std::size_t expected);
  bool ReportUnexpected(ParserBase& parser, Context* context, std::size_t expected);
  void Keep(syntax::Guess guess, const SyntaxToken* blamed);
  [[nodiscard]] bool IsEcho(const Diagnostic& diagnostic) const;
  static bool NeedsGuess(const Context* context, TokenStream& tokens);
  void GiveUp(ParserBase& parser, Context* context);
  void SyncList(ParserBase& parser, Context* context, std::size_t closing);

  // A part that a correction makes valid, and where it ends.
  struct Mended {
    const Context* context = nullptr;
    std::size_t end = 0;
  };

  // Mistakes that are reported in one finding.
  struct Same {
    std::size_t index;                  // the index in reported_
    std::set<std::size_t> places = {};  // where its corrections begin
  };

  // How often trials and searches may read the text, and how often those of nested recoveries may. The latter do not
  // use up the budgets of the former.
  static constexpr std::size_t kTimes = 16;
  static constexpr std::size_t kNestedTimes = 1;
  static constexpr int kMaxReports = 1000;  // nobody reads more, and each may throw an exception

  std::string_view text_;
  Diagnostics* diagnostics_;
  bool may_nest_;
  TrialBudgets budgets_;         // unless this recovery is nested
  TrialBudgets nested_budgets_;  // of all nested recoveries
  Trials trials_;
  std::vector<Guesser> guessers_;        // called before the search in tables/mistakes.def
  std::vector<Guesser> later_guessers_;  // called after that search
  std::vector<Diagnostic> reported_;
  OwnedNameMap<Same> same_;  // the key is Guess::same_as
  Mended mended_;
  static constexpr std::size_t kItsEnd =
      std::string_view::npos;                   // for Mended::end: the end is where the brackets match
  std::size_t quote_ = std::string_view::npos;  // where the last quote was repaired; it is not repaired again
  Said said_;
  const Context* closed_ = nullptr;  // this part is not a node after all: the body that contains it ends before it
  OpenBrackets brackets_;
  SyntaxToken* node_ = nullptr;  // the last token of an item's body where a node may begin
  syntax::NodesBefore nodes_before_ = {};
  NodeStarts nodes_;
  int reports_ = 0;
  std::optional<DiagnosticKind> last_;            // the kind of the last finding
  const SyntaxToken* blamed_ = nullptr;           // the last reported token; it is not reported again
  const SyntaxToken* found_ = nullptr;            // the token at which an error is currently examined
  std::size_t doubted_ = std::string_view::npos;  // where the last error without a correction was found
  bool has_ended_ = false;                        // an error was found at the end of the text
};

}  // namespace onnxc::syntax
