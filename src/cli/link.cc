#include "cli/link.h"

#include <onnxc/model_io.h>

#include "cli/formats.h"
#include "source/report.h"

namespace onnxc::cli {
namespace {

Diagnostics ReadLibrary(const std::string& path, ParseOptions parse, LinkInput* library) {
  parse.source_map = &library->places;
  parse.tell_functions_apart = true;
  Diagnostics found = ReadMessage(path, Kind::kModel, parse, &library->source, &library->message);
  if (found.ok() && library->message.functions().empty()) {
    found.Add(MakeDiagnostic(diag::kNoFunctions, kNowhere));
  }
  return found;
}

}  // namespace

void AddLinkOption(CLI::App* app, std::vector<std::string>* libraries) {
  app->add_option("--link", *libraries, "Add the functions of this file that the model calls")
      ->type_name("FILE")
      ->take_all()
      ->allow_extra_args(false);
}

bool LinkLibraries(const std::vector<std::string>& paths, const ParseOptions& parse, const SourceText& source,
                   const SourceMap& places, onnx::ModelProto* model, Diagnostics* found, Report* report) {
  std::vector<LinkInput> libraries;
  libraries.reserve(paths.size());  // they stay where they are, as the keys of their maps do
  bool ok = true;
  for (const std::string& path : paths) {
    LinkInput& library = libraries.emplace_back(LinkInput{SourceText("", ""), {}, {}});
    const Diagnostics read = ReadLibrary(path, parse, &library);
    report->Add(read, library.source);
    ok = ok && read.ok();
  }
  if (!ok) return false;
  for (SourceFindings& findings : Link(model, source, places, libraries)) {
    ok = ok && findings.diagnostics.ok();
    if (findings.source.name() == source.name()) {
      found->Append(std::move(findings.diagnostics));
    } else {
      report->Add(findings.diagnostics, findings.source);
    }
  }
  return ok;
}

}  // namespace onnxc::cli
