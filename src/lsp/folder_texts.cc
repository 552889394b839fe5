#include "lsp/folder_texts.h"

#include <fmt/format.h>
#include <onnxc/file.h>

#include <algorithm>
#include <utility>

#include "lsp/uri.h"

namespace onnxc::lsp {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostEntries = 20'000;  // files and folders that are visited at most
constexpr std::size_t kMostTexts = 2'000;
constexpr std::uintmax_t kLargestText = std::uintmax_t{1} << 20;  // bytes of one text
constexpr std::uintmax_t kMostOfTexts = std::uintmax_t{4} << 20;  // bytes of all texts

bool IsText(const fs::path& path) { return path.extension() == ".onnxtxt" || path.extension() == ".onnxtext"; }

bool IsEntered(const fs::path& folder) {
  const std::string name = folder.filename().string();
  return !name.starts_with('.') && name != "node_modules";
}

}  // namespace

void FolderTexts::Add(const std::string& folder) {
  const std::lock_guard lock(mutex_);
  ++folders_[folder];
  is_listed_ = false;
}

void FolderTexts::Remove(const std::string& folder) {
  const std::lock_guard lock(mutex_);
  const auto found = folders_.find(folder);
  if (found == folders_.end()) return;
  if (--found->second == 0) folders_.erase(found);
  is_listed_ = false;
}

bool FolderTexts::Contain(const std::string& path) {
  const std::lock_guard lock(mutex_);
  return std::ranges::any_of(folders_, [&](const auto& row) { return (path + '/').starts_with(row.first + '/'); });
}

void FolderTexts::Forget() {
  const std::lock_guard lock(mutex_);
  is_listed_ = false;
}

void FolderTexts::ListFolder(const std::string& folder, std::size_t* entries) {
  std::error_code error;
  fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, error);
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    if (++*entries > kMostEntries) return;
    std::error_code unknown;
    if (at->is_directory(unknown) && !IsEntered(at->path())) at.disable_recursion_pending();
    if (IsText(at->path()) && at->symlink_status(unknown).type() == fs::file_type::regular) {
      paths_.push_back(at->path().string());
    }
  }
}

void FolderTexts::List() {
  paths_.clear();
  std::size_t entries = 0;
  for (const auto& [folder, count] : folders_) ListFolder(folder, &entries);
  has_more_entries_ = entries > kMostEntries;
  std::ranges::sort(paths_);
  paths_.erase(std::unique(paths_.begin(), paths_.end()), paths_.end());  // a path appears twice if a folder of the
                                                                          // workspace is inside of another one
  is_listed_ = true;
}

FolderTexts::Found FolderTexts::All(const std::shared_ptr<const Settings>& settings, Encoding encoding) {
  const std::lock_guard lock(mutex_);
  if (!is_listed_) List();
  Found found;
  std::map<std::string, Text> texts;
  std::uintmax_t bytes = 0;
  std::string left_out =
      has_more_entries_
          ? fmt::format("The folders contain more than {} files, so some texts are not read.", kMostEntries)
          : "";
  for (const std::string& path : paths_) {
    std::error_code error;
    const Text now = {.time = fs::last_write_time(path, error), .size = fs::file_size(path, error)};
    if (error) continue;  // the file was deleted
    if (now.size > kLargestText || bytes + now.size > kMostOfTexts || found.texts.size() >= kMostTexts) {
      left_out =
          fmt::format("At most {} texts of up to {} MiB each, and {} MiB in all, are read; some texts are left out.",
                      kMostTexts, kLargestText >> 20, kMostOfTexts >> 20);
      continue;
    }
    bytes += now.size;
    Text& text = texts[path] = std::move(texts_[path]);
    if (text.snapshot == nullptr || text.time != now.time || text.size != now.size || text.settings != settings) {
      SourceText mapped(path, "");
      if (!ReadFile(path, &mapped, kLargestText).ok()) continue;
      text = now;
      text.settings = settings;
      text.snapshot = std::make_shared<const Snapshot>(UriOf(path), 0, std::string(mapped.text()), encoding, settings);
    }
    found.texts.push_back(text.snapshot);
  }
  texts_ = std::move(texts);
  if (left_out != told_) found.left_out = told_ = std::move(left_out);
  return found;
}

}  // namespace onnxc::lsp
