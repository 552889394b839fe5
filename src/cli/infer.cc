// Implements `onnxc infer`: adds the types and shapes of values to a model.
#include <onnxc/infer.h>
#include <onnxc/model_io.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/check.h"
#include "cli/commands.h"
#include "cli/formats.h"
#include "cli/operators.h"
#include "cli/report.h"
#include "cli/side_file.h"
#include "codec/typed_bytes.h"
#include "files/target.h"
#include "infer/annotate.h"
#include "verdict/analyze.h"
#include "wire/canonical.h"

namespace onnxc::cli {
namespace {

struct InferCommand {
  CommonOptions common;
  std::string input = "-";
  std::string output = "-";
  std::string to;
  bool no_data_propagation = false;
  bool overwrite = false;
  bool strict = false;
  std::vector<std::string> operators;
};

/// Returns whether the input and the output are the same file, so that writing the output may change the bytes of the
/// input. The file may already be open as a standard stream.
bool WritesOver(const std::string& input, const std::string& output) {
  return IsSameFile(input == "-" ? "/dev/stdin" : input, output == "-" ? "/dev/stdout" : output);
}

ExitStatus Run(const InferCommand& command) {
  const bool names_format = !command.to.empty() || command.output != "-";
  const OutputFormat* const format =
      FindFormat(kOutputFormats, names_format ? std::string_view(command.to) : "onnxtxt", command.output);
  if (format == nullptr)
    return WrongCall("onnxc infer", UnknownFormat(command.output) + "; or name the format with --to");
  if (SpoilsTerminal(*format, command.output)) {
    return WrongCall("onnxc infer", "binary output is not written to a terminal; name a file with -o");
  }
  SourceText source("", "");
  SourceMap places;
  Report report(command.common);
  verdict::AnalyzeOptions analysis = ReadOptionsFor(command.common, command.input, &report);
  analysis.parse.source_map_out = &places;
  analysis.lifetime = Lifetime::kProcess;
  const Diagnostics unread = ReadInput(command.input, Kind::kModel, command.common.max_bytes, &source);
  const Format read = DetectFormat(source.text(), command.input, Kind::kModel);
  bool is_spliced = false;  // the output copies bytes of the input
  codec::Pieces pieces;
  const std::optional<Operators> operators =
      OperatorFiles(command.operators, command.common.max_bytes).For(command.input, &report);
  analysis.use = [&](google::protobuf::Message* message) {
    auto& model = static_cast<onnx::ModelProto&>(*message);
    report.KeepWeightsOf(model, command.input);
    Diagnostics found = FindLeftBehind(model, command.input, command.output);
    if (!found.ok() || !operators) return found;
    const InferOptions options{.source_map = places.size() > 0 ? &places : nullptr,
                               .data_propagation = !command.no_data_propagation,
                               .overwrite = command.overwrite,
                               .max_diagnostics = verdict::kMostFindings,
                               .operators = *operators};
    const Inference inference = infer::InferTypesOf(model, is_spliced ? source.text().size() : 0, options);
    found.Append(inference.diagnostics);
    if (command.strict && !found.ok()) {
      // With --strict, nothing is written.
    } else if (is_spliced) {
      pieces = codec::EncodeTyped(source.text(), &model, inference, command.overwrite, &found);
    } else {
      std::string bytes;
      found.Append(AddTypes(&model, inference, command.overwrite));
      const std::string_view text = read == Format::kText ? source.text() : std::string_view();
      found.Append(EncodeOutput("onnxc infer", command.output, format->format, &model, &bytes, text));
      pieces.Add(std::move(bytes));
    }
    return found;
  };
  const OwnedMessage part(Kind::kModel, Lifetime::kProcess);
  auto* const without_data = static_cast<onnx::ModelProto*>(part.get());
  is_spliced = unread.ok() && read == Format::kBinary && format->format == Format::kBinary &&
               !WritesOver(command.input, command.output) &&
               wire::IsCanonical(source.text(), *onnx::ModelProto::descriptor()) &&
               codec::DecodeForTypes(source.text(), without_data);
  if (is_spliced) analysis.stream = [&] { return analysis.use(without_data); };
  ReportAll(unread.ok() ? verdict::Analyze(source, analysis) : verdict::Analysis{.found = unread}, source, &report);
  if (pieces.size() > 0) Write(command.output, pieces.views(), &report);
  return report.Finish();
}

Action AddInferOptions(CLI::App* app) {
  const auto command = std::make_shared<InferCommand>();
  AddCommonOptions(app, &command->common);
  AddInput(app, "IN", &command->input, "The model to read");
  AddOutput(app, &command->output, "The file to write (default and -: standard output)");
  AddChoice(app, "--to", &command->to, Words(kOutputFormats), "The format of the output (default: from its file name)");
  app->add_flag("--no-data-propagation", command->no_data_propagation,
                "Do not compute the values of shapes and other small constants");
  app->add_flag("--overwrite", command->overwrite,
                "Replace declared types by inferred ones; a contradictory declaration is then no error");
  app->add_flag("--strict", command->strict, "Write nothing if the types contain contradictions");
  AddOperatorsOption(app, &command->operators);
  return [command] { return Run(*command); };
}

}  // namespace

const Command kInfer = {
    .name = "infer",
    .summary = "Infer the types and shapes of all values, and add them to the model",
    .details =
        R"(The input may be in any format. The output is the same model with a value_info for each value whose type is
known; incomplete declared types are completed. In a text that is written as text, everything else stays as it is,
comments included. The option --operators, or
the table [operators] of the settings file, names files that declare operators. The settings file is .onnxc.toml in the
input's folder or a parent folder.

Examples:
  onnxc infer model.onnx -o typed.onnx
  onnxc infer model.onnxtxt
)",
    .add_options = &AddInferOptions,
};

}  // namespace onnxc::cli
