// Implements `onnxc graph`: draws a graph.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <onnxc/graphviz.h>
#include <onnxc/infer.h>
#include <onnxc/model_io.h>

#include <filesystem>
#include <memory>
#include <optional>

#include "cli/commands.h"
#include "cli/formats.h"
#include "cli/graphviz.h"
#include "cli/part.h"
#include "cli/report.h"
#include "draw/part.h"
#include "source/meant.h"
#include "source/nodes.h"
#include "source/report.h"

namespace onnxc::cli {
namespace {

constexpr const char* kGraphProgram = "onnxc graph";

struct GraphCommand {
  CommonOptions common;
  std::string input = "-";
  std::string output = "-";
  std::string kind = "model";
  std::optional<std::string> around;
  std::optional<std::string> function;
  std::optional<int> depth;
  ExtractOptions part;
};

/// Returns the format for the suffix of the output: dot, svg or png. Returns nothing for another suffix.
std::optional<std::string> FormatOf(const std::string& output) {
  if (output == "-") return "dot";
  const std::string suffix = std::filesystem::path(output).extension().string();
  if (suffix == ".dot" || suffix == ".svg" || suffix == ".png") return suffix.substr(1);
  return suffix == ".gv" ? std::optional<std::string>("dot") : std::nullopt;
}

/// Returns the message as a model. A separate graph or function is put into a model.
onnx::ModelProto ToModel(const google::protobuf::Message& message, Kind kind) {
  onnx::ModelProto model;
  if (kind == Kind::kGraph) {
    model.mutable_graph()->CopyFrom(message);
  } else if (kind == Kind::kFunction) {
    model.add_functions()->CopyFrom(message);
  } else {
    const auto& whole = static_cast<const onnx::ModelProto&>(message);
    return WithTypes(whole, InferTypes(whole)).message;
  }
  return model;
}

/// Draws only the functions with this name.
std::string DrawFunctions(onnx::ModelProto model, const std::string& name, const DrawOptions& options) {
  onnx::ModelProto part;
  for (const onnx::FunctionProto* function : FunctionsCalled(model, name)) *part.add_functions() = *function;
  return part.functions().empty() ? "" : DrawDot(part, options);
}

/// Returns the requested drawing, or "" if the message has no such part.
std::string Draw(const google::protobuf::Message& message, Kind kind, const GraphCommand& command) {
  DrawOptions options;
  if (command.function) {
    if (command.depth) options.depth = *command.depth;
    return DrawFunctions(ToModel(message, kind), *command.function, options);
  }
  if (command.around) {
    constexpr int kSteps = 2;
    const auto part = PartAround(ToModel(message, kind), *command.around, command.depth.value_or(kSteps));
    return part ? DrawDot(*part, options) : "";
  }
  if (command.depth) options.depth = *command.depth;
  if (kind == Kind::kGraph) return DrawDot(static_cast<const onnx::GraphProto&>(message), options);
  if (kind == Kind::kFunction) return DrawDot(static_cast<const onnx::FunctionProto&>(message), options);
  return DrawDot(ToModel(message, kind), options);
}

/// Returns the names that the option of the command can take: those of functions for `--function`, otherwise those of
/// nodes and values.
std::vector<std::string_view> NamesIn(const onnx::ModelProto& model, const GraphCommand& command) {
  std::vector<std::string_view> names;
  if (command.function) {
    for (const onnx::FunctionProto& function : model.functions()) names.push_back(function.name());
    return names;
  }
  for (const auto& input : model.graph().input()) names.push_back(input.name());
  for (const auto& tensor : model.graph().initializer()) names.push_back(tensor.name());
  ForEachNode(model, [&](const onnx::NodeProto& node) {
    if (!node.name().empty()) names.push_back(node.name());
    names.insert(names.end(), node.output().begin(), node.output().end());
  });
  return names;
}

/// Returns the end of the error that the model has no part with this name. It lists the nodes whose operator has the
/// name, or suggests a similar name.
std::string Hint(const onnx::ModelProto& model, const GraphCommand& command, const std::string& name) {
  constexpr std::size_t kMost = 5;
  std::vector<std::string> nodes;
  std::size_t more = 0;
  if (command.around) {
    ForEachNode(model, [&](const onnx::NodeProto& node) {
      if (node.op_type() != name || (node.name().empty() && node.output().empty())) return;
      if (nodes.size() == kMost) ++more;
      if (nodes.size() < kMost) nodes.push_back(Quoted(node.name().empty() ? node.output(0) : node.name()));
    });
  }
  if (nodes.empty()) return Suggestion(name, MeantName(name, NamesIn(model, command)));
  return fmt::format("; nodes of this operator: '{}'{}", fmt::join(nodes, "', '"),
                     more == 0 ? "" : fmt::format(" and {} more", more));
}

ExitStatus Run(const GraphCommand& command) {
  const std::optional<std::string> format = FormatOf(command.output);
  if (!format) {
    return WrongCall(
        kGraphProgram,
        fmt::format("cannot tell the format from the file name '{}'; use a name that ends in .dot, .svg or .png",
                    Quoted(command.output)));
  }
  const Kind kind = *FindKind(command.kind);
  const bool is_part = !command.part.from.empty() || !command.part.to.empty();
  if (is_part && kind != Kind::kModel) return WrongCall(kGraphProgram, "--from and --to are only for models");
  const OwnedMessage message(kind);
  SourceText source("", "");
  SourceMap places;
  Report report(command.common);
  const ParseOptions parse{.max_bytes = command.common.max_bytes,
                           .source_map_out = is_part ? &places : nullptr,
                           .tell_functions_apart = kind == Kind::kModel,
                           .progress = report.Start(command.input)};
  Diagnostics found = ReadMessage(command.input, kind, parse, &source, message.get());
  if (found.ok()) report.KeepWeightsOf(*message, command.input);
  if (found.ok() && is_part) {
    ExtractOptions part = command.part;
    part.source_map = places.size() > 0 ? &places : nullptr;
    found.Append(ExtractPart(static_cast<onnx::ModelProto*>(message.get()), part));
  }
  report.Add(found, source);
  if (!found.ok()) return report.Finish();

  std::string picture = Draw(*message, kind, command);
  if (picture.empty()) {
    const std::string& name = *(command.function ? command.function : command.around);
    const onnx::ModelProto model = ToModel(*message, kind);
    return WrongCall(kGraphProgram, fmt::format("{} has no {} '{}'{}", Quoted(command.input),
                                                command.function ? "function" : "node or value", Quoted(name),
                                                Hint(model, command, name)));
  }
  if (*format != "dot") {
    const Diagnostics trouble = RunGraphviz(*format, &picture);
    report.Add(trouble, SourceText(command.output, ""));
    if (!trouble.ok()) return report.Finish();
  }
  Write(command.output, picture, &report);
  return report.Finish();
}

Action AddGraphOptions(CLI::App* app) {
  const auto command = std::make_shared<GraphCommand>();
  AddCommonOptions(app, &command->common);
  AddInput(app, "IN", &command->input, "The file to draw");
  AddOutput(app, &command->output,
            "The file to write, a name that ends in .dot, .svg or .png (default and -: DOT on standard output)");
  auto* const around =
      app->add_option("--around", command->around,
                      "Draw only the node that has this name or output, and the nodes near it; if NODE "
                      "is an input or initializer, draw the nodes that read it")
          ->type_name("NODE");
  app->add_option("--function", command->function, "Draw only the functions with this name, such as gelu or act.gelu")
      ->type_name("NAME")
      ->excludes(around);
  app->add_option("--depth", command->depth,
                  "The depth to which graphs in attributes are drawn; with --around, the greatest distance from NODE "
                  "(default: 2)")
      ->type_name("N")
      ->check(CountBetween(0, 1000));
  AddPartOptions(app, &command->part);
  AddChoice(app, "--kind", &command->kind, {"model", "graph", "function"},
            "Message type of the file (default: a model, or a library of functions)");
  return [command] { return Run(*command); };
}

}  // namespace

const Command kGraph = {
    .name = "graph",
    .summary = "Draw a graph",
    .details =
        R"(Nodes are boxes with their attributes and weights, values are lines with their types, subgraphs and functions are frames.
DOT is written by onnxc itself; for SVG and PNG the program `dot` of Graphviz has to be installed. The input may be in any
format. With --around, values that connect a drawn node to a node that is left out are drawn as inputs and outputs.
--from and --to draw the part of the model that 'onnxc extract' would write.

Examples:
  onnxc graph model.onnx -o model.svg
  onnxc graph model.onnxtxt > model.dot
  onnxc graph model.onnx --around conv1 --depth 3 -o part.svg
  onnxc graph model.onnx --from hidden --to logits -o head.svg
  onnxc graph model.onnx --function act.gelu -o gelu.svg
  onnxc graph model.onnx | dot -Tpdf -Grankdir=LR > model.pdf
)",
    .add_options = &AddGraphOptions,
};

}  // namespace onnxc::cli
