#include "cli/fix.h"

#include <algorithm>
#include <utility>

#include "format/diff.h"
#include "verdict/correct.h"

namespace onnxc::cli {

void AddFixOptions(CLI::App* app, FixOptions* options) {
  auto* fix = app->add_flag("--fix", options->fix, "Apply the corrections of the findings to the text files, in place");
  app->add_flag("--diff", options->diff, "With --fix: show the changes without making them")->needs(fix);
}

std::optional<std::string> WrongFix(const FixOptions& options, const std::vector<std::string>& inputs) {
  if (!options.fix || options.diff || std::ranges::find(inputs, "-") == inputs.end()) return std::nullopt;
  return "standard input cannot be corrected in place; name files, or use --diff";
}

bool Fix(const FixOptions& options, const verdict::AnalyzeOptions& analysis, SourceText* source, Report* report) {
  if (!options.fix || DetectFormat(source->text(), analysis.path, analysis.kind) != Format::kText) return true;
  const auto wanted = [report](const Diagnostics& findings, const SourceText& text) {
    return report->Wanted(findings, text);
  };
  auto [corrected, corrections] = verdict::CorrectAll(*source, verdict::JudgeFor(analysis), wanted);
  if (corrections == 0) return report->ok();
  report->CountAs(options.diff ? Outcome::kWouldChange : Outcome::kCorrected);
  if (options.diff) {
    report->Raise(kWrongInput);
    report->WriteOut(format::UnifiedDiff(source->name(), source->text(), corrected.text()));
    return false;
  }
  Write(analysis.path, corrected.text(), report);
  if (report->ok()) *source = std::move(corrected);
  return report->ok();
}

}  // namespace onnxc::cli
