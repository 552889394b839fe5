// The options and exit statuses that all subcommands share.
#pragma once

#include <onnxc/diagnostic.h>
#include <onnxc/kind.h>
#include <onnxc/model_io.h>

#include <CLI/CLI.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/owned_message.h"
#include "settings/levels.h"

namespace onnxc::cli {

enum ExitStatus : int {
  kDone = 0,
  kWrongInput = 1,
  kCannot = 2,  ///< usage error, or a file cannot be read or written
};

struct CommonOptions {
  std::string color = "auto";
  std::string error_format = "text";
  bool quiet = false;
  bool all_findings = false;
  Levels warnings = {};
  std::size_t max_bytes = std::numeric_limits<std::size_t>::max();  ///< limit for each input file
};

void AddCommonOptions(CLI::App* app, CommonOptions* options);

/// Returns whether a file descriptor such as STDERR_FILENO is a terminal that can do more than show lines of text.
[[nodiscard]] bool IsTerminal(int file_descriptor);

/// Returns whether the output to a file descriptor such as STDERR_FILENO is coloured.
[[nodiscard]] bool UsesColor(const CommonOptions& options, int file_descriptor);

/// Adds a positional argument for the input file. It is required if `*path` is empty. `what` is the description, such
/// as "The file to read".
void AddInput(CLI::App* app, const std::string& name, std::string* path, std::string_view what);
/// Like AddInput(), for any number of files and folders.
void AddInputs(CLI::App* app, const std::string& name, std::vector<std::string>* paths, std::string_view what);

/// Adds the option `-o`.
CLI::Option* AddOutput(CLI::App* app, std::string* path, const std::string& description);

/// Adds the option `--kind`. `*kind` stays empty if the option is not given.
void AddKindOption(CLI::App* app, std::string* kind);

/// Adds the option `--threads`. `*threads` stays 0 if the option is not given.
void AddThreadsOption(CLI::App* app, unsigned* threads);

/// Returns a validator which requires that the value of `name` is one of `words`.
[[nodiscard]] CLI::Validator OneOf(const std::vector<std::string_view>& words, const std::string& name);

/// Returns a validator which requires a number from `least` to `most`. Without it, CLI11 would accept negative and too
/// large numbers, which wrap around.
[[nodiscard]] CLI::Validator CountBetween(std::uint64_t least, std::uint64_t most);

/// Lets the completion of shells offer the words as values of the option. They are kept in its `option_text`, which
/// only CLI11's own help would show.
void Offer(const std::vector<std::string_view>& words, CLI::Option* option);

/// Adds an option or a positional argument whose value must be one of `words`.
CLI::Option* AddChoice(CLI::App* app, const std::string& name, std::string* value,
                       const std::vector<std::string_view>& words, const std::string& description);

/// Writes to standard error. A failure is ignored, because it could not be reported.
void PrintError(std::string_view text);

/// Reports a usage error, such as "onnxc compile: error: ...".
[[nodiscard]] ExitStatus WrongCall(std::string_view program, std::string_view message);

}  // namespace onnxc::cli
