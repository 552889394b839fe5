#include "settings/file.h"

#include <fmt/format.h>
#include <onnxc/model_io.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <tuple>
#include <utility>
#include <vector>

#include "external/external_entries.h"
#include "settings/toml.h"
#include "source/report.h"

namespace onnxc {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFileName = ".onnxc.toml";
constexpr std::size_t kLargestFile = std::size_t{64} << 10;
constexpr std::size_t kMostShown = 100;

/// Finds the offsets of places in a text. The places must be requested in order. Lines and columns count from 1, and
/// columns count characters.
class Offsets {
 public:
  explicit Offsets(std::string_view text) : text_(text) {}

  std::size_t Of(const toml::source_position& place) {
    while (line_ < place.line && at_ < text_.size()) {
      at_ = std::min(text_.find('\n', at_), text_.size() - 1) + 1;
      ++line_;
      column_ = 1;
    }
    while (column_ < place.column && at_ < text_.size() && text_[at_] != '\n') {
      do ++at_;
      while (at_ < text_.size() && (static_cast<unsigned char>(text_[at_]) & 0xC0u) == 0x80u);
      ++column_;
    }
    return at_;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  toml::source_index line_ = 1;
  toml::source_index column_ = 1;
};

/// A table of the settings file that lists other files, such as libraries.
struct FileList {
  std::string_view table;
  std::string_view key;
  std::string_view file;  ///< the word for such a file in messages
  std::string_view example;
  std::vector<std::string> Settings::*paths;
};
constexpr std::array kLists = {
    FileList{"link", "libraries", "library", "lib.onnxtxt", &Settings::libraries},
    FileList{"operators", "files", "file of operators", "ops.onnxtxt", &Settings::operators},
};

class Reader {
 public:
  explicit Reader(Settings* settings) : settings_(settings) {}

  void Read(const toml::table& file) {
    for (const auto& [key, value] : file) {
      const auto list = std::ranges::find(kLists, key.str(), &FileList::table);
      if (list == kLists.end() && key.str() != "warnings") {
        Add(key.source().begin, fmt::format("unknown key '{}'; the known tables are [warnings], [link] and [operators]",
                                            Quoted(key.str())));
      } else if (!value.is_table()) {
        Add(key.source().begin, fmt::format("'{}' must be a table: [{}]", key.str(), key.str()));
      } else {
        for (const auto& [name, word] : *value.as_table()) {
          list == kLists.end() ? ReadLevel(name, word) : ReadFiles(*list, name, word);
        }
      }
    }
  }

  void Add(const toml::source_position& place, std::string message) {
    problems_.push_back({place, std::move(message)});
  }

  /// Reports all added findings, sorted by place, because the library's tables are sorted by key.
  void Finish() {
    std::ranges::stable_sort(
        problems_, {}, [](const Problem& problem) { return std::tuple(problem.place.line, problem.place.column); });
    Offsets offsets(settings_->found.source.text());
    for (const Problem& problem : problems_) {
      const std::size_t at = offsets.Of(problem.place);
      settings_->found.diagnostics.Add(MakeDiagnostic(diag::kCannotRead, {at, at}, problem.message));
    }
    settings_->found.diagnostics.Finish(kMostShown);
  }

 private:
  struct Problem {
    toml::source_position place;
    std::string message;
  };

  void ReadLevel(const toml::key& kind, const toml::node& word) {
    if (!word.is_string()) {
      return Add(
          word.source().begin,
          fmt::format("the level of '{}' must be a string: \"off\", \"warning\" or \"error\"", Quoted(kind.str())));
    }
    const auto wrong = settings_->warnings.SetWord(kind.str(), *word.value<std::string_view>());
    if (wrong) Add(kind.source().begin, *wrong);
  }

  void ReadFiles(const FileList& list, const toml::key& key, const toml::node& value) {
    constexpr std::size_t kMost = 100;
    if (key.str() != list.key) {
      return Add(key.source().begin,
                 fmt::format("unknown key '{}'; [{}] has '{}'", Quoted(key.str()), list.table, list.key));
    }
    const toml::array* const paths = value.as_array();
    if (paths == nullptr) {
      return Add(value.source().begin, fmt::format("'{}' must be a list of files: [\"{}\"]", list.key, list.example));
    }
    if (paths->size() > kMost) {
      return Add(value.source().begin, fmt::format("there are more than {} {}", kMost, list.key));
    }
    for (const toml::node& path : *paths) {
      if (!path.is_string()) {
        Add(path.source().begin, fmt::format("the path of a {} must be a string", list.file));
        continue;
      }
      const auto name = *path.value<std::string>();
      const std::string problem = LocationProblem(name, "the folder of the settings");
      if (problem.empty()) {
        (settings_->*list.paths).push_back(name);
      } else {
        Add(path.source().begin, fmt::format("the path '{}' of a {} {}", Quoted(name), list.file, problem));
      }
    }
  }

