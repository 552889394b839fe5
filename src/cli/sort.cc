// Implements `onnxc sort`: puts the nodes of a model in topological order.
#include <onnxc/sort.h>

#include <memory>

#include "cli/commands.h"
#include "cli/edit.h"

namespace onnxc::cli {
namespace {

Action AddSortOptions(CLI::App* app) {
  const auto options = std::make_shared<EditOptions>();
  AddEditOptions(app, options.get());
  return [options]() -> ExitStatus {
    return RunEdit("onnxc sort", *options, [](onnx::ModelProto* model, const SourceMap* places) {
      return SortNodes(model, {.source_map = places});
    });
  };
}

}  // namespace

const Command kSort = {
    .name = "sort",
    .summary = "Put the nodes of a model in topological order",
    .details =
        R"(Each node comes after the nodes that compute its inputs, and the values that its subgraphs read. Of the nodes that can come
next, the first one of the model is taken, so a sorted model does not change. All graphs and functions are sorted. It is an error
if nodes form a cycle; the message lists them.

The input may be in any format. The suffix of the -o file determines the format of the output; without -o, text is written to
standard output. In a text that is written as text, nodes that move take their comments along, and everything else stays as it is.
A terminal shows a text of more than 1 MiB without weights. Weights in separate files stay there.

Examples:
  onnxc sort model.onnx -o sorted.onnx
  onnxc sort model.onnxtxt -o model.onnxtxt
)",
    .add_options = &AddSortOptions,
};

}  // namespace onnxc::cli
