#include "cli/inputs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <system_error>
#include <utility>

#include "external/folder.h"
#include "files/target.h"
#include "source/parallel.h"
#include "source/report.h"

namespace onnxc::cli {
namespace {

namespace fs = std::filesystem;

bool IsHidden(const fs::path& path) { return path.filename().string().starts_with('.'); }

bool HasSuffix(const fs::path& path, std::span<const std::string_view> suffixes) {
  return std::ranges::find(suffixes, path.extension().string()) != suffixes.end();
}

/// Returns the files in a folder and all its subfolders. Sets `*error` if the folder cannot be read completely.
std::vector<fs::path> FilesBelow(const fs::path& folder, std::span<const std::string_view> suffixes,
                                 std::error_code* error) {
  std::vector<fs::path> files;
  fs::recursive_directory_iterator entry(folder, *error);
  for (; !*error && entry != fs::recursive_directory_iterator(); entry.increment(*error)) {
    std::error_code gone;  // a file that was deleted meanwhile is not listed
    if (entry->is_directory(gone)) {
      if (IsHidden(entry->path())) entry.disable_recursion_pending();
    } else if (entry->is_regular_file(gone) && HasSuffix(entry->path(), suffixes)) {
      files.push_back(entry->path());
    }
  }
  std::ranges::sort(files);
  return files;
}

SourceFindings About(const std::string& path, Diagnostic finding) {
  return {SourceText(path, ""), Only(std::move(finding))};
}

constexpr std::string_view kLeadsOut = "it is a link that leads out of the folder; use --allow-links to follow it";

/// Resolves a path relative to the folder. Returns nothing if the result is outside of the folder. The file need not
/// exist yet.
std::optional<fs::path> Below(const fs::path& folder, const fs::path& path) {
  std::error_code error;
  const fs::path root = fs::weakly_canonical(fs::absolute(folder, error), error);
  const fs::path end = FollowLinks(fs::absolute(path, error));
  const fs::path real = fs::weakly_canonical(end.parent_path(), error) / end.filename();
  if (error) return std::nullopt;
  fs::path below = real.lexically_relative(root);
  if (below.empty() || *below.begin() == "..") return std::nullopt;
  return below;
}

/// Returns the reason why a file in a folder is not read, or "" if it is read. Only links, symbolic or hard, are
/// refused.
std::string WhyNotRead(const std::string& folder, const Input& input) {
  std::error_code error;
  const bool is_link = fs::is_symlink(input.path, error);
  if (!is_link && fs::hard_link_count(input.path, error) <= 1) return {};
  const std::optional<fs::path> below = Below(folder, input.path);
  if (!below) return std::string(kLeadsOut);
  const std::string problem = OpenInFolder(folder, below->string(), Links::kInside).problem;
  return problem.empty() ? problem : fmt::format("it {}; use --allow-links to read it", problem);
}

void AddFolder(const std::string& folder, std::span<const std::string_view> suffixes, bool allow_links,
               Inputs* inputs) {
  std::error_code error;
  const std::vector<fs::path> files = FilesBelow(folder, suffixes, &error);
  for (const fs::path& file : files) {
    Input input{.path = file.string(), .below = file.lexically_relative(folder).string(), .folder = folder};
    const std::string problem = allow_links ? "" : WhyNotRead(folder, input);
    if (problem.empty()) {
      inputs->files.push_back(std::move(input));
    } else {
      inputs->found.push_back(About(input.path, MakeDiagnostic(diag::kCannotRead, kNowhere, problem)));
    }
  }
  if (!error && !files.empty()) return;
  const std::string reason = error ? error.message() : fmt::format("the folder has no *{}", fmt::join(suffixes, ", *"));
  inputs->found.push_back(About(folder, MakeDiagnostic(diag::kCannotRead, kNowhere, reason)));
}

/// Removes each input that was found in a folder if its output would be outside of the output folder.
void RefuseOutputs(const std::string& option, Inputs* inputs) {
  std::erase_if(inputs->files, [&](const Input& input) {
    if (input.folder.empty() || Below(inputs->has_folder ? option : input.folder, input.output)) return false;
    inputs->found.push_back(About(input.output, MakeDiagnostic(diag::kCannotWrite, kNowhere, kLeadsOut)));
    return true;
  });
}

/// Returns a path that identifies a file: it is the same for all paths to the file, except through hard links.
std::string Identity(const std::string& path) {
  std::error_code error;
  const fs::path whole = fs::weakly_canonical(fs::absolute(path, error), error);
  return error ? path : whole.string();
}

std::optional<std::string> ReplacedInput(const Inputs& inputs) {
  std::map<std::string, std::string> sources;  // maps each output to its input
  std::map<std::string, std::string> paths;    // paths of the inputs
  for (const Input& input : inputs.files) {
    if (input.path != "-") paths.emplace(Identity(input.path), input.path);
  }
  for (const Input& input : inputs.files) {
    if (input.output == "-") continue;
    const std::string output = Identity(input.output);
    if (const auto replaced = paths.find(output); replaced != paths.end()) {
      return fmt::format("the output would replace the input '{}'; use -o", Quoted(replaced->second));
    }
    const auto [other, is_first] = sources.emplace(output, input.path);
    if (is_first) continue;
    return fmt::format("'{}' and '{}' have the same output '{}'", Quoted(other->second), Quoted(input.path),
                       Quoted(input.output));
  }
  return std::nullopt;
}

}  // namespace

Inputs FindInputs(const std::vector<std::string>& arguments, std::span<const std::string_view> suffixes,
                  bool allow_links) {
  Inputs inputs;
  inputs.are_many = arguments.size() > 1;
  for (const std::string& argument : arguments) {
    std::error_code error;
    if (argument != "-" && fs::is_directory(argument, error)) {
      inputs.are_many = true;
      AddFolder(argument, suffixes, allow_links, &inputs);
    } else {
      inputs.files.push_back({.path = argument, .below = fs::path(argument).filename().string()});
      if (!inputs.are_many) inputs.files.back().lifetime = Lifetime::kProcess;
    }
  }
  return inputs;
}

std::string WithSuffix(const std::string& path, std::string_view suffix) {
  const std::size_t slash = path.rfind('/');
  const std::size_t dot = path.rfind('.');
  const bool has_suffix = FormatOfSuffix(path).has_value() && (slash == std::string::npos || dot > slash + 1);
  return path.substr(0, has_suffix ? dot : path.size()).append(suffix);
}

bool NamesFolder(const std::string& path) {
  std::error_code error;
  return path.ends_with('/') || (path != "-" && fs::is_directory(path, error));
}

std::optional<std::string> SetOutputs(const std::string& option, const NameOutput& name, bool allow_links,
                                      Inputs* inputs) {
  inputs->has_folder = NamesFolder(option);
  if (!option.empty() && !inputs->has_folder) {
    if (inputs->are_many)
      return fmt::format("'{}' is one file, but there are many outputs; use -o FOLDER/", Quoted(option));
    inputs->files.front().output = option;
    return std::nullopt;  // the output may replace the input itself
  }
  for (Input& input : inputs->files) {
    if (input.path == "-") {
      if (inputs->has_folder) return "standard input has no name for an output in a folder; use -o FILE";
      input.output = "-";
    } else {
      input.output = inputs->has_folder ? (fs::path(option) / name(input.below)).string() : name(input.path);
    }
  }
  auto replaced = ReplacedInput(*inputs);
  if (!replaced && !allow_links) RefuseOutputs(option, inputs);
  return replaced;
}

void ForEachInput(const Inputs& inputs, unsigned threads, Report* report,
                  const std::function<void(const Input&, Report*)>& work) {
  for (const SourceFindings& findings : inputs.found) report->Add(findings.diagnostics, findings.source);
  for (const Input& input : inputs.files)
    (void)report->SettingsFor(input.path);  // errors in settings are reported
                                            // once, and first
  const auto run = [&](const Input& input, Report* its_report) {
    std::error_code error;  // a missing folder is reported when the output is written
    if (inputs.has_folder) fs::create_directories(fs::path(input.output).parent_path(), error);
    work(input, its_report);
  };
  if (!inputs.are_many) return run(inputs.files.front(), report);
  const unsigned cores = threads != 0 ? threads : CoreCount();
  const auto make = [&](std::size_t i, std::optional<Report>* part) {
    run(inputs.files[i], &part->emplace(report->Part()));
  };
  const auto take = [&](std::optional<Report>& part) {
    report->Append(std::move(*part));
    part.reset();
  };
  InParallelOrdered<std::optional<Report>>(cores, inputs.files.size(), make, take);
  report->Summarize();
}

unsigned ThreadsForEach(const Inputs& inputs, unsigned threads) {
  if (!inputs.are_many) return threads;
  const unsigned cores = threads != 0 ? threads : CoreCount();
  return std::max(1u, cores / static_cast<unsigned>(std::clamp<std::size_t>(inputs.files.size(), 1, cores)));
}

}  // namespace onnxc::cli
