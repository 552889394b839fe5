// Implements `onnxc extract`: extracts a part of a model.
#include <onnxc/extract.h>

#include <memory>

#include "cli/commands.h"
#include "cli/edit.h"
#include "cli/part.h"

namespace onnxc::cli {

void AddPartOptions(CLI::App* app, ExtractOptions* part) {
  const auto add = [app](const char* name, std::vector<std::string>* values, const char* description) {
    app->add_option(name, *values, description)
        ->type_name("VALUE,...")
        ->delimiter(',')
        ->take_all()
        ->allow_extra_args(false);
  };
  add("--from", &part->from, "The values at which the part begins (default: the inputs of the graph)");
  add("--to", &part->to, "The values at which the part ends (default: the outputs of the graph)");
}

namespace {

struct ExtractCommand {
  EditOptions edit;
  ExtractOptions part;
};

Action AddExtractOptions(CLI::App* app) {
  const auto command = std::make_shared<ExtractCommand>();
  AddEditOptions(app, &command->edit);
  AddPartOptions(app, &command->part);
  return [command] {
    return RunEdit("onnxc extract", command->edit, [&](onnx::ModelProto* model, const SourceMap* places) {
      ExtractOptions part = command->part;
      part.source_map = places;
      return ExtractPart(model, part);
    });
  };
}

}  // namespace

const Command kExtract = {
    .name = "extract",
    .summary = "Write the part of a model between given values",
    .details =
        R"(The part contains the nodes that compute the values of --to from the values of --from, and the initializers, functions,
operator sets and declared types that these nodes need. New inputs and outputs get their inferred types. It is an error
if --from is given, but does not list a graph input that the part needs.

The input may be in any format. The suffix of the -o file determines the format of the output; without -o, text is written to
standard output. In a text that is written as text, everything
that does not change stays as it is, comments included. A terminal shows a text of more than 1 MiB without weights. Weights
in separate files stay there.

Examples:
  onnxc extract model.onnx --from hidden --to logits -o head.onnx
  onnxc extract model.onnx --to hidden -o encoder.onnx      from the inputs of the graph on
  onnxc extract model.onnxtxt --from a,b --to c             shows the part as text
)",
    .add_options = &AddExtractOptions,
};

}  // namespace onnxc::cli
