// onnxc compile: text to protobuf.
#include <fmt/format.h>
#include <onnxc/model_io.h>

#include <memory>

#include "cli/check.h"
#include "cli/commands.h"
#include "cli/formats.h"
#include "cli/link.h"
#include "cli/side_file.h"

namespace onnxc::cli {
namespace {

constexpr std::string_view kProgram = "onnxc compile";

struct CompileOptions {
  CommonOptions common;
  std::string input = "-";
  std::string output;
  std::string kind;
  std::string to;
  unsigned threads = 0;
  bool no_check = false;
  SideFileOptions side_file;
  std::string weights;
  std::vector<std::string> libraries;
  bool allow_links = false;
};

/// Binary where neither --to nor the output's name says it; null where the name asks for text.
const OutputFormat* FindTarget(const CompileOptions& options) {
  const bool has_name = !options.to.empty() || FormatOfSuffix(options.output).has_value();
  return FindFormat(kProtobufFormats, has_name ? options.to : "onnx", options.output);
}

/// `dir/x.onnxtxt` gives `dir/x.onnx`.
std::string OutputBeside(const std::string& input, const OutputFormat& target, Kind kind) {
  const bool is_part = target.format == Format::kBinary && kind != Kind::kModel;
  const std::size_t slash = input.rfind('/');
  const std::size_t dot = input.rfind('.');
  const bool has_suffix = FormatOfSuffix(input).has_value() && (slash == std::string::npos || dot > slash + 1);
  return input.substr(0, has_suffix ? dot : input.size()).append(is_part ? ".pb" : target.suffix);
}

/// Adds what the options name to the message that was read: functions, then weights.
bool Complete(const CompileOptions& options, const SourceText& source, const SourceMap& places,
              google::protobuf::Message* message, Diagnostics* found, Report* report) {
  if (!options.libraries.empty()) {
    auto* model = static_cast<onnx::ModelProto*>(message);
    const ParseOptions parse{.max_bytes = options.common.max_bytes, .threads = options.threads};
    if (!LinkLibraries(options.libraries, parse, source, places, model, found, report)) return false;
  }
  if (options.weights.empty()) return true;
  ExternalDataOptions data = DataOptionsFor(options.common, options.input, options.allow_links);
  data.threads = options.threads;
  found->Append(AttachWeights(message, options.weights, data));
  return found->ok();
}

/// Reads, completes, and checks where that is asked for; the message is good if the result is ok(), and the report is.
Diagnostics Read(const CompileOptions& options, const SourceText& source, Kind kind, ParseOptions parse,
                 google::protobuf::Message* message, Report* report) {
  const Preparation complete = [&](const SourceMap& places, Diagnostics* found) {
    return Complete(options, source, places, message, found, report);
  };
  if (!options.no_check) {
    const CheckOptions rules{.allow_links = options.allow_links};
    return ReadAndCheck(source, options.input, kind, parse, rules, message, complete);
  }
  SourceMap places;
  if (!options.libraries.empty()) parse.source_map = &places;
  Diagnostics found = Decode(source.text(), DetectFormat(source.text(), options.input, kind), message, parse);
  if (found.ok() && complete(places, &found)) found.Append(FindElided(*message));
  return found;
}

/// What is wrong with the options together, if anything.
std::optional<std::string> WrongOptions(const CompileOptions& options, Kind kind, const std::string& output) {
  if (!options.libraries.empty() && kind != Kind::kModel) return "--link is for models";
  if (options.side_file.name.empty()) return std::nullopt;
  return WrongSideFile(options.side_file.name, options.input, output);
}

/// What a run writes.
struct Outputs {
  std::vector<std::string> chunks;  ///< of the model's file
  PendingFile side_file;
};

/// The message need not be in memory as a whole: nothing checks, changes or moves it.
bool CanStream(const CompileOptions& options, const SourceText& source, Kind kind, Format target) {
  return options.no_check && kind == Kind::kModel && target == Format::kBinary && options.side_file.name.empty() &&
         options.weights.empty() && options.libraries.empty() &&
         DetectFormat(source.text(), options.input, kind) == Format::kText;
}

Diagnostics Compile(const CompileOptions& options, const SourceText& source, Kind kind, Format target,
                    const std::string& output, std::atomic<std::size_t>* progress, Report* report, Outputs* outputs) {
  const ParseOptions parse{
      .tell_functions_apart = options.kind.empty(), .threads = options.threads, .progress = progress};
  if (CanStream(options, source, kind, target)) return CompileToBytes(source.text(), &outputs->chunks, parse);
  const OwnedMessage message(kind);
  Diagnostics found = Read(options, source, kind, parse, message.get(), report);
  if (!found.ok() || !report->ok()) return found;
  if (!options.side_file.name.empty()) {
    const auto data = DataOptionsFor(options.common, options.input, options.allow_links);
    const auto save = SaveOptionsFor(options.side_file, data, output);
    found.Append(SaveExternal(message.get(), save, &outputs->side_file));
  } else if (!options.no_check) {
    found.Append(FindLeftBehind(*message, options.input, output));
  }
  if (found.ok()) found.Append(Encode(*message, target, &outputs->chunks.emplace_back()));
  return found;
}

ExitStatus Run(const CompileOptions& options) {
  const OutputFormat* target = FindTarget(options);
  if (target == nullptr) {
    return WrongCall(kProgram, fmt::format("'{}' is the name of a text; choose another, or say --to", options.output));
  }
  const Kind kind = FindKind(options.kind).value_or(Kind::kModel);
  std::string output = options.output;
  if (output.empty()) output = options.input == "-" ? "-" : OutputBeside(options.input, *target, kind);
  if (options.output.empty() && output != "-" && output == options.input) {
    return WrongCall(kProgram, fmt::format("the output would replace the input '{}'; say -o", options.input));
  }
  if (SpoilsTerminal(*target, output)) {
    return WrongCall(kProgram, "binary is not written to a terminal; say -o FILE, or --to textproto");
  }

  if (const auto wrong = WrongOptions(options, kind, output)) return WrongCall(kProgram, *wrong);

  SourceText source("", "");
  Outputs outputs;
  Report report(options.common);
  std::atomic<std::size_t>* progress = report.Start(options.input);
  Diagnostics found = ReadFile(options.input, &source, options.common.max_bytes);
  if (found.ok()) found = Compile(options, source, kind, target->format, output, progress, &report, &outputs);
  report.Add(found, source);
  if (report.ok()) Write(output, outputs.chunks, &report, &outputs.side_file);
  return report.Finish();
}

Action AddOptions(CLI::App* app) {
  const auto options = std::make_shared<CompileOptions>();
  AddCommonOptions(app, &options->common);
  AddInput(app, "IN", &options->input, "The file to read");
  AddOutput(app, &options->output, "The file to write; - is standard output");
  AddKindOption(app, &options->kind);
  AddThreadsOption(app, &options->threads);
  AddChoice(app, "--to", &options->to, Words(kProtobufFormats),
            "The format to write; if not given, the name in -o says it, else onnx");
  app->add_flag("--no-check", options->no_check, "Do not check what was read before it is written");
  CLI::Option* side_file = AddSideFileOption(app, &options->side_file);
  AddThresholdOption(app, &options->side_file)->needs(side_file);
  app->add_option("--weights", options->weights, "Supply elided weights from this file: see 'onnxc help weights'")
      ->type_name("FILE");
  AddLinksOption(app, &options->allow_links);
  app->add_option("--link", options->libraries, "Add the functions of this file that the model calls")
      ->type_name("FILE")
      ->take_all()
      ->allow_extra_args(false);
  return [options] { return Run(*options); };
}

}  // namespace

const Command kCompile = {
    .name = "compile",
    .summary = "Compile text to protobuf",
    .details =
        R"(Without -o, x.onnxtxt gives x.onnx beside it, and standard input gives standard output. The input is checked before
anything is written; parts of a model, with --kind, are judged by the newest versions. A text of functions alone gives a
model without graph. The input may also be any of the protobuf formats; which one it is, its content tells.

Examples:
  onnxc compile model.onnxtxt                     writes model.onnx
  onnxc compile model.onnxtxt --to json -o -      shows the model as JSON
  onnxc compile - -o model.onnx < model.onnxtxt
  onnxc compile --kind tensor t.onnxtxt           writes t.pb, a TensorProto
  onnxc compile m.onnxtxt --save-as-external m.data    the weights go to m.data, beside m.onnx
  onnxc compile m.onnxtxt --weights trained.onnx       the text has no weights; take them from a model
  onnxc compile m.onnxtxt --link lib.onnxtxt      with the functions of lib.onnxtxt that are called
)",
    .add_options = &AddOptions,
};

}  // namespace onnxc::cli
