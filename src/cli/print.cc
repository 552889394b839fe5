// onnxc print: protobuf to text.
#include <onnxc/model_io.h>

#include <limits>
#include <memory>

#include "cli/commands.h"

namespace onnxc::cli {
namespace {

struct PrintCommandOptions {
  CommonOptions common;
  std::size_t max_bytes = std::numeric_limits<std::size_t>::max();
  std::string input = "-";
  std::string output = "-";
  std::string kind;
  std::string dialect = "onnxc";
  std::string small_floats = "bits";
  bool allow_loss = false;
};

PrintOptions PrintOptionsOf(const PrintCommandOptions& options) {
  return {.dialect = options.dialect == "reference" ? Dialect::kReference : Dialect::kOnnxc,
          .small_float_values = options.small_floats == "values",
          .allow_loss = options.allow_loss};
}

ExitStatus Run(const PrintCommandOptions& options) {
  const Kind kind = FindKind(options.kind).value_or(Kind::kModel);
  const OwnedMessage message(kind);
  SourceText source("", "");
  std::string text;
  Report report(options.common);
  std::atomic<std::size_t>* progress = report.Start(options.input);
  Diagnostics found = ReadFile(options.input, &source, options.max_bytes);
  if (found.ok()) {
    const Format format = DetectFormat(source.text(), options.input, kind);
    const ParseOptions parse{.tell_functions_apart = options.kind.empty(), .progress = progress};
    found = Decode(source.text(), format, message.get(), parse);
  }
  if (found.ok()) found.Append(Encode(*message, Format::kText, &text, PrintOptionsOf(options)));
  if (!text.ends_with('\n')) text += '\n';
  report.Add(found, source);
  if (found.ok()) Write(options.output, text, &report);
  return report.Finish();
}

Action AddOptions(CLI::App* app) {
  const auto options = std::make_shared<PrintCommandOptions>();
  AddCommonOptions(app, &options->common);
  AddSizeLimit(app, &options->max_bytes);
  app->add_option("IN", options->input, "The file to read; - or nothing is standard input")->type_name("");
  app->add_option("-o,--output", options->output, "The file to write; - or nothing is standard output")
      ->type_name("FILE");
  AddKindOption(app, &options->kind);
  AddChoice(app, "--dialect", &options->dialect, {"onnxc", "reference"},
            "onnxc loses nothing; reference is what the reference printer writes");
  AddChoice(app, "--small-floats", &options->small_floats, {"bits", "values"},
            "How elements of float16 and smaller types are written; values are read by onnxc only");
  app->add_flag("--allow-loss", options->allow_loss,
                "Leave out what the dialect cannot carry, with a warning each, instead of failing");
  return [options] { return Run(*options); };
}

}  // namespace

const Command kPrint = {
    .name = "print",
    .summary = "Print protobuf as text",
    .details =
        R"(The input may be in any format: protobuf's wire format, its text format, its JSON, or text already, which is then laid
out anew. Which one it is, its content tells.

Examples:
  onnxc print model.onnx                          shows the model
  onnxc print model.onnx -o model.onnxtxt         writes it
  onnxc print --kind tensor input_0.pb            shows a TensorProto
  onnxc print --dialect reference model.onnx      as the reference printer writes it
  curl -s https://example.org/m.onnx | onnxc print | less
)",
    .add_options = &AddOptions,
};

}  // namespace onnxc::cli
