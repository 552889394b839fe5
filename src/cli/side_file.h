// Options and steps of the subcommands that move weights to an external data file.
#pragma once

#include <onnxc/external_data.h>

#include <optional>
#include <string>

#include "cli/options.h"

namespace onnxc::cli {

struct SideFileOptions {
  std::string name;                                  ///< "" if no file is wanted
  std::optional<std::uint64_t> size_threshold = {};  ///< kSizeThreshold is used if not set
};

/// Adds the option `--save-as-external FILE`.
CLI::Option* AddSideFileOption(CLI::App* app, SideFileOptions* options);
/// Adds the option `--size-threshold BYTES`.
CLI::Option* AddThresholdOption(CLI::App* app, SideFileOptions* options);
/// Adds the option `--allow-links`, which applies to external data files and to inputs in folders.
void AddLinksOption(CLI::App* app, bool* allow_links);

/// How weights are read.
struct SourceOptions {
  bool allow_links = false;
  std::uint64_t max_copies = kMostCopies;
};
/// Adds the options `--allow-links` and `--max-copies`.
void AddSourceOptions(CLI::App* app, SourceOptions* options);

/// Returns why the external data file cannot be used with this input and output, or nothing if it can.
[[nodiscard]] std::optional<std::string> WrongSideFile(const std::string& name, const std::string& input,
                                                       const std::string& output);

/// Returns the options for reading the data of the model in the file `input`.
[[nodiscard]] ExternalDataOptions DataOptionsFor(const CommonOptions& options, const std::string& input,
                                                 const SourceOptions& source);

/// Returns the options of SaveExternal() for a model that is written to `output`.
[[nodiscard]] SaveExternalOptions SaveOptionsFor(const SideFileOptions& options, const ExternalDataOptions& source,
                                                 const std::string& output);

/// Returns whether the output is in another folder than the input.
[[nodiscard]] bool LeavesFolder(const std::string& input, const std::string& output);

/// Warns if the message refers to files in the folder of `input`, but is written to another folder.
[[nodiscard]] Diagnostics FindLeftBehind(const google::protobuf::Message& message, const std::string& input,
                                         const std::string& output);

}  // namespace onnxc::cli
