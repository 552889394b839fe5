// Libraries of functions: those that the option `--link` names, and those of the settings.
#pragma once

#include <onnxc/linker.h>

#include <string>
#include <vector>

#include "cli/report.h"

namespace onnxc::cli {

/// `--link`
void AddLinkOption(CLI::App* app, std::vector<std::string>* libraries);

/// Reads the libraries as `parse` says, and adds to the model what it calls. The libraries of the settings for the
/// model's file are read if the model calls what neither it nor ONNX defines. Findings about the model go to `found`,
/// those about libraries to the report. False where anything was an error.
[[nodiscard]] bool LinkLibraries(const std::vector<std::string>& paths, const ParseOptions& parse,
                                 const SourceText& source, const SourceMap& places, onnx::ModelProto* model,
                                 Diagnostics* found, Report* report);

}  // namespace onnxc::cli
