#include "lsp/libraries.h"

#include <fmt/format.h>
#include <onnxc/model_io.h>

#include <filesystem>
#include <utility>

#include "lsp/snapshot.h"
#include "lsp/uri.h"
#include "source/report.h"

namespace onnxc::lsp {
namespace {

constexpr std::size_t kMostOfLibraries = std::size_t{64} << 20;

std::unique_ptr<const Libraries> ReadNamed(const std::string& folder, const std::vector<std::string>& paths,
                                           Encoding encoding) {
  auto libraries = std::make_unique<Libraries>();
  libraries->inputs.reserve(paths.size());  // they stay where they are, as the keys of their maps do
  std::size_t room = kMostOfLibraries;
  for (const std::string& path : paths) {
    LinkInput& input = libraries->inputs.emplace_back(LinkInput{SourceText("", ""), {}, {}});
    const Diagnostics found = ReadLibraryIn(folder, path, {.max_bytes = room, .threads = 1}, &input);
    if (!found.ok()) {
      libraries->problems.push_back(fmt::format("the library '{}': {}", Quoted(path), found.items().front().message));
      libraries->inputs.pop_back();
      continue;
    }
    const std::string_view text = input.source.text();
    room -= text.size();
    if (DetectFormat(text, input.source.name(), Kind::kModel) != Format::kText) continue;
    // Its own settings: those that hold this library must not hold themselves.
    libraries->texts.push_back(std::make_shared<const Snapshot>(UriOf(input.source.name()), 0, std::string(text),
                                                                encoding, std::make_shared<const Settings>()));
  }
  return libraries;
}

}  // namespace

const Libraries& LibraryFinder::Of(const onnxc::Settings& settings, Encoding encoding) {
  static const Libraries kNone;
  if (settings.libraries.empty()) return kNone;
  std::error_code ignored;
  const std::filesystem::path folder = std::filesystem::absolute(settings.folder, ignored).lexically_normal();
  const std::lock_guard lock(mutex_);
  std::unique_ptr<const Libraries>& libraries = of_folders_[folder.string()];
  if (libraries == nullptr) {
    for (const std::string& path : settings.libraries) paths_.insert((folder / path).lexically_normal().string());
    libraries = ReadNamed(folder.string(), settings.libraries, encoding);
  }
  return *libraries;
}

bool LibraryFinder::Names(const std::string& path) {
  const std::lock_guard lock(mutex_);
  return paths_.contains(path);
}

}  // namespace onnxc::lsp
