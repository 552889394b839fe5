// The texts in the folders of the workspace, as they are on the disk.
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

/// Any number of threads may ask.
class FolderTexts {
 public:
  void Add(const std::string& folder);
  void Remove(const std::string& folder);
  /// Files may be new, changed or gone: they are looked for again.
  void Forget();

  struct Found {
    std::vector<std::shared_ptr<const Snapshot>> texts = {};
    std::string left_out = {};  ///< what the limits leave out, for people; empty where that was said before
  };
  /// The texts of all folders, by path. Each is read when it is new or was changed, and analysed when somebody asks for
  /// more than its words. Hidden folders, node_modules and links are not entered.
  [[nodiscard]] Found All(const std::shared_ptr<const Settings>& settings, Encoding encoding);

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
  std::map<std::string, int> folders_;  // how often each was added
  bool is_listed_ = false;
  std::vector<std::string> paths_;
  std::map<std::string, Text> texts_;
  bool has_more_entries_ = false;
  std::string told_;
};

}  // namespace onnxc::lsp
