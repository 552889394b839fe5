// onnxc compile: text to protobuf.
#include <fmt/format.h>
#include <onnxc/model_io.h>

#include <limits>
#include <memory>

#include "cli/check.h"
#include "cli/commands.h"
#include "cli/formats.h"

namespace onnxc::cli {
namespace {

constexpr std::string_view kProgram = "onnxc compile";

struct CompileOptions {
  CommonOptions common;
  std::string input = "-";
  std::string output;
  std::string kind;
  std::string to;
  std::size_t max_bytes = std::numeric_limits<std::size_t>::max();
  bool no_check = false;
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

Diagnostics Compile(const CompileOptions& options, const SourceText& source, Kind kind, Format target,
                    std::atomic<std::size_t>* progress, std::vector<std::string>* pieces) {
  const ParseOptions parse{.tell_functions_apart = options.kind.empty(), .progress = progress};
  if (options.no_check) return Convert(source, options.input, kind, target, parse, pieces);
  const OwnedMessage message(kind);
  Diagnostics found = ReadAndCheck(source, options.input, kind, parse, {}, message.get());
  if (found.ok()) found.Append(Encode(*message, target, &pieces->emplace_back()));
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

  SourceText source("", "");
  std::vector<std::string> pieces;
  Report report(options.common);
  std::atomic<std::size_t>* progress = report.Start(options.input);
  Diagnostics found = ReadFile(options.input, &source, options.max_bytes);
  if (found.ok()) found = Compile(options, source, kind, target->format, progress, &pieces);
  report.Add(found, source);
  if (found.ok()) Write(output, std::vector<std::string_view>(pieces.begin(), pieces.end()), &report);
  return report.Finish();
}

Action AddOptions(CLI::App* app) {
  const auto options = std::make_shared<CompileOptions>();
  AddCommonOptions(app, &options->common);
  AddSizeLimit(app, &options->max_bytes);
  app->add_option("IN", options->input, "The file to read; - or nothing is standard input")->type_name("");
  app->add_option("-o,--output", options->output, "The file to write; - is standard output")->type_name("FILE");
  AddKindOption(app, &options->kind);
  AddChoice(app, "--to", &options->to, Words(kProtobufFormats),
            "The format to write; if not given, the name in -o says it, else onnx");
  app->add_flag("--no-check", options->no_check, "Do not check what was read before it is written");
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
)",
    .add_options = &AddOptions,
};

}  // namespace onnxc::cli
