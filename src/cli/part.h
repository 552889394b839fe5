// The options that name a part of a model.
#pragma once

#include <onnxc/extract.h>

#include <CLI/CLI.hpp>

namespace onnxc::cli {

/// Adds the options `--from` and `--to`.
void AddPartOptions(CLI::App* app, ExtractOptions* part);

}  // namespace onnxc::cli
