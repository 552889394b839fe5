#include "cli/link.h"

#include "link/library.h"

namespace onnxc::cli {

void AddLinkOption(CLI::App* app, std::vector<std::string>* libraries) {
  app->add_option("--link", *libraries, "Add the functions of this file that the model calls")
      ->type_name("FILE")
      ->take_all()
      ->allow_extra_args(false);
}

bool LinkLibraries(const std::vector<std::string>& paths, const ParseOptions& parse, const SourceText& source,
                   SourceMap* places, onnx::ModelProto* model, verdict::LinkedFiles* linked, Diagnostics* found,
                   Report* report) {
  const Settings& settings = report->SettingsFor(source.name());
  const bool takes_more = !settings.libraries.empty() && CallsOthers(*model);
  std::vector<LinkInput> libraries;
  // Source maps refer to the messages, so the inputs must not move in memory.
  libraries.reserve(paths.size() + settings.libraries.size());
  bool ok = true;
  const auto read = [&](const auto& read_file) {
    LinkInput& library = libraries.emplace_back(LinkInput{SourceText("", ""), {}, {}});
    const Diagnostics problems = read_file(&library);
    report->Add(problems, library.source);
    ok = ok && problems.ok();
  };
  for (const std::string& path : paths) read([&](LinkInput* library) { return ReadLibrary(path, parse, library); });
  for (const std::string& path : settings.libraries) {
    if (!takes_more) break;
    read([&](LinkInput* library) { return ReadLibraryIn(settings.folder, path, parse, library); });
  }
  if (!ok) return false;
  if (libraries.empty()) return true;
  LinkedParts parts;
  for (SourceFindings& findings : Link(model, source, *places, libraries, Adding::kCopies, &parts)) {
    ok = ok && findings.diagnostics.ok();
    if (findings.source.name() == source.name()) {
      found->Append(std::move(findings.diagnostics));
    } else {
      report->Add(findings.diagnostics, findings.source);
    }
  }
  if (linked != nullptr) linked->AddCopies(*model, parts, libraries, places);
  return ok;
}

Diagnostics FoundInModel(const Diagnostics& found, const verdict::LinkedFindings& linked, Report* report) {
  std::vector<SourceFindings> others;
  Diagnostics own = linked.Split(found, &others);
  for (const SourceFindings& findings : others) report->Add(findings.diagnostics, findings.source);
  return own;
}

}  // namespace onnxc::cli
