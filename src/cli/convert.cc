// onnxc convert: any format to any other.
#include <fmt/format.h>
#include <onnxc/model_io.h>

#include <memory>

#include "cli/commands.h"
#include "cli/formats.h"
#include "cli/inputs.h"
#include "cli/report.h"
#include "source/report.h"

namespace onnxc::cli {
namespace {

constexpr std::string_view kProgram = "onnxc convert";

struct ConvertOptions {
  CommonOptions common;
  unsigned threads = 0;
  std::string input = "-";
  std::string output = "-";
  std::string kind;
  std::string to;
};

ExitStatus Run(const ConvertOptions& options) {
  const OutputFormat* target = FindFormat(kOutputFormats, options.to, options.output);
  if (target == nullptr) {
    return WrongCall(kProgram, fmt::format("'{}' tells no format; say --to", Quoted(options.output)));
  }
  if (SpoilsTerminal(*target, options.output)) {
    return WrongCall(kProgram, "binary is not written to a terminal; say -o FILE, or another --to");
  }

  const Kind kind = FindKind(options.kind).value_or(Kind::kModel);
  SourceText source("", "");
  std::optional<FileWriter> output;
  Report report(options.common);
  std::atomic<std::size_t>* progress = report.Start(options.input);
  Diagnostics found = ReadInput(options.input, kind, options.common.max_bytes, &source);
  if (found.ok()) {
    const ParseOptions parse{
        .tell_functions_apart = options.kind.empty(), .threads = options.threads, .progress = progress};
    output.emplace(options.output);
    found = Convert(source, {.path = options.input, .below = {}, .output = options.output}, kind, target->format, parse,
                    &*output, {.threads = options.threads});
  }
  report.Add(found, source);
  if (found.ok()) Commit(&*output, &report);
  return report.Finish();
}

Action AddOptions(CLI::App* app) {
  const auto options = std::make_shared<ConvertOptions>();
  AddCommonOptions(app, &options->common);
  AddInput(app, "IN", &options->input, "The file to read");
  AddOutput(app, &options->output, "The file to write; - or nothing is standard output");
  AddKindOption(app, &options->kind);
  AddThreadsOption(app, &options->threads);
  AddChoice(app, "--to", &options->to, Words(kOutputFormats),
            "The format to write; if not given, the name in -o says it");
  return [options] { return Run(*options); };
}

}  // namespace

const Command kConvert = {
    .name = "convert",
    .summary = "Convert between text, protobuf, protobuf's text format and JSON",
    .details =
        R"(The content of the input tells its format; the name in -o tells that of the output: .onnx and .pb are protobuf's wire
format, .onnxtxt and .onnxtext the ONNX text syntax, .textproto and .pbtxt protobuf's text format, .json its JSON. Nothing
is lost: what a format cannot carry is an error. The rules are not checked; 'onnxc compile' and 'onnxc check' do that.

Examples:
  onnxc convert model.onnx -o model.json
  onnxc convert model.pbtxt -o model.onnxtxt
  onnxc convert --kind tensor input_0.pb -o input_0.onnxtxt
  onnxc convert --to textproto model.onnx | less
)",
    .add_options = &AddOptions,
};

}  // namespace onnxc::cli
