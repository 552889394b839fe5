// Implements `onnxc compile`: converts text to protobuf.
#include <fmt/format.h>
#include <onnxc/model_io.h>

#include <memory>
#include <optional>

#include "cli/check.h"
#include "cli/commands.h"
#include "cli/operators.h"
#include "source/report.h"
#include "verdict/analyze.h"

namespace onnxc::cli {
namespace {

constexpr std::string_view kCompileProgram = "onnxc compile";

struct CompileOptions : AnalysisOptions {
  std::string output;
  std::string to;
  bool no_check = false;
  SideFileOptions side_file;
  std::shared_ptr<OperatorFiles> operator_files = {};  ///< from the option `operators` and from the settings
};

/// Returns the output format: the one that --to names; otherwise the one that the output's suffix implies; otherwise
/// binary. Returns null if the suffix implies text.
const OutputFormat* FindTarget(const CompileOptions& options) {
  const bool has_name =
      !options.to.empty() || (FormatOfSuffix(options.output).has_value() && !NamesFolder(options.output));
  return FindFormat(kProtobufFormats, has_name ? options.to : "onnx", options.output);
}

/// Returns the default output path: `dir/x.onnx` for `dir/x.onnxtxt`.
std::string OutputBeside(const std::string& input, const OutputFormat& target, Kind kind) {
  const bool is_part = target.format == Format::kBinary && kind != Kind::kModel;
  return WithSuffix(input, is_part ? ".pb" : target.suffix);
}

/// Returns why the options cannot be combined, or nothing if they can.
std::optional<std::string> WrongOptions(const CompileOptions& options, Kind kind, const Inputs& inputs) {
  if (!options.libraries.empty() && kind != Kind::kModel) return "--link is only for models";
  if (options.side_file.name.empty()) return std::nullopt;
  if (inputs.are_many) return "--save-as-external names one file; compile one input at a time";
  const Input& input = inputs.files.front();
  return WrongSideFile(options.side_file.name, input.path, input.output);
}

/// Finds the inputs and their outputs. Returns a usage error, or nothing if there is none.
std::optional<std::string> Prepare(const CompileOptions& options, const OutputFormat* target, Kind kind,
                                   Inputs* inputs) {
  if (target == nullptr) {
    return fmt::format("'{}' is the name of a text file; choose another name, or use --to", Quoted(options.output));
  }
  if (auto wrong = WrongFix(options.fix, options.inputs)) return wrong;
  *inputs = FindInputs(options.inputs, kTextSuffixes, options.source.allow_links);
  const auto name = [&](const std::string& path) { return OutputBeside(path, *target, kind); };
  if (auto wrong = SetOutputs(options.output, name, options.source.allow_links, inputs)) return wrong;
  if (inputs->files.size() == 1 && SpoilsTerminal(*target, inputs->files.front().output)) {
    return "binary output is not written to a terminal; use -o FILE or --to textproto";
  }
  return WrongOptions(options, kind, *inputs);
}

/// The outputs of a run.
struct Outputs {
  std::vector<std::string> chunks;  ///< contents of the model's file
  PendingFile side_file;
};

/// Encodes a message without errors. If the options require it, its weights are moved to a file.
Diagnostics EncodeTo(const CompileOptions& options, const Input& input, Format target,
                     google::protobuf::Message* message, Report* report, Outputs* outputs) {
  if (!report->ok()) return {};
  report->KeepWeightsOf(*message, input.path);
  Diagnostics found;
  if (!options.side_file.name.empty()) {
    const auto data = DataOptionsFor(options.common, input.path, options.source);
    const auto save = SaveOptionsFor(options.side_file, data, input.output);
    found = SaveExternal(message, save, &outputs->side_file);
  } else {
    found = FindLeftBehind(*message, input.path, input.output);
  }
  if (found.ok()) found.Append(Encode(*message, target, &outputs->chunks.emplace_back()));
  return found;
}

void CompileFile(const CompileOptions& options, const Input& input, Format target, unsigned threads, Report* report) {
  std::optional<Operators> operators;
  if (!options.no_check) operators = options.operator_files->For(input.path, report);
  if (!options.no_check && !operators) return;  // For() has reported the errors
  SourceText source("", "");
  verdict::AnalyzeOptions analysis = AnalyzeOptionsFor(options, input, threads, report);
  const Diagnostics found = ReadInput(input.path, analysis.kind, options.common.max_bytes, &source);
  if (!found.ok()) return report->Add(found, source);
  if (operators) {
    analysis.rules->operators = *std::move(operators);
  } else {
    analysis.rules.reset();
    analysis.check = [](const verdict::ReadText& read) { return FindElided(*read.message); };
  }
  if (!Fix(options.fix, analysis, &source, report)) return;
  Outputs outputs;
  analysis.proof = report->ok() ? verdict::Proof::kIfErrors : verdict::Proof::kNever;
  analysis.use = [&](google::protobuf::Message* message) {
    return EncodeTo(options, input, target, message, report, &outputs);
  };
  if (options.no_check && analysis.kind == Kind::kModel && target == Format::kBinary &&
      options.side_file.name.empty() && DetectFormat(source.text(), input.path, Kind::kModel) == Format::kText) {
    analysis.stream = [&] {
      return CompileToBytes(source.text(), input.path, input.output, &outputs.chunks, analysis.parse, report);
    };
  }
  ReportAll(verdict::Analyze(source, analysis), source, report);
  if (report->ok()) Write(input.output, outputs.chunks, report, &outputs.side_file);
  if (report->ok()) report->CountAs(Outcome::kCompiled);
}

ExitStatus Run(const CompileOptions& options) {
  const OutputFormat* target = FindTarget(options);
  const Kind kind = FindKind(options.kind).value_or(Kind::kModel);
  Inputs inputs;
  if (const auto wrong = Prepare(options, target, kind, &inputs)) return WrongCall(kCompileProgram, *wrong);
  Report report(options.common, inputs.files.size());
  const unsigned threads = ThreadsForEach(inputs, options.threads);
  ForEachInput(inputs, options.threads, &report, [&](const Input& input, Report* its_report) {
    CompileFile(options, input, target->format, threads, its_report);
  });
  if (options.fix.fix && !inputs.are_many) report.Summarize();
  return report.Finish();
}

Action AddCompileOptions(CLI::App* app) {
  const auto options = std::make_shared<CompileOptions>();
  AddCommonOptions(app, &options->common);
  AddInputs(app, "IN", &options->inputs, "The files to read");
  AddOutput(app, &options->output, "The file to write, or the folder for all outputs; - is standard output");
  AddKindOption(app, &options->kind);
  AddThreadsOption(app, &options->threads);
  AddChoice(app, "--to", &options->to, Words(kProtobufFormats),
            "The format to write (default: from the suffix of the -o file, else onnx)");
  CLI::Option* no_check =
      app->add_flag("--no-check", options->no_check, "Do not check the input before writing the output");
  AddFixOptions(app, &options->fix);
  AddInferOption(app, &options->no_infer);
  CLI::Option* side_file = AddSideFileOption(app, &options->side_file);
  AddThresholdOption(app, &options->side_file)->needs(side_file);
  AddWeightsOption(app, &options->weights);
  AddSourceOptions(app, &options->source);
  AddLinkOption(app, &options->libraries);
  AddOperatorsOption(app, &options->operators);
  no_check->excludes(app->get_option("--operators"));
  return [options] {
    options->operator_files = std::make_shared<OperatorFiles>(options->operators, options->common.max_bytes);
    return Run(*options);
  };
}

}  // namespace

const Command kCompile = {
    .name = "compile",
    .summary = "Compile text to protobuf",
    .details =
        R"(Without -o, x.onnxtxt is compiled to x.onnx in the same folder, and standard input to standard output. The input is
checked before anything is written; parts of a model (--kind) are checked against the newest versions of the IR and the
operators. A text that contains only functions is compiled to a model without a graph. The input may also be in any of the
protobuf formats; the format is recognized by the content. The settings file .onnxc.toml in the input's folder or a parent
folder may list libraries, which are linked as with --link. Its table [operators] may list files that declare operators; they are
used as with --operators.

Examples:
  onnxc compile model.onnxtxt                     writes model.onnx
  onnxc compile model.onnxtxt --to json -o -      shows the model as JSON
  onnxc compile - -o model.onnx < model.onnxtxt
  onnxc compile models/ -o build/                 all *.onnxtxt in models, at any depth, to build
  onnxc compile --kind tensor t.onnxtxt           writes t.pb, a TensorProto
  onnxc compile m.onnxtxt --save-as-external m.data    the weights go to m.data, in the folder of m.onnx
  onnxc compile m.onnxtxt --weights trained.onnx       the text has no weights; take them from a model
  onnxc compile m.onnxtxt --link lib.onnxtxt      with the functions of lib.onnxtxt that are called
)",
    .add_options = &AddCompileOptions,
};

}  // namespace onnxc::cli
