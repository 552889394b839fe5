// The files of functions that settings name: [link] in `.onnxc.toml`.
#pragma once

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

/// Those of one file of settings.
struct Libraries {
  std::vector<LinkInput> inputs = {};                       ///< what could be read
  std::vector<std::shared_ptr<const Snapshot>> texts = {};  ///< those of them that are texts
  std::vector<std::string> problems = {};                   ///< why the others could not be read
};

class LibraryFinder {
 public:
  /// Each file is read once; not those beyond 64 MiB in all. The result lives as long as this object. Any number of
  /// threads may ask.
  [[nodiscard]] const Libraries& Of(const onnxc::Settings& settings, Encoding encoding);

  /// Whether some settings that were asked for name this file.
  [[nodiscard]] bool Names(const std::string& path);

 private:
  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<const Libraries>> of_folders_;
  std::set<std::string> paths_;
};

}  // namespace onnxc::lsp
