// Makes the parser of the command line for each subcommand, and lists its options as data for the help, the completion
// and the manual page.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/commands.h"

namespace onnxc::cli {

inline constexpr std::string_view kPurpose = "Read, write, check and compare ONNX models as text";

inline constexpr std::string_view kExamples = R"(
Examples:
  onnxc print model.onnx -o model.onnxtxt
  onnxc compile model.onnxtxt
  onnxc print model.onnx | less
  onnxc help syntax                      the syntax on one page, as a model with comments
)";

inline constexpr const char* kVersionHelp = "The versions of this program and of the formats that it reads";

[[nodiscard]] std::string Versions();

struct Program {
  std::unique_ptr<CLI::App> app;
  Action action;
};

void AddHelp(CLI::App* app);

[[nodiscard]] Program MakeProgram(const Command& command);

/// An option, or a positional argument if it has no names.
struct OptionInfo {
  std::vector<std::string> names;  ///< such as -o, --output
  std::string value;               ///< the placeholder for its value; empty for a flag
  std::vector<std::string> words;  ///< values that the completion of shells offers: see Offer()
  std::string description;
  bool takes_file = false;
  bool is_required = false;
  bool is_repeated = false;
};

[[nodiscard]] std::vector<OptionInfo> OptionsOf(const CLI::App& app);

/// Returns the output of -h for a subcommand.
[[nodiscard]] std::string Help(const CLI::App& app);

/// Returns the manual page of all subcommands in troff.
[[nodiscard]] std::string ManualPage();

/// Runs the complete command with the arguments of main(), and returns the exit status. It sets the signal handlers and
/// the terminate handler of the process. (The command of the Python package also calls it.)
[[nodiscard]] int Main(int argc, char** argv);

}  // namespace onnxc::cli