  Settings* settings_;
  std::vector<Problem> problems_;
};

/// Returns the message that a text is not TOML. `description` is the library's description of the error, such as "Error
/// while parsing table header: expected ']'".
std::string NoToml(std::string_view description) {
  constexpr std::string_view kBegin = "Error while parsing ";
  if (description.starts_with(kBegin)) description.remove_prefix(kBegin.size());
  return fmt::format("this is not TOML: {}", description);
}

/// Returns the nearest settings file, or "". A file with this name counts even if it cannot be read, so that the
/// failure is reported.
std::string FindFile(const std::string& folder) {
  std::error_code error;
  fs::path at = fs::absolute(folder.empty() ? "." : folder, error).lexically_normal();
  std::error_code unknown;
  const fs::path here = fs::current_path(unknown);
  while (!error && !at.empty()) {
    const fs::path file = at / kFileName;
    // Links are not resolved, so that messages show the path that was searched.
    if (fs::exists(fs::symlink_status(file, error))) return file.lexically_proximate(here).string();
    error.clear();
    const fs::path above = at.parent_path();
    if (above == at) break;
    at = above;
  }
  return "";
}

Settings Refused(const std::string& path, Diagnostic finding) {
  return {.found = {SourceText(path, ""), Only(std::move(finding))}};
}

void ReadText(Settings* settings) {
  const std::string_view text = settings->found.source.text();
  if (const auto at = toml_guard::FindUnreadable(text)) {
    settings->found.diagnostics.Add(MakeDiagnostic(diag::kCannotRead, {at->offset, at->offset}, at->why));
    return;
  }
  Reader reader(settings);
  try {
    const toml::parse_result file = toml::parse(text);
    if (file) {
      reader.Read(file.table());
    } else {
      reader.Add(file.error().source().begin, NoToml(file.error().description()));
    }
  } catch (const toml_guard::Broken&) {
    reader.Add({1, 1}, NoToml("the TOML library cannot read it"));
  }
  reader.Finish();
}

}  // namespace

Settings ReadSettingsText(const std::string& path, std::string text) {
  if (text.size() > kLargestFile) {
    return Refused(path, InputTooLarge(kLargestFile, "the file").items().front());
  }
  Settings settings{.folder = fs::path(path).parent_path().string(), .found = {SourceText(path, std::move(text)), {}}};
  ReadText(&settings);
  return settings;
}

Settings ReadSettings(const std::string& path) {
  std::error_code error;
  if (fs::is_other(path, error)) {  // reading a pipe could block
    return Refused(path, MakeDiagnostic(diag::kCannotRead, kNowhere, "it is not a regular file"));
  }
  SourceText mapped(path, "");
  if (const Diagnostics found = ReadFile(path, &mapped, kLargestFile); !found.ok()) {
    return Refused(path, found.items().front());
  }
  // The text is copied, because an editor may truncate the mapped file.
  Settings settings = ReadSettingsText(path, std::string(mapped.text()));
  // A link in an untrusted folder may lead to any file of the user, so findings show nothing of its contents.
  if (!settings.found.diagnostics.empty() && fs::is_symlink(path, error)) {
    return Refused(path, MakeDiagnostic(diag::kCannotRead, kNowhere, "the target of the link is not a settings file"));
  }
  return settings;
}

const Settings& SettingsFinder::Find(const std::string& folder, bool* is_new) {
  const std::lock_guard lock(mutex_);
  *is_new = false;
  const Settings*& settings = of_folders_[folder];
  if (settings != nullptr) return *settings;
  const std::string path = FindFile(folder);
  std::unique_ptr<const Settings>& file = files_[path];
  if (file == nullptr) {
    *is_new = true;
    file = std::make_unique<const Settings>(path.empty() ? Settings() : ReadSettings(path));
  }
  settings = file.get();
  return *settings;
}

}  // namespace onnxc
