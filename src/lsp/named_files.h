// The files that the tables [link] and [operators] of `.onnxc.toml` name.
#pragma once

#include <onnxc/operators.h>

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "link/library.h"
#include "lsp/lines.h"
#include "platform/file_stamp.h"
#include "settings/file.h"
#include "verdict/linked.h"

namespace onnxc::lsp {

class Snapshot;

/// The libraries that one settings file names.
struct Libraries {
  std::string folder = {};                                  ///< the absolute path of the settings' folder
  std::vector<LinkInput> inputs = {};                       ///< the files that could be read, named as in the settings
  std::vector<verdict::LibraryPlaces> places = {};          ///< of `inputs`
  std::vector<std::shared_ptr<const Snapshot>> texts = {};  ///< the inputs that are texts
  Diagnostics problems = {};                                ///< why the other files could not be read

  /// Returns the name that a file has in the settings, or would have.
  [[nodiscard]] std::string NameOf(const std::string& path) const;
  /// Returns the text of this name in the settings, or null.
  [[nodiscard]] const Snapshot* FindText(const std::string& name) const;
};

/// The operator files that one settings file names.
struct OperatorFiles {
  Operators operators = {};
  Diagnostics problems = {};  ///< the errors in the files, and the reasons why files could not be read; without ranges
};

class NamedFiles {
 public:
  /// Returns the libraries that the settings name. Each file is read only once. A file is not read if the total size
  /// would then exceed 64 MiB. The result is valid as long as this NamedFiles exists. The function is thread-safe.
  [[nodiscard]] const Libraries& LibrariesOf(const onnxc::Settings& settings, Encoding encoding);
  [[nodiscard]] const OperatorFiles& OperatorsOf(const onnxc::Settings& settings);

  /// Returns whether any settings that were passed to an earlier call of LibrariesOf() or OperatorsOf() name the file.
  [[nodiscard]] bool Names(const std::string& path);
  /// Returns whether one of the named files was written, removed or replaced since it was read.
  [[nodiscard]] bool HaveChanged();

 private:
  using Stamps = std::map<std::string, FileStamp>;  // the key is the path

  void AddPaths(const std::filesystem::path& folder, const std::vector<std::string>& paths);

  std::mutex mutex_;                                                   // guards the two members below
  std::map<std::string, std::unique_ptr<const Libraries>> libraries_;  // the key is the folder of the settings
  std::map<std::string, std::unique_ptr<const OperatorFiles>> operators_;
  std::mutex stamps_mutex_;  // guards the member below; never locked during a call to the file system
  Stamps stamps_;            // the state of each file just before it was read
};

/// Converts a finding in another file to a finding without a range. Its message begins with the file and line.
[[nodiscard]] Diagnostic FoundElsewhere(Diagnostic finding, const SourceText& source);

}  // namespace onnxc::lsp
