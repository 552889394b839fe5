// Implements `onnxc weights`: moves tensor data between the model and external data files.
#include <onnxc/model_io.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "cli/check.h"
#include "cli/commands.h"
#include "cli/formats.h"
#include "cli/report.h"
#include "cli/side_file.h"
#include "verdict/analyze.h"

namespace onnxc::cli {
namespace {

constexpr std::string_view kWeightsProgram = "onnxc weights";

struct WeightsOptions {
  CommonOptions common;
  std::string action;
  std::string input;
  std::string file;
  std::string output;
  SideFileOptions side_file;
  SourceOptions source;
};

std::optional<std::string> WrongOptions(const WeightsOptions& options) {
  if (options.action != "extract" && options.side_file.size_threshold) return "--size-threshold is only for extract";
  if (options.action == "inline" && !options.file.empty()) return "inline does not accept a FILE";
  if (options.action == "attach" && options.file.empty()) return "attach needs a FILE with the weights";
  if (options.action != "extract") return std::nullopt;
  return WrongSideFile(options.side_file.name, options.input, options.output);
}

/// `*read` receives the files that have supplied weights.
Diagnostics Move(const WeightsOptions& options, google::protobuf::Message* message, PendingFile* file,
                 WeightFiles* read) {
  const ExternalDataOptions source = DataOptionsFor(options.common, options.input, options.source);
  if (options.action == "inline") return InlineExternal(message, source);
  if (options.action == "attach") return AttachWeights(message, options.file, source, read);
  SaveExternalOptions save = SaveOptionsFor(options.side_file, source, options.output);
  save.replace = !options.file.empty();  // a file that was not named is not replaced
  return SaveExternal(message, save, file);
}

ExitStatus Run(WeightsOptions options) {
  options.side_file.name =
      options.file.empty() ? std::filesystem::path(options.output).filename().string() + ".data" : options.file;
  if (const auto wrong = WrongOptions(options)) return WrongCall(kWeightsProgram, *wrong);
  SourceText source("", "");
  PendingFile file;
  std::string bytes;
  Report report(options.common);
  verdict::AnalyzeOptions analysis = ReadOptionsFor(options.common, options.input, &report);
  analysis.use = [&](google::protobuf::Message* message) {
    report.KeepWeightsOf(*message, options.input);
    Diagnostics found = Move(options, message, &file, report.weight_files());
    // Needed only after attach: extract and inline leave no references to files in the folder of the input.
    if (found.ok() && options.action == "attach") found.Append(FindLeftBehind(*message, options.input, options.output));
    const Format format = DetectFormat(source.text(), options.input, Kind::kModel);
    if (found.ok()) found.Append(Encode(*message, FormatOfSuffix(options.output).value_or(format), &bytes));
    return found;
  };
  const Diagnostics unread = ReadInput(options.input, Kind::kModel, options.common.max_bytes, &source);
  ReportAll(unread.ok() ? verdict::Analyze(source, analysis) : verdict::Analysis{.found = unread}, source, &report);
  if (report.ok()) Write(options.output, bytes, &report, &file);
  return report.Finish();
}

Action AddWeightsOptions(CLI::App* app) {
  const auto options = std::make_shared<WeightsOptions>();
  AddCommonOptions(app, &options->common);
  AddChoice(app, "ACTION", &options->action, {"extract", "attach", "inline"},
            "The action; --help describes the actions")
      ->required();
  AddInput(app, "IN", &options->input, "The model to read");
  app->add_option("FILE", options->file, "The file with the weights (extract writes it, attach reads it)")
      ->type_name("");
  AddOutput(app, &options->output, "The model to write")->required();
  AddThresholdOption(app, &options->side_file);
  AddSourceOptions(app, &options->source);
  return [options] { return Run(*options); };
}

}  // namespace

const Command kWeights = {
    .name = "weights",
    .summary = "Move weights between a model and a separate file",
    .details =
        R"(extract  moves the data of all tensors of at least --size-threshold bytes to FILE, including data that are in other
         files; smaller tensors are stored in the model. Without FILE, OUT.data is written, which must not exist yet.
attach   supplies the data of elided tensors from FILE, and compares checksums. FILE is a *.safetensors file (tensors
         are found by name), a model (by checksum or by name), or a file that extract has written.
inline   stores all data in the model.

onnxc strip --weights removes the data, and keeps a valid model.

For extract, FILE must be a name without a folder; the file is written in the folder of OUT. Data are moved in chunks, so
memory does not limit their size. Weights are read from the model's folder only, and through links only with
--allow-links. The format of OUT is taken from its file name suffix, or else from IN.

Examples:
  onnxc weights extract model.onnx weights.data -o small.onnx
  onnxc weights extract model.onnx model.safetensors -o small.onnx --size-threshold 4096
  onnxc weights attach model.onnxtxt weights.data -o model.onnx
  onnxc weights inline small.onnx -o model.onnx
)",
    .add_options = &AddWeightsOptions,
};

}  // namespace onnxc::cli
