// Implements `onnxc inline`: replaces calls of functions by the nodes of the functions.
#include <onnxc/inline.h>

#include <memory>

#include "cli/commands.h"
#include "cli/edit.h"

namespace onnxc::cli {
namespace {

struct InlineCommand {
  EditOptions edit;
  InlineOptions options;
};

Action AddInlineOptions(CLI::App* app) {
  const auto command = std::make_shared<InlineCommand>();
  AddEditOptions(app, &command->edit);
  const auto add = [app](const char* name, std::vector<std::string>* values, const char* description) {
    app->add_option(name, *values, description)
        ->type_name("NAME,...")
        ->delimiter(',')
        ->take_all()
        ->allow_extra_args(false);
  };
  add("--function", &command->options.functions,
      "Replace only the calls of this function, such as gelu, act.gelu or act:gelu");
  add("--except", &command->options.except, "Keep the calls of this function");
  return [command]() -> ExitStatus {
    return RunEdit("onnxc inline", command->edit, [&](onnx::ModelProto* model, const SourceMap* places) {
      InlineOptions options = command->options;
      options.source_map = places;
      return InlineFunctions(model, options);
    });
  };
}

}  // namespace

const Command kInline = {
    .name = "inline",
    .summary = "Replace calls of functions by the nodes of the functions",
    .details =
        R"(Each call of a function of the model is replaced by copies of the function's nodes, in all graphs and in the functions that
remain, and the function is removed. The result computes the same; a call for which this is not possible is an error. Values and
nodes of a function get new names, which begin with the name of the calling node, or with that of the function.

A name without a domain stands for the functions with this name in all domains, and for all their overloads; act.gelu:fast is one
overload. --function and --except can be combined.

The input may be in any format. The suffix of the -o file determines the format of the output; without -o, text is written to
standard output. In a text that is written as text, everything that does not change stays as it is, comments included. A terminal
shows a text of more than 1 MiB without weights. Weights in separate files stay there.

Examples:
  onnxc inline model.onnx -o flat.onnx
  onnxc inline model.onnxtxt --function gelu -o model.onnxtxt
  onnxc inline model.onnx --except attention.Rotary,attention.Mask -o flat.onnx
)",
    .add_options = &AddInlineOptions,
};

}  // namespace onnxc::cli
