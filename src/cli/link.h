// Libraries of functions, which the option `--link` and the settings name.
#pragma once

#include <onnxc/linker.h>

#include <string>
#include <vector>

#include "cli/report.h"
#include "verdict/linked.h"

namespace onnxc::cli {

/// Adds the option `--link`.
void AddLinkOption(CLI::App* app, std::vector<std::string>* libraries);

/// Reads the libraries with the options `parse`. Adds to the model the functions that it calls, and adds the places of
/// these functions to `places` and `linked`, which may be null. The libraries of the settings are read only if the
/// model calls something that neither the model nor ONNX defines. Findings about the model are added to `found`, and
/// findings about libraries to the report. Returns false if there was an error.
[[nodiscard]] bool LinkLibraries(const std::vector<std::string>& paths, const ParseOptions& parse,
                                 const SourceText& source, SourceMap* places, onnx::ModelProto* model,
                                 verdict::LinkedFiles* linked, Diagnostics* found, Report* report);

/// Adds the findings about linked functions to the report, and returns the other findings.
[[nodiscard]] Diagnostics FoundInModel(const Diagnostics& found, const verdict::LinkedFindings& linked, Report* report);

}  // namespace onnxc::cli
