// The text files in the folders of the workspace, as they are on the disk.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "lsp/snapshot.h"

namespace onnxc::lsp {

/// Finds and keeps the texts of the folders. All functions are thread-safe.
class FolderTexts {
 public:
  void Add(const std::string& folder);
  void Remove(const std::string& folder);
  /// Returns whether the path is one of the folders or inside of one.
  [[nodiscard]] bool Contain(const std::string& path);
  /// After this call, the next All() lists the files again. Called when files may have been added, changed or deleted.
  void Forget();

  struct Found {
    std::vector<std::shared_ptr<const Snapshot>> texts = {};
    std::string left_out = {};  ///< a message about texts that were left out because of the limits; empty if there are
                                ///< none or an earlier result had the message
  };
  /// Returns the texts of all folders, sorted by path. A file is read if it is new or has changed. Its text is analysed
  /// only when a result of the analysis is needed. Hidden folders, node_modules and links are skipped.
  [[nodiscard]] Found All(const std::shared_ptr<const Settings>& settings, Encoding encoding);
  /// Returns whether the last All() left out texts because of the limits.
  [[nodiscard]] bool AreLeftOut() {
    const std::lock_guard lock(mutex_);
    return !told_.empty();
  }

 private:
  struct Text {
    std::filesystem::file_time_type time;
    std::uintmax_t size = 0;
    std::shared_ptr<const Settings> settings = {};
    std::shared_ptr<const Snapshot> snapshot = {};
  };
  void List();
  void ListFolder(const std::string& folder, std::size_t* entries);

  std::mutex mutex_;
  std::map<std::string, int> folders_;  // how often each folder was added
  bool is_listed_ = false;
  std::vector<std::string> paths_;
  std::map<std::string, Text> texts_;
  bool has_more_entries_ = false;
  std::string told_;  // the message of the last All()
};

}  // namespace onnxc::lsp
