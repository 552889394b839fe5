// `--fix`: applies the corrections of findings to the file.
#pragma once

#include <onnxc/diagnostic.h>

#include <optional>
#include <string>
#include <vector>

#include "cli/report.h"
#include "verdict/judge.h"

namespace onnxc::cli {

struct FixOptions {
  bool fix = false;
  bool diff = false;  ///< show the corrections instead of writing them
};

/// `--fix` and `--diff`
void AddFixOptions(CLI::App* app, FixOptions* options);

/// What is wrong with the call, if anything.
[[nodiscard]] std::optional<std::string> WrongFix(const FixOptions& options, const std::vector<std::string>& inputs);

/// Corrects the text in the file `path` as the fix-its of its findings say, until there are none left: then `*source`
/// is the corrected text, and so is the file. With `--diff` the difference goes to standard output, and both stay as
/// they are. Returns whether there were corrections.
[[nodiscard]] bool Fix(const std::string& path, const FixOptions& options, const verdict::Judge& judge,
                       SourceText* source, Report* report);

}  // namespace onnxc::cli
