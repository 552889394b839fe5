// What the subcommands have in common that move weights to a file beside the model.
#pragma once

#include <onnxc/external_data.h>

#include <optional>
#include <string>

#include "cli/options.h"

namespace onnxc::cli {

struct SideFileOptions {
  std::string name;                                  ///< "" where none is asked for
  std::optional<std::uint64_t> size_threshold = {};  ///< kSizeThreshold where none is given
};

/// `--save-as-external FILE`
CLI::Option* AddSideFileOption(CLI::App* app, SideFileOptions* options);
/// `--size-threshold BYTES`
CLI::Option* AddThresholdOption(CLI::App* app, SideFileOptions* options);
/// `--allow-links`, also for inputs in folders
void AddLinksOption(CLI::App* app, bool* allow_links);

/// How weights are read.
struct SourceOptions {
  bool allow_links = false;
  std::uint64_t max_copies = kMostCopies;
};
/// `--allow-links` and `--max-copies`
void AddSourceOptions(CLI::App* app, SourceOptions* options);

/// What is wrong with a side file for this input and output, if anything.
[[nodiscard]] std::optional<std::string> WrongSideFile(const std::string& name, const std::string& input,
                                                       const std::string& output);

/// How the data of the model in the file `input` are read.
[[nodiscard]] ExternalDataOptions DataOptionsFor(const CommonOptions& options, const std::string& input,
                                                 const SourceOptions& source);

/// The options of SaveExternal for a model that is written to `output`.
[[nodiscard]] SaveExternalOptions SaveOptionsFor(const SideFileOptions& options, const ExternalDataOptions& source,
                                                 const std::string& output);

/// SaveExternal() for the model in the file `input`, which is written to `output`. An error where the side file is one
/// that the weights of `input` are in, and `input` stays: it would lose them.
[[nodiscard]] Diagnostics SaveBeside(google::protobuf::Message* message, const SaveExternalOptions& options,
                                     const std::string& input, const std::string& output, PendingFile* file);

/// Whether an output to another folder than the input's is asked for.
[[nodiscard]] bool LeavesFolder(const std::string& input, const std::string& output);

/// Warns where the message refers to files in the folder of `input`, but is written to another one.
[[nodiscard]] Diagnostics FindLeftBehind(const google::protobuf::Message& message, const std::string& input,
                                         const std::string& output);

/// An error where `output` is a file that the weights of the message from `input` are in.
[[nodiscard]] Diagnostics FindReplaced(const google::protobuf::Message& message, const std::string& input,
                                       const std::string& output);

}  // namespace onnxc::cli
