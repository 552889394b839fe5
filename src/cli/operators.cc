#include "cli/operators.h"

#include <utility>

#include "link/library.h"

namespace onnxc::cli {

void AddOperatorsOption(CLI::App* app, std::vector<std::string>* paths) {
  app->add_option("--operators", *paths, "Use the operators that this file declares")
      ->type_name("FILE")
      ->take_all()
      ->allow_extra_args(false);
}

std::optional<Operators> OperatorFiles::For(const std::string& input, Report* report) {
  const Settings& settings = report->SettingsFor(input);
  if (paths_.empty() && settings.operators.empty()) return Operators();
  std::vector<std::string> key = settings.operators;
  if (!key.empty()) key.push_back(settings.folder);
  const std::lock_guard lock(mutex_);
  const auto [found, is_new] = of_lists_.try_emplace(std::move(key));
  if (is_new) found->second = Read(settings, report);
  return found->second;
}

std::optional<Operators> OperatorFiles::Read(const Settings& settings, Report* report) const {
  const ParseOptions parse{.max_bytes = max_bytes_};
  std::vector<LinkInput> files;
  // Source maps refer to the messages, so the files must not move in memory.
  files.reserve(paths_.size() + settings.operators.size());
  bool ok = true;
  const auto read = [&](const auto& read_file) {
    LinkInput& file = files.emplace_back(LinkInput{SourceText("", ""), {}, {}});
    const Diagnostics problems = read_file(&file);
    report->Add(problems, file.source);
    ok = ok && problems.ok();
  };
  for (const std::string& path : paths_) read([&](LinkInput* file) { return ReadLibrary(path, parse, file); });
  for (const std::string& path : settings.operators) {
    read([&](LinkInput* file) { return ReadLibraryIn(settings.folder, path, parse, file); });
  }
  if (!ok) return std::nullopt;
  std::vector<SourceFindings> found;
  Operators operators = Operators::From(std::move(files), &found);
  for (const SourceFindings& findings : found) {
    ok = ok && findings.diagnostics.ok();
    report->Add(findings.diagnostics, findings.source);
  }
  if (!ok) return std::nullopt;
  return operators;
}

}  // namespace onnxc::cli
