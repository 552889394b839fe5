// Implements `onnxc fmt`: formats texts.
#include <fmt/format.h>
#include <onnxc/formatter.h>
#include <onnxc/model_io.h>

#include <algorithm>
#include <memory>

#include "cli/commands.h"
#include "cli/formats.h"
#include "cli/inputs.h"
#include "cli/report.h"
#include "cli/side_file.h"
#include "format/diff.h"
#include "source/report.h"
#include "source/unicode.h"

namespace onnxc::cli {
namespace {

constexpr std::string_view kFmtProgram = "onnxc fmt";

struct FmtOptions {
  CommonOptions common;
  std::vector<std::string> inputs = {"-"};
  std::string kind;
  std::size_t width = FormatOptions().width;
  bool write = false;
  bool check = false;
  bool diff = false;
  unsigned threads = 0;
  bool allow_links = false;
};

FormatResult FormatAnew(const SourceText& source, const std::string& path, const FmtOptions& options,
                        std::atomic<std::size_t>* progress) {
  const Kind kind = FindKind(options.kind).value_or(Kind::kModel);
  if (DetectFormat(source.text(), path, kind) == Format::kText) {
    return FormatText(
        source.text(),
        {.kind = kind, .width = options.width, .tell_functions_apart = options.kind.empty(), .progress = progress});
  }
  FormatResult result;
  result.diagnostics.Add(
      MakeDiagnostic(diag::kNotTheKind, kNowhere, "ONNX text; 'onnxc print' converts a model to text"));
  return result;
}

/// Formats or checks one file, as the options require.
void FormatFile(const std::string& path, const FmtOptions& options, Report* report) {
  SourceText source("", "");
  FormatResult result;
  std::atomic<std::size_t>* progress = report->Start(path);
  result.diagnostics =
      ReadInput(path, FindKind(options.kind).value_or(Kind::kModel), options.common.max_bytes, &source);
  if (result.diagnostics.ok()) result = FormatAnew(source, path, options, progress);
  report->Add(result.diagnostics, source);
  if (!result.diagnostics.ok()) return;
  const bool changes = result.text != source.text();
  if (changes && options.write) report->CountAs(Outcome::kChanged);
  if (changes && (options.check || options.diff)) {
    report->CountAs(Outcome::kWouldChange);
    report->Raise(kWrongInput);
  }
  if (options.write) {
    if (changes) Write(path, result.text, report);
  } else if (options.check) {
    if (changes) Write("-", Shown(source.name()) + "\n", report);
  } else if (options.diff) {
    Write("-", format::UnifiedDiff(Shown(source.name()), source.text(), result.text), report);
  } else {
    Write("-", result.text, report);
  }
}

ExitStatus Run(const FmtOptions& options) {
  if (options.write && std::ranges::find(options.inputs, "-") != options.inputs.end()) {
    return WrongCall(kFmtProgram, "standard input cannot be rewritten; name files, or leave out -w");
  }
  const Inputs inputs = FindInputs(options.inputs, kTextSuffixes, options.allow_links);
  Report report(options.common, inputs.files.size());
  ForEachInput(inputs, options.threads, &report,
               [&](const Input& input, Report* its_report) { FormatFile(input.path, options, its_report); });
  return report.Finish();
}

Action AddFmtOptions(CLI::App* app) {
  const auto options = std::make_shared<FmtOptions>();
  AddCommonOptions(app, &options->common);
  AddInputs(app, "FILE", &options->inputs, "The files to format");
  AddKindOption(app, &options->kind);
  AddThreadsOption(app, &options->threads);
  AddLinksOption(app, &options->allow_links);
  app->add_option("--width", options->width, "The last column that lists may reach (default: 100)")
      ->type_name("COLUMNS")
      ->check(CountBetween(1, 100'000));
  auto* write = app->add_flag("-w,--write", options->write, "Rewrite the files that formatting changes");
  auto* check = app->add_flag("--check", options->check, "List the files that formatting would change");
  app->add_flag("--diff", options->diff, "Show the changes that formatting would make")
      ->excludes(write)
      ->excludes(check);
  check->excludes(write);
  return [options] { return Run(*options); };
}

}  // namespace

const Command kFmt = {
    .name = "fmt",
    .summary = "Format text files, and keep their comments",
    .details =
        R"(The layout is the same as that of 'onnxc print'. Numbers and names keep their spelling, and so do strings if editors show and
keep what they contain. Comments keep their place, and the compiled model does not change by a byte. A file with errors is
left unchanged. If none of -w, --check and --diff is given, the result goes to standard output. With --check or --diff, the
exit status is 1 if a file would change.

Examples:
  onnxc fmt model.onnxtxt                  shows the formatted text
  onnxc fmt -w *.onnxtxt                   rewrites the files
  onnxc fmt --check $(git ls-files '*.onnxtxt')
  onnxc fmt -w models/                     all *.onnxtxt in the folder
  onnxc fmt --diff *.onnxtxt | patch -p0
  onnxc fmt --kind node < node.onnxtxt
)",
    .add_options = &AddFmtOptions,
};

}  // namespace onnxc::cli
