#include "lsp/named_files.h"

#include <fmt/format.h>
#include <onnxc/model_io.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>

#include "lsp/snapshot.h"
#include "lsp/uri.h"
#include "source/report.h"

namespace onnxc::lsp {
namespace {

constexpr std::size_t kMostOfFiles = std::size_t{64} << 20;

std::string FolderOf(const onnxc::Settings& settings) {
  std::error_code ignored;
  const std::string folder = settings.folder.empty() ? "." : settings.folder;  // "" is the current folder
  return std::filesystem::absolute(folder, ignored).lexically_normal().string();
}

/// Returns the same text with another name.
SourceText Renamed(const SourceText& source, std::string name) {
  const auto owner = std::make_shared<const SourceText>(source);
  return {std::move(name), owner->text(), owner};
}

/// Reads the files of these paths in the folder. Adds an error to `problems` for each file that cannot be read. `what`
/// is the word for one of the files in messages.
std::vector<LinkInput> ReadNamed(const std::string& folder, const std::vector<std::string>& paths,
                                 std::string_view what, Diagnostics* problems) {
  std::vector<LinkInput> inputs;
  inputs.reserve(paths.size());  // source maps refer to the messages, so the inputs must not move in memory
  std::size_t room = kMostOfFiles;
  for (const std::string& path : paths) {
    LinkInput& input = inputs.emplace_back(LinkInput{SourceText("", ""), {}, {}});
    const Diagnostics found = ReadLibraryIn(folder, path, {.max_bytes = room, .threads = 1}, &input);
    room -= input.source.text().size();
    if (found.ok()) continue;
    const std::string why = fmt::format("the {} '{}': {}", what, Quoted(path), found.items().front().message);
    problems->Add(MakeDiagnostic(diag::kCannotRead, kNowhere, why));
    inputs.pop_back();
  }
  return inputs;
}

std::unique_ptr<const Libraries> ReadLibraries(const std::string& folder, const std::vector<std::string>& paths,
                                               Encoding encoding) {
  auto libraries = std::make_unique<Libraries>(Libraries{.folder = folder});
  libraries->inputs = ReadNamed(folder, paths, "library", &libraries->problems);
  for (LinkInput& input : libraries->inputs) {
    const std::string path = input.source.name();
    input.source = Renamed(input.source, libraries->NameOf(path));
    libraries->places.emplace_back(input);
    const std::string_view text = input.source.text();
    if (DetectFormat(text, path, Kind::kModel) != Format::kText) continue;
    // The library gets default settings, because its own settings file may name the same library again.
    libraries->texts.push_back(std::make_shared<const Snapshot>(UriOf(path), 0, std::string(text), encoding,
                                                                std::make_shared<const Settings>()));
  }
  return libraries;
}

std::unique_ptr<const OperatorFiles> ReadOperators(const std::string& folder, const std::vector<std::string>& paths) {
  auto files = std::make_unique<OperatorFiles>();
  std::vector<SourceFindings> found;
  files->operators = Operators::From(ReadNamed(folder, paths, "file of operators", &files->problems), &found);
  for (const SourceFindings& of_file : found) {
    for (const Diagnostic& finding : of_file.diagnostics.items()) {
      if (finding.severity == Severity::kError) files->problems.Add(FoundElsewhere(finding, of_file.source));
    }
  }
  return files;
}

}  // namespace

std::string Libraries::NameOf(const std::string& path) const {
  const std::string name = std::filesystem::path(path).lexically_relative(folder).generic_string();
  return name.empty() ? path : name;  // it is empty if one of the paths is not absolute
}

const Snapshot* Libraries::FindText(const std::string& name) const {
  const auto found = std::ranges::find(texts, name, [this](const auto& text) { return NameOf(text->path()); });
  return found == texts.end() ? nullptr : found->get();
}

const Libraries& NamedFiles::LibrariesOf(const onnxc::Settings& settings, Encoding encoding) {
  static const Libraries kNone;
  if (settings.libraries.empty()) return kNone;
  const std::string folder = FolderOf(settings);
  const std::lock_guard lock(mutex_);
  std::unique_ptr<const Libraries>& libraries = libraries_[folder];
  if (libraries == nullptr) {
    AddPaths(folder, settings.libraries);
    libraries = ReadLibraries(folder, settings.libraries, encoding);
  }
  return *libraries;
}

const OperatorFiles& NamedFiles::OperatorsOf(const onnxc::Settings& settings) {
  static const OperatorFiles kNone;
  if (settings.operators.empty()) return kNone;
  const std::string folder = FolderOf(settings);
  const std::lock_guard lock(mutex_);
  std::unique_ptr<const OperatorFiles>& files = operators_[folder];
  if (files == nullptr) {
    AddPaths(folder, settings.operators);
    files = ReadOperators(folder, settings.operators);
  }
  return *files;
}

void NamedFiles::AddPaths(const std::filesystem::path& folder, const std::vector<std::string>& paths) {
  Stamps stamps;
  for (const std::string& path : paths) {
    const std::string whole = (folder / path).lexically_normal().string();
    stamps.try_emplace(whole, StampOf(whole));
  }
  const std::lock_guard lock(stamps_mutex_);
  stamps_.merge(stamps);  // a file that was read before keeps its older stamp
}

bool NamedFiles::Names(const std::string& path) {
  const std::lock_guard lock(stamps_mutex_);
  return stamps_.contains(path);
}

bool NamedFiles::HaveChanged() {
  const Stamps stamps = [this] {
    const std::lock_guard lock(stamps_mutex_);
    return stamps_;
  }();
  return std::ranges::any_of(stamps, [](const auto& file) { return StampOf(file.first) != file.second; });
}

Diagnostic FoundElsewhere(Diagnostic finding, const SourceText& source) {
  const SourcePosition at = source.PositionAt(finding.range == kNowhere ? 0 : finding.range.begin);
  const std::string place = finding.path.empty() ? fmt::format("{}:{}", at.line, at.column) : " " + finding.path;
  finding.message = fmt::format("{}:{}: {}", Quoted(source.name()), place, finding.message);
  finding.range = kNowhere;
  finding.path.clear();
  finding.notes.clear();
  finding.fix_its.clear();
  return finding;
}

}  // namespace onnxc::lsp
