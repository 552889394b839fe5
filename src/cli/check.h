// What compile and check have in common.
#pragma once

#include <CLI/CLI.hpp>

namespace onnxc::cli {

/// `--no-infer`
void AddInferOption(CLI::App* app, bool* no_infer);

}  // namespace onnxc::cli
