// Reads settings files, `.onnxc.toml`, in the folder of the input or in an enclosing folder.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "settings/levels.h"

namespace onnxc {

/// The contents of a settings file. All members are empty if there is no file.
struct Settings {
  Levels warnings = {};
  std::string folder = {};                          ///< the folder of the file
  std::vector<std::string> libraries = {};          ///< files with functions that models call; paths relative to the
                                                    ///< folder
  std::vector<std::string> operators = {};          ///< files that declare operators; paths relative to the folder
  SourceFindings found = {SourceText("", ""), {}};  ///< errors in the file
};

/// Reads a settings file. An unknown key is an error, and so is a file of more than 64 KiB. If the file is a symbolic
/// link, findings show nothing of the contents of its target.
[[nodiscard]] Settings ReadSettings(const std::string& path);

/// Like ReadSettings(), for the text of such a file.
[[nodiscard]] Settings ReadSettingsText(const std::string& path, std::string text);

/// The settings for files in many folders. Each settings file is read once. All functions are thread-safe.
class SettingsFinder {
 public:
  /// Returns the settings for a file in this folder: those of the nearest `.onnxc.toml` in the folder or in an
  /// enclosing folder. The result is valid as long as this SettingsFinder exists. Sets `*is_new` to true if no earlier
  /// call returned the settings of the same `.onnxc.toml`.
  [[nodiscard]] const Settings& Find(const std::string& folder, bool* is_new);

 private:
  std::mutex mutex_;
  std::map<std::string, const Settings*> of_folders_;
  std::map<std::string, std::unique_ptr<const Settings>> files_;  // the key is a path; "" means that there is no file
};

}  // namespace onnxc
