// Implements `onnxc lsp`: runs the language server.
#include <iostream>
#include <memory>

#include "cli/commands.h"
#include "lsp/run.h"

namespace onnxc::cli {
namespace {

struct LspCommand {
  bool stdio = false;
};

ExitStatus Run(const LspCommand& /*command*/) {
  std::ios::sync_with_stdio(false);
  return lsp::Run(std::cin, std::cout) ? kDone : kWrongInput;
}

Action AddLspOptions(CLI::App* app) {
  const auto command = std::make_shared<LspCommand>();
  app->add_flag("--stdio", command->stdio, "Use standard input and output, which is the default");
  return [command] { return Run(*command); };
}

}  // namespace

const Command kLsp = {
    .name = "lsp",
    .summary = "Serve an editor: the language server",
    .details =
        R"(Speaks the Language Server Protocol 3.17 over standard input and output. Editors start it; docs/editors.md shows how
to set them up, and lists the features and the settings.

Examples:
  onnxc lsp
)",
    .add_options = &AddLspOptions,
    .exit_statuses = R"(
Exit status:
  0  the client ended the session
  1  the input or the client's process ended before the end of the session
  2  the command line is invalid
)",
};

}  // namespace onnxc::cli
