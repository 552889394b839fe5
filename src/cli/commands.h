// The table of subcommands.
#pragma once

#include <CLI/CLI.hpp>
#include <array>
#include <functional>
#include <string_view>

#include "cli/options.h"

namespace onnxc::cli {

/// Runs the subcommand with the parsed options.
using Action = std::function<ExitStatus()>;

inline constexpr std::string_view kExitStatuses = R"(
Exit status:
  0  done
  1  the input has errors
  2  the command line is invalid, or a file cannot be read or written
)";

/// Of the subcommands that have no input.
inline constexpr std::string_view kExitStatusesWithoutInput = R"(
Exit status:
  0  done
  2  the command line is invalid, or the output cannot be written
)";

struct Command {
  std::string_view name;
  std::string_view summary;
  std::string_view details;          ///< shown after the options in the long help
  Action (*add_options)(CLI::App*);  ///< the returned action owns the values of the options
  std::string_view exit_statuses = kExitStatuses;
};

extern const Command kCompile;
extern const Command kPrint;
extern const Command kConvert;
extern const Command kCheck;
extern const Command kExtract;
extern const Command kRename;
extern const Command kRemove;
extern const Command kSet;
extern const Command kSort;
extern const Command kInline;
extern const Command kStrip;
extern const Command kExplain;
extern const Command kFmt;
extern const Command kDiff;
extern const Command kMerge;
extern const Command kInfo;
extern const Command kInfer;
extern const Command kGraph;
extern const Command kWeights;
extern const Command kLsp;
extern const Command kCompletion;

inline const std::array kCommands = {&kCompile, &kPrint, &kConvert, &kCheck, &kExplain, &kInfer,  &kFmt,
                                     &kDiff,    &kMerge, &kInfo,    &kGraph, &kExtract, &kInline, &kRemove,
                                     &kRename,  &kSet,   &kSort,    &kStrip, &kWeights, &kLsp,    &kCompletion};

}  // namespace onnxc::cli
