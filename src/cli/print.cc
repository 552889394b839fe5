// Implements `onnxc print`: converts protobuf to text.
#include <fmt/format.h>
#include <onnxc/model_io.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "cli/check.h"
#include "cli/commands.h"
#include "cli/formats.h"
#include "cli/inputs.h"
#include "cli/report.h"
#include "cli/side_file.h"
#include "cli/types.h"
#include "source/report.h"
#include "verdict/analyze.h"

namespace onnxc::cli {
namespace {

struct PrintCommandOptions {
  CommonOptions common;
  std::vector<std::string> inputs = {"-"};
  std::string output;
  std::string kind;
  std::string dialect = "onnxc";
  std::string small_floats = "bits";
  unsigned threads = 0;
  bool allow_loss = false;
  std::string weights;
  bool skeleton = false;
  bool types = false;
  SideFileOptions side_file;
  SourceOptions source;
};

PrintOptions PrintOptionsOf(const PrintCommandOptions& options) {
  return {.dialect = options.dialect == "reference" ? Dialect::kReference : Dialect::kOnnxc,
          .small_float_values = options.small_floats == "values",
          .allow_loss = options.allow_loss,
          .threads = options.threads};
}

/// Returns the default name of the external data file.
std::string DefaultName(const Input& input) {
  return std::filesystem::path(input.output).filename().string() + ".data";
}

/// Moves the weights to the place that the options name.
Diagnostics MoveWeights(const PrintCommandOptions& options, const Input& input, google::protobuf::Message* message,
                        PendingFile* file) {
  const ExternalDataOptions source = DataOptionsFor(options.common, input.path, options.source);
  // A skeleton is for human readers, so even small tensors lose their data, unless they are shapes. An option can set
  // another threshold.
  const std::uint64_t threshold = options.side_file.size_threshold.value_or(options.skeleton ? 1 : kSizeThreshold);
  if (options.skeleton) return ElideWeights(message, Elision::kNothing, threshold);
  if (options.weights == "elide") return ElideWeights(message, Elision::kChecksum, threshold, source);
  if (options.weights == "inline") return InlineExternal(message, source);
  if (options.weights.empty()) return FindLeftBehind(*message, input.path, input.output);
  SaveExternalOptions save = SaveOptionsFor(options.side_file, source, input.output);
  if (save.file_name.empty()) {
    save.file_name = DefaultName(input);
    save.replace = false;  // the user did not name this file
  }
  return SaveExternal(message, save, file);
}

std::optional<std::string> WrongOptions(const PrintCommandOptions& options, const Inputs& inputs) {
  if (!NamesFolder(options.output) && FormatOfSuffix(options.output).value_or(Format::kText) != Format::kText) {
    return fmt::format("'{}' is not the name of a text file; choose another name, or use 'onnxc convert'",
                       Quoted(options.output));
  }
  const bool is_external = options.weights == "external";
  const Kind kind = FindKind(options.kind).value_or(Kind::kModel);
  const bool has_nodes = kind == Kind::kModel || kind == Kind::kGraph || kind == Kind::kFunction;
  if (options.types && !has_nodes) return "--types is only for models, graphs and functions";
  if (options.skeleton && !options.weights.empty()) return "--skeleton writes no weights; leave out --weights";
  if (!options.side_file.name.empty() && !is_external) return "--save-as-external needs --weights external";
  if (options.side_file.size_threshold && !options.skeleton && !is_external && options.weights != "elide") {
    return "--size-threshold needs --weights external, --weights elide or --skeleton";
  }
  if (!is_external) return std::nullopt;
  const std::string& name = options.side_file.name;
  if (inputs.are_many && !name.empty()) return "--save-as-external names one file; print one input at a time";
  for (const Input& input : inputs.files) {
    if (auto wrong = WrongSideFile(name.empty() ? DefaultName(input) : name, input.path, input.output)) return wrong;
  }
  return std::nullopt;
}

/// Prints a message that was read.
Diagnostics PrintMessage(const PrintCommandOptions& options, const Input& input, google::protobuf::Message* message,
                         PendingFile* side_file, FileWriter* output, Report* report) {
  report->KeepWeightsOf(*message, input.path);
  Diagnostics found = MoveWeights(options, input, message, side_file);
  if (!found.ok()) return found;
  std::string text;
  const PrintOptions print = PrintOptionsOf(options);
  found.Append(options.types ? PrintWithTypes(*message, print, &text) : Encode(*message, Format::kText, &text, print));
  output->Write(text);
  output->EndLine();
  return found;
}

/// Returns whether the output would replace a file that the user may have written by hand: the name of the output was
/// derived from the input, and a file with this name is next to the input. A folder for outputs is another matter.
bool ReplacesSource(const Input& input, bool is_named) {
  std::error_code error;
  return !is_named && input.output != "-" && !LeavesFolder(input.path, input.output) &&
         std::filesystem::exists(input.output, error);
}

/// Returns whether no option says what happens to the weights, so that they may be left out on a terminal.
bool MayElide(const PrintCommandOptions& options) {
  return options.weights.empty() && !options.skeleton && options.dialect == "onnxc";
}

void PrintFile(const PrintCommandOptions& options, const Input& input, bool is_named, unsigned threads,
               Report* report) {
  if (ReplacesSource(input, is_named)) {
    report->Add(
        Only(MakeDiagnostic(diag::kCannotWrite, kNowhere, "the file already exists; use -o with another folder")),
        SourceText(input.output, ""));
    return;
  }
  SourceText source("", "");
  PendingFile side_file;
  std::optional<FileWriter> output;
  verdict::AnalyzeOptions analysis = ReadOptionsFor(options.common, input.path, report);
  analysis.kind = FindKind(options.kind).value_or(Kind::kModel);
  analysis.parse.tell_functions_apart = options.kind.empty();
  analysis.parse.threads = threads;
  analysis.lifetime = input.lifetime;
  const Diagnostics found = ReadInput(input.path, analysis.kind, options.common.max_bytes, &source);
  if (!found.ok()) return report->Add(found, source);
  PrintCommandOptions adjusted = options;
  if (MayElide(options) && FloodsTerminal(source.text().size(), input.output)) {
    adjusted.skeleton = true;
    ReportNoWeights("onnxc print", "--weights inline shows them");
  }
  output.emplace(input.output);
  analysis.use = [&](google::protobuf::Message* message) {
    return PrintMessage(adjusted, input, message, &side_file, &*output, report);
  };
  if (!adjusted.skeleton && !adjusted.types && adjusted.weights.empty()) {
    analysis.stream = [&] {
      return Convert(source, input, analysis.kind, Format::kText, analysis.parse, &*output, report,
                     PrintOptionsOf(adjusted));
    };
  }
  ReportAll(verdict::Analyze(source, analysis), source, report);
  if (report->ok()) Commit(&*output, report, &side_file);
  if (report->ok()) report->CountAs(Outcome::kPrinted);
}

ExitStatus Run(const PrintCommandOptions& options) {
  Inputs inputs = FindInputs(options.inputs, kModelSuffixes, options.source.allow_links);
  const bool is_shown = options.output.empty() && !inputs.are_many;
  const auto name = [](const std::string& path) { return WithSuffix(path, ".onnxtxt"); };
  auto wrong = SetOutputs(is_shown ? "-" : options.output, name, options.source.allow_links, &inputs);
  if (!wrong) wrong = WrongOptions(options, inputs);
  if (wrong) return WrongCall("onnxc print", *wrong);
  Report report(options.common, inputs.files.size());
  const unsigned threads = ThreadsForEach(inputs, options.threads);
  const bool is_named = !options.output.empty() && !inputs.has_folder;
  ForEachInput(inputs, options.threads, &report, [&](const Input& input, Report* its_report) {
    PrintFile(options, input, is_named, threads, its_report);
  });
  return report.Finish();
}

Action AddPrintOptions(CLI::App* app) {
  const auto options = std::make_shared<PrintCommandOptions>();
  AddCommonOptions(app, &options->common);
  AddInputs(app, "IN", &options->inputs, "The files to read");
  AddOutput(app, &options->output, "The file to write, or the folder for all outputs; - is standard output");
  AddKindOption(app, &options->kind);
  AddThreadsOption(app, &options->threads);
  AddChoice(app, "--dialect", &options->dialect, {"onnxc", "reference"},
            "onnxc loses nothing; reference is the output format of the onnx package's printer");
  AddChoice(app, "--small-floats", &options->small_floats, {"bits", "values"},
            "How to write elements of float16 and smaller types, such as int4: as bit patterns, or as values, which "
            "only onnxc reads");
  app->add_flag("--allow-loss", options->allow_loss,
                "Leave out what the dialect cannot represent, with a warning for each, instead of failing");
  AddChoice(app, "--weights", &options->weights, {"inline", "external", "elide"},
            "Where to write weights: all in the text (inline), large ones in a separate file (external), or "
            "checksums instead of large ones (elide) (default: as in the model)");
  app->add_flag(
      "--skeleton", options->skeleton,
      "Write the structure without weights: leave out the data of all tensors, except for short lists of int64 "
      "such as shapes");
  app->add_flag("--types", options->types, "Write the types of each node's outputs in a comment after the node");
  AddSideFileOption(app, &options->side_file);
  AddThresholdOption(app, &options->side_file);
  AddSourceOptions(app, &options->source);
  return [options] { return Run(*options); };
}

}  // namespace

const Command kPrint = {
    .name = "print",
    .summary = "Print protobuf as text",
    .details =
        R"(The input may be in any format: protobuf's wire format, its text format, its JSON, or text. A text is printed without
its comments; 'onnxc fmt' keeps them. The format is recognized by the content. Without -o, the text of one file goes to
standard output; the texts of several files or of a folder are written next to the models: x.onnx to x.onnxtxt, which
must not exist, because it may be the source of the model. Texts in another folder (-o FOLDER/) are replaced. If a model
is larger than 1 MiB, a terminal shows its text without weights, as with --skeleton; --weights inline shows them. Weights
are read from the model's folder only. With --weights external, the weights are written to OUT.data, which must not exist
yet; --save-as-external names another file, which is replaced.

Examples:
  onnxc print model.onnx                          shows the model
  onnxc print model.onnx -o model.onnxtxt         writes it
  onnxc print models/ -o texts/                   writes all *.onnx in models, at any depth, as texts
  onnxc print --kind tensor input_0.pb            shows a TensorProto
  onnxc print --dialect reference model.onnx      as the reference printer writes it
  onnxc print --types model.onnx                  with the types of all values, as comments
  onnxc print --skeleton model.onnx               shows the structure, without weights
  onnxc print --weights elide model.onnx -o m.onnxtxt  then onnxc compile m.onnxtxt --weights model.onnx
  onnxc print --weights external model.onnx -o m.onnxtxt    writes m.onnxtxt.data too
  unzip -p models.zip m.onnx | onnxc print | less
)",
    .add_options = &AddPrintOptions,
};

}  // namespace onnxc::cli
