#include "cli/fix.h"

#include <algorithm>
#include <utility>

#include "format/diff.h"
#include "source/corrections.h"
#include "source/report.h"

namespace onnxc::cli {
namespace {

// A correction may uncover the next mistake. Texts of people need a few rounds; the limit is for corrections that would
// undo each other.
constexpr int kMostRounds = 20;
constexpr std::size_t kMostTrials = 20;  // of one correction alone

/// The table of kinds begins with those of the syntax.
std::size_t SyntaxErrors(const Diagnostics& findings) {
  return static_cast<std::size_t>(std::ranges::count_if(findings.items(), [](const Diagnostic& item) {
    return item.severity == Severity::kError && item.kind < DiagnosticKind::kUnknownHeaderKey;
  }));
}

/// Applies the corrections of one round, but not those that make the syntax worse. Other findings may well be more than
/// before: what could not be read until now is checked for the first time.
CorrectedText Round(const SourceText& source, const Diagnostics& findings, const Judge& judge, Diagnostics* left) {
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
    if (tried.corrections > 0 || trials == kMostTrials) break;
    if (!correctable(finding)) continue;
    tried = try_out(Only(finding));
    ++trials;
  }
  return tried;
}

}  // namespace

void AddFixOptions(CLI::App* app, FixOptions* options) {
  auto* fix = app->add_flag("--fix", options->fix, "Apply the corrections that findings offer to the texts, in place");
  app->add_flag("--diff", options->diff, "With --fix: show what it would change, and change nothing")->needs(fix);
}

std::optional<std::string> WrongFix(const FixOptions& options, const std::vector<std::string>& inputs) {
  if (!options.fix || options.diff || std::ranges::find(inputs, "-") == inputs.end()) return std::nullopt;
  return "standard input cannot be corrected in place; name files, or say --diff";
}

bool Fix(const std::string& path, const FixOptions& options, const Judge& judge, SourceText* source, Report* report) {
  SourceText corrected = *source;
  std::size_t corrections = 0;
  Diagnostics findings = judge(corrected);
  for (int round = 0; round < kMostRounds; ++round) {
    Diagnostics left;
    CorrectedText next = Round(corrected, report->Wanted(findings, corrected), judge, &left);
    if (next.corrections == 0 || next.text == corrected.text()) break;
    corrections += next.corrections;
    corrected = SourceText(source->name(), std::move(next.text));
    findings = std::move(left);
  }
  if (corrections == 0) return false;
  report->CountAs(options.diff ? Outcome::kWouldChange : Outcome::kCorrected);
  if (options.diff) {
    report->Raise(kWrongInput);
    report->WriteOut(format::UnifiedDiff(source->name(), source->text(), corrected.text()));
    return true;
  }
  Write(path, corrected.text(), report);
  if (report->ok()) *source = std::move(corrected);
  return true;
}

}  // namespace onnxc::cli
