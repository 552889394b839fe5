// The table of subcommands.
#pragma once

#include <CLI/CLI.hpp>
#include <array>
#include <functional>
#include <string_view>

#include "cli/options.h"

namespace onnxc::cli {

/// Runs the subcommand with the options that were parsed.
using Action = std::function<ExitStatus()>;

struct Command {
  std::string_view name;
  std::string_view summary;
  std::string_view details;          ///< behind the options in the long help
  Action (*add_options)(CLI::App*);  ///< the action holds the options' values
};

extern const Command kCompile;
extern const Command kPrint;
extern const Command kCheck;
extern const Command kWeights;

inline const std::array<const Command*, 4> kCommands = {&kCompile, &kPrint, &kCheck, &kWeights};

}  // namespace onnxc::cli
