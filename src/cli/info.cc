// Implements `onnxc info`: summarizes a model, a part of one, or a file of data.
#include <onnxc/infer.h>
#include <onnxc/info.h>
#include <onnxc/model_io.h>

#include <memory>
#include <optional>
#include <utility>

#include "cli/commands.h"
#include "cli/formats.h"
#include "cli/inputs.h"
#include "cli/report.h"
#include "cli/side_file.h"
#include "source/names.h"

namespace onnxc::cli {
namespace {

struct InfoCommand {
  CommonOptions common;
  std::vector<std::string> inputs = {"-"};
  std::string kind;
  bool json = false;
  std::size_t top = 0;
  unsigned threads = 0;
  bool allow_links = false;
};

std::string_view WordOf(Format format) {
  switch (format) {
    case Format::kText: return "text";
    case Format::kBinary: return "binary";
    case Format::kTextProto: return "textproto";
    case Format::kJson: return "json";
  }
  return {};
}

/// Inspects the message. If it is a model, its outputs get their inferred types.
ModelInfo InspectTyped(const google::protobuf::Message& message) {
  ModelInfo info = Inspect(message);
  const auto* const model = dynamic_cast<const onnx::ModelProto*>(&message);
  if (model == nullptr) return info;
  const Inference inference = InferTypes(*model);
  NameMap<const ValueType*> types;
  for (const InferredValue& value : inference.ValuesOf(model->graph())) types.insert_or_assign(value.name, &value.type);
  for (ValueSummary& output : info.outputs) {
    const auto found = types.find(output.name);
    if (found != types.end() && found->second->kind != ValueType::Kind::kUnknown)
      output.type = ToString(*found->second);
  }
  return info;
}

/// Inspects the file. Returns nothing if it cannot be read.
std::optional<FileInfo> InspectFile(const std::string& path, const InfoCommand& command, Report* report) {
  SourceText source("", "");
  const Kind kind = FindKind(command.kind).value_or(Kind::kModel);
  const OwnedMessage message(kind);
  Format format{};
  const ParseOptions parse{.max_bytes = command.common.max_bytes,
                           .tell_functions_apart = command.kind.empty(),
                           .progress = report->Start(path)};
  const Diagnostics found = ReadMessage(path, kind, parse, &source, message.get(), &format);
  report->Add(found, source);
  if (!found.ok()) return std::nullopt;
  FileInfo info{.name = source.name(),
                .format = std::string(WordOf(format)),
                .bytes = static_cast<std::int64_t>(source.text().size()),
                .model = InspectTyped(*message),
                .kind = std::string(Name(kind))};
  if (const auto* const model = dynamic_cast<const onnx::ModelProto*>(message.get())) {
    info.model.largest = LargestTensors(*model, command.top);
    if (!model->has_graph() && !model->functions().empty()) info.kind = "library";
  }
  return info;
}

ExitStatus Run(const InfoCommand& command) {
  const Inputs inputs = FindInputs(command.inputs, kAllSuffixes, command.allow_links);
  Report report(command.common, inputs.files.size());
  std::vector<std::optional<FileInfo>> found(inputs.files.size());
  ForEachInput(inputs, command.threads, &report, [&](const Input& input, Report* its_report) {
    found[static_cast<std::size_t>(&input - inputs.files.data())] = InspectFile(input.path, command, its_report);
  });
  std::vector<FileInfo> files;
  for (std::optional<FileInfo>& file : found) {
    if (file) files.push_back(std::move(*file));
  }
  if (!files.empty() || command.json) Write("-", command.json ? RenderJson(files) : RenderText(files), &report);
  return report.Finish();
}

Action AddInfoOptions(CLI::App* app) {
  const auto command = std::make_shared<InfoCommand>();
  AddCommonOptions(app, &command->common);
  AddInputs(app, "IN", &command->inputs, "The models to summarize");
  AddKindOption(app, &command->kind);
  AddThreadsOption(app, &command->threads);
  AddLinksOption(app, &command->allow_links);
  app->add_option("--top", command->top, "Also show the N largest tensors, and the nodes that read them")
      ->type_name("N")
      ->check(CountBetween(0, std::numeric_limits<std::int32_t>::max()));
  app->add_flag("--json", command->json, "Write the summary as JSON");
  return [command] { return Run(*command); };
}

}  // namespace

const Command kInfo = {
    .name = "info",
    .summary = "Show a summary of a model",
    .details =
        R"(Shows operators, parameters and their sizes, inputs and outputs, operator sets and functions. Nodes, operators and
parameters are counted in all subgraphs and functions too. With --kind, the input is a part of a model, or data (tensor,
sequence, map, optional). For data, the tensors are listed with their types and sizes. The input may be in any format.

Examples:
  onnxc info model.onnx
  onnxc info *.onnx --json | jq '.models[] | {file, nodes}'
  onnxc info model.onnxtxt
  onnxc info --top 10 model.onnx
  onnxc info --kind tensor input_0.pb
)",
    .add_options = &AddInfoOptions,
};

}  // namespace onnxc::cli
