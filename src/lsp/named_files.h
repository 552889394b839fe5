// The files that settings name: [link] and [operators] in `.onnxc.toml`.
#pragma once

#include <onnxc/operators.h>

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "link/library.h"
#include "lsp/lines.h"
#include "settings/file.h"

namespace onnxc::lsp {

class Snapshot;

/// The files of functions that one file of settings names.
struct Libraries {
  std::vector<LinkInput> inputs = {};                       ///< what could be read
  std::vector<std::shared_ptr<const Snapshot>> texts = {};  ///< those of them that are texts
  Diagnostics problems = {};                                ///< why the others could not be read
};

/// The files of operators that one file of settings names.
struct OperatorFiles {
  Operators operators = {};
  Diagnostics problems = {};  ///< the errors in them, and why some could not be read; without places
};

class NamedFiles {
 public:
  /// Each file is read once; not those beyond 64 MiB in all. The result lives as long as this object. Any number of
  /// threads may ask.
  [[nodiscard]] const Libraries& LibrariesOf(const onnxc::Settings& settings, Encoding encoding);
  [[nodiscard]] const OperatorFiles& OperatorsOf(const onnxc::Settings& settings);

  /// Whether some settings that were asked for name this file.
  [[nodiscard]] bool Names(const std::string& path);

 private:
  void AddPaths(const std::filesystem::path& folder, const std::vector<std::string>& paths);

  std::mutex mutex_;                                                   // of what follows
  std::map<std::string, std::unique_ptr<const Libraries>> libraries_;  // by folder
  std::map<std::string, std::unique_ptr<const OperatorFiles>> operators_;
  std::set<std::string> paths_;
};

/// A finding in a file that a text needs, as it is told where it has no place: the message begins with the place.
[[nodiscard]] Diagnostic FoundElsewhere(Diagnostic finding, const SourceText& source);

}  // namespace onnxc::lsp
