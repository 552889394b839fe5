// The option `--fix`, which applies the fix-its of findings to the file.
#pragma once

#include <onnxc/diagnostic.h>

#include <optional>
#include <string>
#include <vector>

#include "cli/report.h"
#include "verdict/analyze.h"

namespace onnxc::cli {

struct FixOptions {
  bool fix = false;
  bool diff = false;  ///< show the corrections instead of writing them
};

/// Adds the options `--fix` and `--diff`.
void AddFixOptions(CLI::App* app, FixOptions* options);

/// Returns a usage error, or nothing if there is none.
[[nodiscard]] std::optional<std::string> WrongFix(const FixOptions& options, const std::vector<std::string>& inputs);

/// If `--fix` is given and the source is a text, applies fix-its to the text in the file until there are none left.
/// Then both `*source` and the file are the corrected text. With `--diff`, the differences are written to standard
/// output, and both stay unchanged. Returns false if the text must not be compiled: after an error, or if there are
/// differences.
[[nodiscard]] bool Fix(const FixOptions& options, const verdict::AnalyzeOptions& analysis, SourceText* source,
                       Report* report);

}  // namespace onnxc::cli
