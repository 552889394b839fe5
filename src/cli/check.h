// Options and steps that the subcommands compile and check share.
#pragma once

#include <CLI/CLI.hpp>

namespace onnxc::cli {

/// Adds the option `--no-infer`.
void AddInferOption(CLI::App* app, bool* no_infer);

}  // namespace onnxc::cli
