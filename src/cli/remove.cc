// Implements `onnxc remove`: removes nodes, and connects their readers with their inputs.
#include <fmt/format.h>
#include <onnxc/remove.h>

#include <memory>
#include <string>

#include "cli/commands.h"
#include "cli/edit.h"
#include "source/words.h"

namespace onnxc::cli {
namespace {

constexpr std::string_view kRemoveProgram = "onnxc remove";

struct RemoveCommand {
  EditOptions edit;
  RemoveOptions options;
};

std::string Summary(const RemovedNodes& removed) {
  std::string line = fmt::format("removed {}", Counted(removed.removed, "node"));
  if (removed.kept > 0) {
    line += fmt::format("; {} stayed as Identity, because an output needs a node that computes it",
                        Counted(removed.kept, "node"));
  }
  return line;
}

ExitStatus Run(RemoveCommand command) {
  if (command.options.nodes.empty() && command.options.operators.empty()) {
    return WrongCall(kRemoveProgram, "name the nodes to remove, or an operator with --op");
  }
  RemovedNodes removed;
  return RunEdit(
      kRemoveProgram, command.edit,
      [&](onnx::ModelProto* model, const SourceMap* places) {
        command.options.source_map = places;
        return RemoveNodes(model, command.options, &removed);
      },
      [&] { return Summary(removed); });
}

Action AddRemoveOptions(CLI::App* app) {
  const auto command = std::make_shared<RemoveCommand>();
  AddEditOptions(app, &command->edit);
  app->add_option("NODE", command->options.nodes,
                  "The name of a node in any graph or function; for a node without a name, one of its outputs");
  app->add_option("--op", command->options.operators, "All nodes of an operator, such as Dropout or com.microsoft.Gelu")
      ->type_name("OPERATOR,...")
      ->delimiter(',')
      ->take_all()
      ->allow_extra_args(false);
  app->add_option("--with", command->options.with, "The value that the readers get instead of the node's input")
      ->type_name("VALUE");
  return [command] { return Run(*command); };
}

}  // namespace

const Command kRemove = {
    .name = "remove",
    .summary = "Remove nodes, and connect what reads their outputs with their inputs",
    .details =
        R"(All readers of the output of a removed node get its input instead: other nodes, subgraphs, outputs. If the node has several
inputs, it is the one that has the type of the output, as the data of Dropout; --with names another value. Nodes are removed from
all graphs, subgraphs and functions. Inputs that nothing reads any more stay; 'onnxc strip --unused' removes them.

An output of a graph or function keeps its name: the node that computes the input gets an output of this name. If that is
impossible, for example because the input is an input of the graph, an Identity node stays, and a line says so.

It is an error if the types of the input and the output differ, if several inputs or several outputs that are read come into
question, if a name means several nodes, or if the result would break a rule. All such nodes are reported, and nothing is written.

The input may be in any format. The suffix of the -o file determines the format of the output; without -o, text is written to
standard output. In a text that is written as text, everything that does not change stays as it is, comments included; removed
nodes take away their comments. A terminal shows a text of more than 1 MiB without weights. Weights in separate files stay there.

Examples:
  onnxc remove model.onnx debug_cast -o model2.onnx
  onnxc remove model.onnx --op Identity,Dropout -o inference.onnx
  onnxc remove model.onnx merged --with left -o model2.onnx      the readers of merged get left
)",
    .add_options = &AddRemoveOptions,
};

}  // namespace onnxc::cli
