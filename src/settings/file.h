// Files of settings: `.onnxc.toml`, in the folder of what is read or in one above it.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "settings/levels.h"

namespace onnxc {

/// A file of settings, or that there is none.
struct Settings {
  Levels warnings = {};
  std::string folder = {};                          ///< where the file is
  std::vector<std::string> libraries = {};          ///< files with functions that models call: paths below the folder
  std::vector<std::string> operators = {};          ///< files that declare operators: the same
  SourceFindings found = {SourceText("", ""), {}};  ///< what is wrong with the file
};

/// Reads a file of settings. What it says that is not known is an error, and so is a file of more than 64 KiB. Of what
/// a symbolic link leads to, findings show nothing.
[[nodiscard]] Settings ReadSettings(const std::string& path);

/// The same for the text in such a file.
[[nodiscard]] Settings ReadSettingsText(const std::string& path, std::string text);

/// The settings for files in many folders; each file of settings is read once. Any number of threads may ask.
class SettingsFinder {
 public:
  /// The settings for a file in that folder: those of the nearest `.onnxc.toml` in it or above it. They live as long as
  /// this object. `*is_new` tells that nobody was given this file of settings before.
  [[nodiscard]] const Settings& Find(const std::string& folder, bool* is_new);

 private:
  std::mutex mutex_;
  std::map<std::string, const Settings*> of_folders_;
  std::map<std::string, std::unique_ptr<const Settings>> files_;  // by path; "" where there is none
};

}  // namespace onnxc
