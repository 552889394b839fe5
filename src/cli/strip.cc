// Implements `onnxc strip`: removes parts of a model that do not change what it computes, and weights.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <onnxc/strip.h>

#include <memory>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/edit.h"
#include "source/words.h"

namespace onnxc::cli {
namespace {

constexpr std::string_view kStripProgram = "onnxc strip";

struct Choice {
  const char* option;
  bool StripOptions::*chosen;
  const char* description;
};

constexpr Choice kChoices[] = {
    {"--docs", &StripOptions::docs, "All documentation strings"},
    {"--metadata", &StripOptions::metadata,
     "All metadata; those that declare the parameters of a library's functions stay"},
    {"--names", &StripOptions::names,
     "The names of nodes; a name stays if metadata or a string attribute repeats it, because they may refer to the "
     "node"},
    {"--weights", &StripOptions::weights,
     "The data of the weights, which become inputs, so that the structure and the shapes stay"},
    {"--value-info", &StripOptions::value_info, "The declared types of values that are neither inputs nor outputs"},
    {"--unused", &StripOptions::unused, "Nodes, initializers, functions and imported operator sets that nothing uses"},
    {"--training", &StripOptions::training, "The training information"},
};

struct StripCommand {
  EditOptions edit;
  StripOptions options;
  bool all = false;
};

struct Count {
  std::int64_t Stripped::*count;
  std::string_view noun;
};

constexpr Count kRemoved[] = {
    {&Stripped::nodes, "unused node"},         {&Stripped::initializers, "unused initializer"},
    {&Stripped::functions, "unused function"}, {&Stripped::imports, "unused import"},
    {&Stripped::training, "training step"},    {&Stripped::docs, "documentation string"},
    {&Stripped::metadata, "metadata entry"},   {&Stripped::names, "node name"},
    {&Stripped::value_info, "declared type"},
};

/// Returns what was removed, in one line.
std::string Summary(const Stripped& stripped) {
  std::vector<std::string> removed;
  for (const auto& [count, noun] : kRemoved) {
    if (stripped.*count > 0) removed.push_back(Counted(stripped.*count, noun));
  }
  std::string line = removed.empty() ? "removed nothing" : fmt::format("removed {}", fmt::join(removed, ", "));
  if (stripped.weights > 0) line += fmt::format("; weights that became inputs: {}", stripped.weights);
  if (stripped.kept_names > 0) {
    line += fmt::format("; names that stay, because metadata or attributes repeat them: {}", stripped.kept_names);
  }
  return line;
}

ExitStatus Run(StripCommand command) {
  bool is_any = command.all;
  for (const auto& [option, chosen, description] : kChoices) {
    command.options.*chosen |= command.all;
    is_any |= command.options.*chosen;
  }
  if (!is_any) return WrongCall(kStripProgram, "name what to remove, such as --unused or --docs, or use --all");
  Stripped stripped;
  return RunEdit(
      kStripProgram, command.edit,
      [&](onnx::ModelProto* model, const SourceMap*) { return Strip(model, command.options, &stripped); },
      [&] { return Summary(stripped); });
}

Action AddStripOptions(CLI::App* app) {
  const auto command = std::make_shared<StripCommand>();
  AddEditOptions(app, &command->edit);
  for (const auto& [option, chosen, description] : kChoices) {
    app->add_flag(option, command->options.*chosen, description);
  }
  app->add_flag("--all", command->all, "All of these, for example for a bug report");
  return [command] { return Run(*command); };
}

}  // namespace

const Command kStrip = {
    .name = "strip",
    .summary = "Remove documentation, metadata, names of nodes, weights or unused parts",
    .details =
        R"(The options say what is removed from all graphs, subgraphs and functions. Inputs and outputs stay, and the model computes the
same; with --weights, if the weights are passed to it. A line on standard error says how much was removed.

A node is unused if nothing reads its outputs. Nodes of operators that onnxc does not know stay, because they may have an effect;
so do nodes without outputs. An initializer that is the default value of an input stays. All functions of a library stay. With
--weights, the initializers and Constant nodes with more than one element become inputs, except short lists of int64, which may be
shapes; weights inside of functions and subgraphs stay, and a warning reports their number.

The input may be in any format. The suffix of the -o file determines the format of the output; without -o, text is written to
standard output. In a text that is written as text, everything that does not change stays as it is, comments included; removed
elements take away their comments. A terminal shows a text of more than 1 MiB without weights. Weights in separate files stay there.

Examples:
  onnxc strip model.onnx --unused -o smaller.onnx
  onnxc strip model.onnx --docs --metadata -o plain.onnx
  onnxc strip model.onnx --all -o report.onnx        a valid model without data, for reports of bugs
  onnxc strip model.onnxtxt --value-info             shows the text without declared types
)",
    .add_options = &AddStripOptions,
};

}  // namespace onnxc::cli
