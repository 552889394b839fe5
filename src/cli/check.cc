// Implements `onnxc check`: checks all rules of the IR and of the operators' signatures.
#include "cli/check.h"

#include <fmt/format.h>
#include <onnxc/model_io.h>

#include <memory>
#include <utility>

#include "cli/commands.h"
#include "cli/fix.h"
#include "cli/formats.h"
#include "cli/inputs.h"
#include "cli/link.h"
#include "cli/operators.h"
#include "cli/report.h"
#include "cli/side_file.h"
#include "source/report.h"
#include "verdict/at_tensors.h"
#include "verdict/judge.h"
#include "verdict/proof.h"

namespace onnxc::cli {
namespace {

struct CheckCommand {
  CommonOptions common;
  std::vector<std::string> inputs = {"-"};
  std::string kind;
  bool strict = false;
  bool list_rules = false;
  bool allow_links = false;
  bool no_infer = false;
  bool checksums = false;
  unsigned threads = 0;
  std::string weights;
  std::vector<std::string> libraries;
  std::vector<std::string> operators;
  FixOptions fix;
};

void CheckFile(const Input& input, const CheckCommand& command, unsigned threads, OperatorFiles* files,
               Report* report) {
  const std::string& path = input.path;
  SourceText source("", "");
  std::atomic<std::size_t>* progress = report->Start(path);
  const Kind kind = FindKind(command.kind).value_or(Kind::kModel);
  Diagnostics found = ReadInput(path, kind, command.common.max_bytes, &source);
  const std::optional<Operators> operators = files->For(path, report);
  if (found.ok() && operators) {
    verdict::LinkedFindings in_libraries;
    ExternalDataOptions data = DataOptionsFor(command.common, path, {.allow_links = command.allow_links});
    data.threads = threads;
    const ParseOptions for_libraries{.max_bytes = command.common.max_bytes, .threads = threads};
    const Additions additions{command.libraries, command.weights, for_libraries, data};
    const ParseOptions parse{.tell_functions_apart = command.kind.empty(), .threads = threads, .progress = progress};
    const auto judge_with = [&](const SourceText& text, Lifetime its_lifetime, Report* told) {
      const OwnedMessage message(kind, its_lifetime);
      const CheckOptions rules{.strict = command.strict,
                               .allow_links = command.allow_links,
                               .checksums = command.checksums,
                               .max_bytes = command.common.max_bytes,
                               .operators = *operators,
                               .infer = !command.no_infer};
      verdict::LinkedFiles linked(text);
      const verdict::Preparation complete = [&](SourceMap* places, Diagnostics* problems) {
        return Complete(additions, text, places, message.get(), &linked, problems, told);
      };
      return in_libraries.AtCalls(verdict::ReadAndCheck(text, path, kind, parse, rules, message.get(), complete),
                                  linked);
    };
    const verdict::Judge judge = [&](const SourceText& text) {
      Report unseen = report->Part();
      return judge_with(text, Lifetime::kScope, &unseen);
    };
    const bool is_text = DetectFormat(source.text(), path, kind) == Format::kText;
    if (command.fix.fix && is_text) (void)Fix(path, command.fix, judge, &source, report);
    in_libraries = {};  // the text may have changed
    found = judge_with(source, input.lifetime, report);
    if (is_text) found = verdict::ProveCorrections(source, std::move(found), judge);
    found = verdict::AtTensors(FoundInModel(found, in_libraries, report), source, path, kind, parse);
  }
  report->Add(found, source);
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
  const Inputs inputs = FindInputs(command.inputs, kAllSuffixes, command.allow_links);
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
  AddLinksOption(app, &command->allow_links);
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

bool Complete(const Additions& additions, const SourceText& source, SourceMap* places,
              google::protobuf::Message* message, verdict::LinkedFiles* linked, Diagnostics* found, Report* report) {
  auto* const model = dynamic_cast<onnx::ModelProto*>(message);
  if (model != nullptr &&
      !LinkLibraries(additions.libraries, additions.parse, source, places, model, linked, found, report)) {
    return false;
  }
  if (!additions.weights.empty())
    found->Append(AttachWeights(message, additions.weights, additions.data, report->weight_files()));
  return found->ok();
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
