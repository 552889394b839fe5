#include "settings/file.h"

#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include <fmt/format.h>
#include <onnxc/model_io.h>
#include <toml++/toml.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "source/report.h"

namespace onnxc {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFileName = ".onnxc.toml";
constexpr std::size_t kLargestFile = std::size_t{1} << 20;

/// The offset of a place in a text; lines and columns count from 1.
std::size_t OffsetOf(std::string_view text, const toml::source_position& place) {
  std::size_t begin = 0;
  for (auto line = place.line; line > 1 && begin < text.size(); --line) begin = text.find('\n', begin) + 1;
  return std::min(begin + std::max<std::size_t>(place.column, 1) - 1, text.size());
}

class Reader {
 public:
  explicit Reader(Settings* settings) : settings_(settings) {}

  void Read(const toml::table& file) {
    for (const auto& [key, value] : file) {
      if (key.str() == "warnings" && !value.is_table()) {
        Add(key.source().begin, "'warnings' must be a table: [warnings]");
        continue;
      }
      if (key.str() != "warnings") {
        Add(key.source().begin, fmt::format("unknown key '{}'; there is a table [warnings]", Quoted(key.str())));
        continue;
      }
      for (const auto& [kind, word] : *value.as_table()) ReadLevel(kind, word);
    }
  }

  void Add(const toml::source_position& place, std::string_view message) {
    const std::size_t at = OffsetOf(settings_->found.source.text(), place);
    settings_->found.diagnostics.Add(MakeDiagnostic(diag::kCannotRead, {at, at}, message));
  }

 private:
  void ReadLevel(const toml::key& kind, const toml::node& word) {
    if (!word.is_string()) {
      return Add(
          word.source().begin,
          fmt::format("the level of '{}' must be a string: \"off\", \"warning\" or \"error\"", Quoted(kind.str())));
    }
    const auto wrong = settings_->warnings.SetWord(kind.str(), *word.value<std::string_view>());
    if (wrong) Add(kind.source().begin, *wrong);
  }

  Settings* settings_;
};

/// What the TOML library says about a text that is no TOML: "Error while parsing table header: expected ']'".
std::string NoToml(std::string_view description) {
  constexpr std::string_view kBegin = "Error while parsing ";
  if (description.starts_with(kBegin)) description.remove_prefix(kBegin.size());
  return fmt::format("this is no TOML: {}", description);
}

/// The nearest file of settings, or "". What has its name and cannot be read counts, so that this is told.
std::string FindFile(const std::string& folder) {
  std::error_code error;
  fs::path at = fs::absolute(folder.empty() ? "." : folder, error).lexically_normal();
  while (!error && !at.empty()) {
    if (fs::exists(fs::symlink_status(at / kFileName, error))) return fs::proximate(at / kFileName, error).string();
    error.clear();
    const fs::path above = at.parent_path();
    if (above == at) break;
    at = above;
  }
  return "";
}

}  // namespace

Settings ReadSettings(const std::string& path) {
  Settings settings;
  settings.found.source = SourceText(path, "");
  if (std::error_code error; fs::is_other(path, error)) {  // a pipe would be waited for
    settings.found.diagnostics.Add(MakeDiagnostic(diag::kCannotRead, kNowhere, "it is no regular file"));
    return settings;
  }
  SourceText mapped(path, "");
  settings.found.diagnostics = ReadFile(path, &mapped, kLargestFile);
  if (!settings.found.diagnostics.ok()) return settings;
  settings.found.source = SourceText(path, std::string(mapped.text()));  // an editor may cut the file shorter
  const toml::parse_result file = toml::parse(settings.found.source.text());
  Reader reader(&settings);
  if (file) {
    reader.Read(file.table());
  } else {
    reader.Add(file.error().source().begin, NoToml(file.error().description()));
  }
  constexpr std::size_t kMostShown = 100;
  settings.found.diagnostics.Finish(kMostShown);
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
