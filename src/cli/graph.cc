// onnxc graph: a picture of a graph.
#include <fmt/format.h>
#include <onnxc/graphviz.h>
#include <onnxc/infer.h>
#include <onnxc/model_io.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <optional>

#include "cli/commands.h"
#include "cli/formats.h"
#include "cli/graphviz.h"
#include "cli/report.h"
#include "source/report.h"

namespace onnxc::cli {
namespace {

constexpr const char* kProgram = "onnxc graph";

struct GraphCommand {
  CommonOptions common;
  std::string input = "-";
  std::string output = "-";
  std::string kind = "model";
};

/// The format that the name of the output says: dot, svg or png.
std::optional<std::string> FormatOf(const std::string& output) {
  if (output == "-") return "dot";
  const std::string suffix = std::filesystem::path(output).extension().string();
  if (suffix == ".dot" || suffix == ".svg" || suffix == ".png") return suffix.substr(1);
  return suffix == ".gv" ? std::optional<std::string>("dot") : std::nullopt;
}

std::string Draw(const google::protobuf::Message& message, Kind kind) {
  if (kind == Kind::kGraph) return DrawDot(static_cast<const onnx::GraphProto&>(message));
  if (kind == Kind::kFunction) return DrawDot(static_cast<const onnx::FunctionProto&>(message));
  const auto& model = static_cast<const onnx::ModelProto&>(message);
  return DrawDot(WithTypes(model, InferTypes(model)));
}

ExitStatus Run(const GraphCommand& command) {
  const std::optional<std::string> format = FormatOf(command.output);
  if (!format) {
    return WrongCall(kProgram, fmt::format("the name '{}' says no format; give one that ends in .dot, .svg or .png",
                                           Quoted(command.output)));
  }
  const Kind kind = *FindKind(command.kind);
  const OwnedMessage message(kind);
  SourceText source("", "");
  Report report(command.common);
  const ParseOptions parse{.max_bytes = command.common.max_bytes,
                           .tell_functions_apart = kind == Kind::kModel,
                           .progress = report.Start(command.input)};
  const Diagnostics found = ReadMessage(command.input, kind, parse, &source, message.get());
  report.Add(found, source);
  if (!found.ok()) return report.Finish();

  std::string picture = Draw(*message, kind);
  if (*format != "dot") {
    const Diagnostics trouble = RunGraphviz(*format, &picture);
    report.Add(trouble, SourceText(command.output, ""));
    if (!trouble.ok()) return report.Finish();
  }
  Write(command.output, picture, &report);
  return report.Finish();
}

Action AddOptions(CLI::App* app) {
  const auto command = std::make_shared<GraphCommand>();
  AddCommonOptions(app, &command->common);
  AddInput(app, "IN", &command->input, "The file to draw");
  AddOutput(app, &command->output,
            "The file to write, which ends in .dot, .svg or .png; - or nothing is DOT on standard output");
  AddChoice(app, "--kind", &command->kind, {"model", "graph", "function"}, "What the file holds; a model if not given");
  return [command] { return Run(*command); };
}

}  // namespace

const Command kGraph = {
    .name = "graph",
    .summary = "Draw a picture of a graph",
    .details =
        R"(Nodes are boxes with their attributes and weights, values are lines with their types, subgraphs and functions are frames.
DOT is written by onnxc itself; for SVG and PNG the program `dot` of Graphviz has to be installed. The input may be in any
format.

Examples:
  onnxc graph model.onnx -o model.svg
  onnxc graph model.onnxtxt > model.dot
  onnxc graph model.onnx | dot -Tpdf -Grankdir=LR > model.pdf
)",
    .add_options = &AddOptions,
};

}  // namespace onnxc::cli
