// Files of operators, which the option `--operators` and the settings name.
#pragma once

#include <onnxc/operators.h>

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "cli/report.h"

namespace onnxc::cli {

/// Adds the option `--operators`.
void AddOperatorsOption(CLI::App* app, std::vector<std::string>* paths);

/// The operators for many inputs. Each list of files is read once. All functions are thread-safe.
class OperatorFiles {
 public:
  OperatorFiles(const std::vector<std::string>& paths, std::size_t max_bytes) : paths_(paths), max_bytes_(max_bytes) {}

  /// Returns the operators of the files that the option and the settings for this input name. Returns nothing if a file
  /// has an error. Each error is reported only once.
  [[nodiscard]] std::optional<Operators> For(const std::string& input, Report* report);

 private:
  [[nodiscard]] std::optional<Operators> Read(const Settings& settings, Report* report) const;

  const std::vector<std::string>& paths_;
  const std::size_t max_bytes_;
  std::mutex mutex_;
  // Keyed by the folder and the paths of the settings.
  std::map<std::vector<std::string>, std::optional<Operators>> of_lists_;
};

}  // namespace onnxc::cli
