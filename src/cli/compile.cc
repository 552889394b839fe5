// Implements `onnxc compile`: converts text to protobuf.
#include <fmt/format.h>
#include <onnxc/model_io.h>

#include <memory>
#include <optional>

#include "cli/check.h"
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

constexpr std::string_view kCompileProgram = "onnxc compile";

struct CompileOptions {
  CommonOptions common;
  std::vector<std::string> inputs = {"-"};
  std::string output;
  std::string kind;
  std::string to;
  unsigned threads = 0;
  bool no_check = false;
  bool no_infer = false;
  SideFileOptions side_file;
  std::string weights;
  std::vector<std::string> libraries;
  std::vector<std::string> operators;
  std::shared_ptr<OperatorFiles> operator_files = {};  ///< from the option `operators` and from the settings
  FixOptions fix;
  SourceOptions source;
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

bool HasLibraries(const CompileOptions& options, const Input& input, Report* report) {
  return !options.libraries.empty() || !report->SettingsFor(input.path).libraries.empty();
}

/// Reads, completes and, if required, checks the message. The message is valid if the result and the report are ok().
Diagnostics Read(const CompileOptions& options, const Input& input, const SourceText& source, Kind kind,
                 ParseOptions parse, google::protobuf::Message* message, verdict::LinkedFindings* in_libraries,
                 Report* report) {
  verdict::LinkedFiles linked(source);
  ExternalDataOptions data = DataOptionsFor(options.common, input.path, options.source);
  data.threads = options.threads;
  const ParseOptions for_libraries{.max_bytes = options.common.max_bytes, .threads = options.threads};
  const Additions additions{options.libraries, options.weights, for_libraries, data};
  const verdict::Preparation complete = [&](SourceMap* places, Diagnostics* found) {
    return Complete(additions, source, places, message, options.no_check ? nullptr : &linked, found, report);
  };
  if (!options.no_check) {
    const std::optional<Operators> operators = options.operator_files->For(input.path, report);
    if (!operators) return {};
    const CheckOptions rules{
        .allow_links = options.source.allow_links, .operators = *operators, .infer = !options.no_infer};
    return in_libraries->AtCalls(verdict::ReadAndCheck(source, input.path, kind, parse, rules, message, complete),
                                 linked);
  }
  SourceMap places;
  if (HasLibraries(options, input, report)) parse.source_map_out = &places;
  Diagnostics found = Decode(source.text(), DetectFormat(source.text(), input.path, kind), message, parse);
  if (found.ok() && complete(&places, &found)) found.Append(FindElided(*message));
  return found;
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

/// Returns whether the text can be compiled without the complete message in memory. This is so if the message is
/// neither checked nor changed before it is written.
bool CanStream(const CompileOptions& options, const Input& input, const SourceText& source, Kind kind, Format target,
               Report* report) {
  return options.no_check && kind == Kind::kModel && target == Format::kBinary && options.side_file.name.empty() &&
         options.weights.empty() && !HasLibraries(options, input, report) &&
         DetectFormat(source.text(), input.path, kind) == Format::kText;
}

Diagnostics Compile(const CompileOptions& options, const Input& input, const SourceText& source, Kind kind,
                    Format target, const ParseOptions& parse, verdict::LinkedFindings* in_libraries, Report* report,
                    Outputs* outputs) {
  if (CanStream(options, input, source, kind, target, report)) {
    return CompileToBytes(source.text(), input.path, input.output, &outputs->chunks, parse, report);
  }
  const OwnedMessage message(kind, input.lifetime);
  Diagnostics found = Read(options, input, source, kind, parse, message.get(), in_libraries, report);
  if (!found.ok() || !report->ok()) return found;
  report->KeepWeightsOf(*message, input.path);
  if (!options.side_file.name.empty()) {
    const auto data = DataOptionsFor(options.common, input.path, options.source);
    const auto save = SaveOptionsFor(options.side_file, data, input.output);
    found.Append(SaveExternal(message.get(), save, &outputs->side_file));
  } else {
    found.Append(FindLeftBehind(*message, input.path, input.output));
  }
  if (found.ok()) found.Append(Encode(*message, target, &outputs->chunks.emplace_back()));
  return found;
}

/// Returns a function that finds the errors in a text without reporting them.
verdict::Judge JudgeFor(const CompileOptions& options, const Input& input, Kind kind, const ParseOptions& parse,
                        verdict::LinkedFindings* in_libraries, Report* report) {
  return [&options, &input, kind, parse, in_libraries, report](const SourceText& text) {
    const OwnedMessage message(kind);
    Report unseen = report->Part();
    return Read(options, input, text, kind, parse, message.get(), in_libraries, &unseen);
  };
}

/// Corrects the text if the options require it. Returns false if the text must not be compiled: after an error, or if
/// `--diff` only shows corrections.
bool Correct(const CompileOptions& options, const Input& input, Kind kind, const verdict::Judge& judge,
             SourceText* source, Report* report) {
  if (!options.fix.fix || DetectFormat(source->text(), input.path, kind) != Format::kText) return true;
  const bool has_corrections = Fix(input.path, options.fix, judge, source, report);
  return report->ok() && !(has_corrections && options.fix.diff);
}

void CompileFile(const CompileOptions& options, const Input& input, Kind kind, Format target, unsigned threads,
                 Report* report) {
  if (!options.no_check && !options.operator_files->For(input.path, report)) return;  // For() has reported the errors
  SourceText source("", "");
  Outputs outputs;
  const ParseOptions parse{
      .tell_functions_apart = options.kind.empty(), .threads = threads, .progress = report->Start(input.path)};
  Diagnostics found = ReadInput(input.path, kind, options.common.max_bytes, &source);
  verdict::LinkedFindings in_libraries;
  const verdict::Judge judge = JudgeFor(options, input, kind, parse, &in_libraries, report);
  if (found.ok() && !Correct(options, input, kind, judge, &source, report)) return;
  if (found.ok()) {
    in_libraries = {};  // the text may have changed
    found = Compile(options, input, source, kind, target, parse, &in_libraries, report, &outputs);
    const auto is_text = [&] { return DetectFormat(source.text(), input.path, kind) == Format::kText; };
    if (!found.ok() && report->ok() && is_text()) found = verdict::ProveCorrections(source, std::move(found), judge);
    found = FoundInModel(found, in_libraries, report);
  }
  report->Add(verdict::AtTensors(std::move(found), source, input.path, kind, parse), source);
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
    CompileFile(options, input, kind, target->format, threads, its_report);
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
