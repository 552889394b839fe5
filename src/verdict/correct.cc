#include "verdict/correct.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "source/corrections.h"
#include "source/report.h"
#include "verdict/proof.h"

namespace onnxc::verdict {
namespace {

// Correcting a mistake may reveal the next one, so texts written by people need a few rounds. The limit prevents an
// endless loop if corrections undo each other.
constexpr int kMostRounds = 20;
constexpr std::size_t kMostTrials = 20;  // corrections that are tried one by one

/// Counts syntax errors. Their kinds come first in the table of kinds.
std::size_t SyntaxErrors(const Diagnostics& findings) {
  return static_cast<std::size_t>(std::ranges::count_if(findings.items(), [](const Diagnostic& item) {
    return item.severity == Severity::kError && item.kind < DiagnosticKind::kUnknownHeaderKey;
  }));
}

/// Checks texts, and proves the corrections of the wanted findings. Only a few versions of a long text are checked, so
/// that the total time stays linear. A text with many syntax errors counts as several, because searching for
/// corrections takes longer than reading the text.
class Judging {
 public:
  Judging(const Judge& judge, const Filter& wanted, std::size_t size)
      : judge_(judge), wanted_(wanted), bytes_left_(kSome + kTimes * size) {}

  [[nodiscard]] Diagnostics operator()(const SourceText& source) {
    const Judge once = [this](const SourceText& text) { return Once(text); };
    return ProveCorrections(source, wanted_(Once(source), source), once);
  }
  [[nodiscard]] bool IsUsedUp() const { return bytes_left_ == 0; }

 private:
  static constexpr std::size_t kSome = std::size_t{2} << 20;
  static constexpr std::size_t kTimes = 40;
  static constexpr std::size_t kOfError = std::size_t{1} << 10;  // how many bytes a syntax error counts

  /// The proof of the corrections of a text checks the corrected text last, which is the first text of the next round.
  Diagnostics Once(const SourceText& source) {
    if (source.text() == last_text_) return last_;
    last_ = judge_(source);
    last_text_ = source.text();
    bytes_left_ -= std::min(bytes_left_, source.text().size() + kOfError * SyntaxErrors(last_));
    return last_;
  }

  const Judge& judge_;
  const Filter& wanted_;
  std::size_t bytes_left_;
  std::optional<std::string> last_text_;
  Diagnostics last_;
};

/// Applies the corrections of one round, except those that add syntax errors. There may then be more findings of other
/// kinds, because parts that could not be parsed before are checked for the first time. `*left` receives the findings
/// in the corrected text.
CorrectedText Round(const SourceText& source, const Diagnostics& findings, Judging& judge, Diagnostics* left) {
  const auto try_out = [&](const Diagnostics& chosen) {
    CorrectedText tried = ApplyCorrections(source.text(), chosen.items());
    *left = judge(SourceText(source.name(), tried.text));
    if (SyntaxErrors(*left) > SyntaxErrors(findings)) tried = {};
    return tried;
  };
  const auto correctable = [](const Diagnostic& finding) { return !finding.fix_its.empty(); };
  if (std::ranges::none_of(findings.items(), correctable)) return {};
  CorrectedText tried = try_out(findings);
  std::size_t trials = 0;
  for (const Diagnostic& finding : findings.items()) {
    if (tried.corrections > 0 || trials == kMostTrials || judge.IsUsedUp()) break;
    if (!correctable(finding)) continue;
    tried = try_out(Only(finding));
    ++trials;
  }
  return tried;
}

}  // namespace

Corrected CorrectAll(const SourceText& source, const Judge& judge, const Filter& wanted) {
  Corrected corrected{source};
  Judging judging(judge, wanted, source.text().size());
  Diagnostics findings = judging(source);
  for (int round = 0; round < kMostRounds && !judging.IsUsedUp(); ++round) {
    Diagnostics left;
    CorrectedText next = Round(corrected.source, findings, judging, &left);
    if (next.corrections == 0 || next.text == corrected.source.text()) break;
    corrected.corrections += next.corrections;
    corrected.source = SourceText(source.name(), std::move(next.text));
    findings = std::move(left);
  }
  return corrected;
}

}  // namespace onnxc::verdict
