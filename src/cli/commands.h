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
extern const Command kConvert;
extern const Command kCheck;
extern const Command kFmt;
extern const Command kCompletion;

inline const std::array<const Command*, 6> kCommands = {&kCompile, &kPrint, &kConvert, &kCheck, &kFmt, &kCompletion};

}  // namespace onnxc::cli
