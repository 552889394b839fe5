// The files that the tables [link] and [operators] of `.onnxc.toml` name.
#pragma once

#include <onnxc/operators.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "link/library.h"
#include "lsp/lines.h"
#include "settings/file.h"

namespace onnxc::lsp {

class Snapshot;

/// The libraries that one settings file names.
struct Libraries {
  std::vector<LinkInput> inputs = {};                       ///< the files that could be read
  std::vector<std::shared_ptr<const Snapshot>> texts = {};  ///< the inputs that are texts
  Diagnostics problems = {};                                ///< why the other files could not be read
};

/// The operator files that one settings file names.
struct OperatorFiles {
  Operators operators = {};
  Diagnostics problems = {};  ///< the errors in the files, and the reasons why files could not be read; without ranges
};

/// The device, inode, size and times of a file. They change if the file is written or replaced. All are 0 if the file
/// does not exist.
using Stamp = std::array<std::int64_t, 7>;

class NamedFiles {
 public:
  /// Returns the libraries that the settings name. Each file is read once. Files beyond a total of 64 MiB are not read.
  /// The result is valid as long as this NamedFiles exists. The function is thread-safe.
  [[nodiscard]] const Libraries& LibrariesOf(const onnxc::Settings& settings, Encoding encoding);
  [[nodiscard]] const OperatorFiles& OperatorsOf(const onnxc::Settings& settings);

  /// Returns whether settings that an earlier call passed to this object name the file.
  [[nodiscard]] bool Names(const std::string& path);
  /// Returns whether one of these files was written, removed or replaced since it was read.
  [[nodiscard]] bool HaveChanged();

 private:
  void AddPaths(const std::filesystem::path& folder, const std::vector<std::string>& paths);

  std::mutex mutex_;                                                   // guards the two members below
  std::map<std::string, std::unique_ptr<const Libraries>> libraries_;  // the key is the folder of the settings
  std::map<std::string, std::unique_ptr<const OperatorFiles>> operators_;
  std::mutex paths_mutex_;              // guards the member below; not locked while a file is read
  std::map<std::string, Stamp> paths_;  // the key is a path; the stamp is from before the file was read
};

/// Converts a finding in another file to a finding without a range. Its message begins with the file and line.
[[nodiscard]] Diagnostic FoundElsewhere(Diagnostic finding, const SourceText& source);

}  // namespace onnxc::lsp
