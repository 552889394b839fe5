// Implements `onnxc check`: checks all rules of the IR and of the operators' signatures.
#include "cli/check.h"

#include <fmt/format.h>
#include <onnxc/model_io.h>

#include <memory>
#include <utility>

#include "cli/commands.h"
#include "cli/operators.h"
#include "source/report.h"

namespace onnxc::cli {
namespace {

struct CheckCommand : AnalysisOptions {
  bool strict = false;
  bool list_rules = false;
  bool checksums = false;
};

void CheckFile(const Input& input, const CheckCommand& command, unsigned threads, OperatorFiles* files,
               Report* report) {
  SourceText source("", "");
  verdict::AnalyzeOptions analysis = AnalyzeOptionsFor(command, input, threads, report);
  const Diagnostics found = ReadInput(input.path, analysis.kind, command.common.max_bytes, &source);
  const std::optional<Operators> operators = files->For(input.path, report);
  if (!found.ok() || !operators) return report->Add(found, source);
  analysis.rules->strict = command.strict;
  analysis.rules->checksums = command.checksums;
  analysis.rules->max_bytes = command.common.max_bytes;
  analysis.rules->operators = *operators;
  (void)Fix(command.fix, analysis, &source, report);
  ReportAll(verdict::Analyze(source, analysis), source, report);
}

/// Prints the rules, one on each line: its name, severity, source and sentence.
void ShowRules(Report* report) {
  std::string table;
  for (const Rule& rule : ListRules()) {
    table += fmt::format("{:<32}{:<9}{:<15}{}\n", rule.name, UsualLevel(rule.kind), rule.source, rule.sentence);
  }
  Write("-", table, report);
}

ExitStatus Run(const CheckCommand& command) {
  if (command.list_rules) {
    Report report(command.common);
    ShowRules(&report);
    return report.Finish();
  }
  if (!command.libraries.empty() && FindKind(command.kind).value_or(Kind::kModel) != Kind::kModel) {
    return WrongCall("onnxc check", "--link is only for models");
  }
  if (const auto wrong = WrongFix(command.fix, command.inputs)) return WrongCall("onnxc check", *wrong);
  const Inputs inputs = FindInputs(command.inputs, kAllSuffixes, command.source.allow_links);
  CommonOptions common = command.common;
  if (command.strict && !common.warnings.all.is_error)
    common.warnings.all.is_error = true;  // strict includes the optional
                                          // rules
  Report report(common, inputs.files.size());
  const unsigned threads = ThreadsForEach(inputs, command.threads);
  OperatorFiles files(command.operators, command.common.max_bytes);
  ForEachInput(inputs, command.threads, &report,
               [&](const Input& input, Report* its_report) { CheckFile(input, command, threads, &files, its_report); });
  if (command.fix.fix && !inputs.are_many) report.Summarize();
  return report.Finish();
}

Action AddCheckOptions(CLI::App* app) {
  const auto command = std::make_shared<CheckCommand>();
  AddCommonOptions(app, &command->common);
  AddInputs(app, "IN", &command->inputs, "The files to check");
  AddKindOption(app, &command->kind);
  AddThreadsOption(app, &command->threads);
  app->add_flag("--strict", command->strict, "Treat warnings as errors");
  AddFixOptions(app, &command->fix);
  AddLinkOption(app, &command->libraries);
  AddOperatorsOption(app, &command->operators);
  AddLinksOption(app, &command->source.allow_links);
  AddInferOption(app, &command->no_infer);
  AddWeightsOption(app, &command->weights);
  app->add_flag("--checksums", command->checksums,
                "Compare the checksums of external data with the SHA-1 of the files that contain the data");
  app->add_flag("--list-rules", command->list_rules, "List the rules and their sources, without checking anything");
  return [command] { return Run(*command); };
}

}  // namespace

void AddWeightsOption(CLI::App* app, std::string* weights) {
  app->add_option("--weights", *weights, "Supply elided weights from this file: see 'onnxc help weights'")
      ->type_name("FILE");
}

void AddLinkOption(CLI::App* app, std::vector<std::string>* libraries) {
  app->add_option("--link", *libraries, "Add the functions of this file that the model calls")
      ->type_name("FILE")
      ->take_all()
      ->allow_extra_args(false);
}

verdict::AnalyzeOptions AnalyzeOptionsFor(const AnalysisOptions& options, const Input& input, unsigned threads,
                                          Report* report) {
  ExternalDataOptions data = DataOptionsFor(options.common, input.path, options.source);
  data.threads = threads;
  return {.path = input.path,
          .kind = FindKind(options.kind).value_or(Kind::kModel),
          .parse = {.tell_functions_apart = options.kind.empty(),
                    .threads = threads,
                    .progress = report->Start(input.path)},
          .libraries = options.libraries,
          .settings = report->SettingsFor(input.path),
          .weights = options.weights,
          .data = std::move(data),
          .rules = CheckOptions{.allow_links = options.source.allow_links, .infer = !options.no_infer},
          .lifetime = input.lifetime,
          .weight_files_out = report->weight_files()};
}

verdict::AnalyzeOptions ReadOptionsFor(const CommonOptions& options, const std::string& path, Report* report) {
  return {.path = path,
          .parse = {.max_bytes = options.max_bytes, .tell_functions_apart = true, .progress = report->Start(path)},
          .rules = std::nullopt,
          .proof = verdict::Proof::kNever};
}

void ReportAll(const verdict::Analysis& analysis, const SourceText& source, Report* report) {
  for (const SourceFindings& findings : analysis.in_libraries) report->Add(findings.diagnostics, findings.source);
  report->Add(analysis.found, source);
}

void AddInferOption(CLI::App* app, bool* no_infer) {
  app->add_flag("--no-infer", *no_infer,
                "Do not infer types and shapes, and do not report contradictions between them");
}

const Command kCheck = {
    .name = "check",
    .summary = "Check a model against the rules of the IR and of its operators",
    .details =
        R"(Each finding names the broken rule and its place: a position in the text, or a path in the model. An error is
anything that the checker of the onnx package rejects or the ONNX specification forbids. A warning is anything
suspicious. If no rule finds an error, types and shapes are inferred; contradictions between them are errors, too. Parts
of a model (--kind) are checked against the newest versions of the IR and the operators.

Some rules, such as domain-name, are off by default; -W KIND=warning turns a rule on. There are three ways to set the level of a
warning: the option -W; a settings file .onnxc.toml in the input's folder or a parent folder, with lines such as
unused-initializer = "off" in its table [warnings]; and, for one place in a text, a comment such as
# onnxc-allow: unused-initializer. The table [link] of the settings file lists libraries. 'onnxc check' and
'onnxc compile' link the functions of these libraries, as with --link. The table [operators] lists files that declare
operators; they are used as with --operators.

Examples:
  onnxc check model.onnx
  onnxc check --strict *.onnxtxt
  onnxc check models/                              all *.onnx and *.onnxtxt in the folder
  onnxc check --fix model.onnxtxt                  applies the corrections; --fix --diff only shows them
  onnxc check -W unused-initializer=off -W all=error model.onnxtxt
  onnxc check --error-format sarif model.onnxtxt 2> findings.sarif
  onnxc check --link lib.onnxtxt model.onnxtxt      as 'onnxc compile --link' would
  onnxc check --operators ops.onnxtxt model.onnx    knows the operators that ops.onnxtxt declares
  onnxc check --weights trained.onnx m.onnxtxt      the text has no weights; take them from a model
  onnxc check --list-rules
)",
    .add_options = &AddCheckOptions,
};

}  // namespace onnxc::cli
