// Options and steps that the subcommands compile and check share.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/link.h"
#include "cli/side_file.h"

namespace onnxc::cli {

/// Adds the option `--no-infer`.
void AddInferOption(CLI::App* app, bool* no_infer);

/// Adds the option `--weights`.
void AddWeightsOption(CLI::App* app, std::string* weights);

/// What the options add to a message before it is checked.
struct Additions {
  const std::vector<std::string>& libraries;
  const std::string& weights;
  ParseOptions parse;        ///< for the libraries
  ExternalDataOptions data;  ///< for the weights
};

/// Adds library functions and then weights to the message. Returns false if there was an error. The other parameters
/// are those of LinkLibraries().
[[nodiscard]] bool Complete(const Additions& additions, const SourceText& source, SourceMap* places,
                            google::protobuf::Message* message, verdict::LinkedFiles* linked, Diagnostics* found,
                            Report* report);

}  // namespace onnxc::cli
