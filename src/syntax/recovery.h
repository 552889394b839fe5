// Going on after an error, so that one run reports all of them.
#pragma once

#include <onnxc/diagnostic.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "source/names.h"
#include "syntax/guess.h"
#include "syntax/parser_base.h"
#include "syntax/tree.h"

namespace onnxc {

/// Reports each error once. Where a single missing or wrong token explains it, that token is put in place and nothing
/// is lost; otherwise the rest of the entry, attribute, value, node or function is skipped.
class Recovery final : public ErrorStrategy {
 public:
  Recovery(std::string_view text, Diagnostics* diagnostics);

  /// Hands the findings over.
  void Finish();

  bool Report(ParserBase& parser, Context* context, std::size_t expected) override;
  void ReportDepth(ParserBase& parser) override;
  void Sync(ParserBase& parser, Context* context) override;
  bool Recover(ParserBase& parser, Context* context) override;

 private:
  enum class Outcome {
    kUnknown,   // nothing was found out, nothing was said
    kSkipped,   // what is wrong was skipped: look at the current token again
    kRepaired,  // the token that was missing is there now
    kGivenUp,   // the part around is to be given up
  };

  Outcome Guess(ParserBase& parser, Context* context, std::size_t expected);
  std::optional<Outcome> Accept(ParserBase& parser, const Situation& situation, const onnxc::Guess& guess);
  Outcome Close(ParserBase& parser, const Situation& situation, const onnxc::Guess& guess);
  bool ReportUnexpected(ParserBase& parser, Context* context, std::size_t expected);
  void Keep(onnxc::Guess guess, const SyntaxToken* blamed);
  static bool NeedsGuess(const Context* context, const TokenStream& tokens);
  void GiveUp(ParserBase& parser, Context* context);
  void SyncList(ParserBase& parser, Context* context, std::size_t closing);

  // A part that a correction makes whole, and where it ends.
  struct Mended {
    const Context* context = nullptr;
    std::size_t end = 0;
  };

  // Each report takes time linear in the text before it; this many keep the whole linear.
  static constexpr int kMaxReports = 1000;

  std::string_view text_;
  Diagnostics* diagnostics_;
  Trials trials_;
  std::vector<Guesser> guessers_;
  std::vector<Diagnostic> reported_;
  OwnedNameMap<std::size_t> same_;  // in reported_, by Guess::same_as
  Mended mended_;
  const Context* closed_ = nullptr;  // a node that is none: the body around it ends before it
  int reports_ = 0;
  std::optional<DiagnosticKind> last_;   // what the last call of Report() added
  const SyntaxToken* blamed_ = nullptr;  // the token of the last report: a second one about it would be an echo
};

}  // namespace onnxc
