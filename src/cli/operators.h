// Files of operators: those that the option `--operators` names, and those of the settings.
#pragma once

#include <onnxc/operators.h>

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "cli/report.h"

namespace onnxc::cli {

/// `--operators`
void AddOperatorsOption(CLI::App* app, std::vector<std::string>* paths);

/// The operators for many inputs; each list of files is read once. Any number of threads may ask.
class OperatorFiles {
 public:
  OperatorFiles(const std::vector<std::string>& paths, std::size_t max_bytes) : paths_(paths), max_bytes_(max_bytes) {}

  /// The operators that the option and the settings for this input name. Nothing where a file has an error, which is
  /// reported once.
  [[nodiscard]] std::optional<Operators> For(const std::string& input, Report* report);

 private:
  [[nodiscard]] std::optional<Operators> Read(const Settings& settings, Report* report) const;

  const std::vector<std::string>& paths_;
  const std::size_t max_bytes_;
  std::mutex mutex_;
  std::map<std::vector<std::string>, std::optional<Operators>> of_lists_;  // by folder and paths of the settings
};

}  // namespace onnxc::cli
