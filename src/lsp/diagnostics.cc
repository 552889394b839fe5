// Handles textDocument/publishDiagnostics, textDocument/diagnostic and workspace/diagnostic.
#include "lsp/diagnostics.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "lsp/methods.h"
#include "lsp/uri.h"
#include "source/help.h"

namespace onnxc::lsp {
namespace {

// DiagnosticSeverity and DiagnosticTag of the protocol.
constexpr int kError = 1;
constexpr int kWarning = 2;
constexpr int kUnnecessary = 1;
constexpr int kDeprecated = 2;

}  // namespace

Json DiagnosticOf(const Diagnostic& finding, const Snapshot& snapshot, const Client& client) {
  std::string message = finding.path.empty() ? finding.message : fmt::format("{}: {}", finding.path, finding.message);
  Json diagnostic = {{"range", snapshot.RangeOf(finding.path.empty() ? finding.range : kNowhere)},
                     {"severity", finding.severity == Severity::kError ? kError : kWarning},
                     {"code", Name(finding.kind)},
                     {"source", "onnxc"}};
  if (std::string address = HelpAddress(finding.kind); !address.empty()) {
    diagnostic["codeDescription"] = {{"href", std::move(address)}};
  }
  const auto in_library = snapshot.InLibrary(finding);
  if (!in_library) {  // otherwise, the editor would show the call as unused
    if (Name(finding.kind).starts_with("unused-")) diagnostic["tags"] = {kUnnecessary};
    if (Name(finding.kind).find("deprecated") != std::string_view::npos) diagnostic["tags"] = {kDeprecated};
  }
  for (const Note& note : finding.notes) {
    if (client.related_information) {
      diagnostic["relatedInformation"].push_back(
          {{"location", {{"uri", snapshot.uri()}, {"range", snapshot.RangeOf(note.range)}}},
           {"message", note.message}});
    } else {
      message += fmt::format("\nline {}: {}", snapshot.lines().PositionAt(note.range.begin).line + 1, note.message);
    }
  }
  const bool has_place = in_library && in_library->range != kNowhere && client.related_information;
  const Snapshot* const text = has_place ? snapshot.libraries().FindText(in_library->library.name()) : nullptr;
  if (text != nullptr) {
    diagnostic["relatedInformation"].push_back(
        {{"location", {{"uri", text->uri()}, {"range", text->RangeOf(in_library->range)}}},
         {"message", "in the library"}});
  }
  diagnostic["message"] = std::move(message);
  return diagnostic;
}

Json DiagnosticsOf(const Snapshot& snapshot, const Client& client) {
  Json diagnostics = Json::array();
  const Diagnostics& findings = snapshot.findings();
  for (const Diagnostic& finding : findings.items()) diagnostics.push_back(DiagnosticOf(finding, snapshot, client));
  return diagnostics;
}

Workspace::SettingsReport SettingsReportOf(const Snapshot& snapshot, const Client& client) {
  const SourceFindings& found = snapshot.SettingsFile().found;
  if (found.diagnostics.ok()) return {};
  std::error_code ignored;
  const std::string path = std::filesystem::absolute(found.source.name(), ignored).lexically_normal().string();
  const Snapshot file(UriOf(path), 0, std::string(found.source.text()), client.encoding, std::make_shared<Settings>());
  Workspace::SettingsReport report{.uri = file.uri()};
  for (const Diagnostic& finding : found.diagnostics.items()) {
    report.diagnostics.push_back(DiagnosticOf(finding, file, client));
    if (finding.range == kNowhere) report.problem = fmt::format("{}: {}", path, finding.message);
  }
  return report;
}

Json PullDiagnostics(Workspace& workspace, const Json& params) {
  const auto snapshot = workspace.Find(StringMember(Member(params, "textDocument"), "uri"));
  if (snapshot == nullptr) {
    return {{"kind", "full"}, {"items", Json::array()}};  // some clients still ask after they closed the document
  }
  Json items = DiagnosticsOf(*snapshot, workspace.client);
  const auto sent = workspace.sent_diagnostics().Find(snapshot->uri(), Optional(params, "/previousResultId"));
  if (sent != nullptr && sent->content == items) return {{"kind", "unchanged"}, {"resultId", sent->id}};
  const std::string id = workspace.sent_diagnostics().Keep(snapshot->uri(), items);
  return {{"kind", "full"}, {"resultId", id}, {"items", std::move(items)}};
}

// Returns diagnostics of texts that are not open in the editor. Each answer covers all texts that were already analysed
// and about 1 MiB of other texts. The client asks again for the rest.
Json PullWorkspaceDiagnostics(Workspace& workspace, const Json& params) {
  constexpr std::size_t kMostNew = std::size_t{1} << 20;  // bytes
  std::map<std::string, Json> known;                      // the result ids that the client has, by URI
  for (const Json& row : Member(params, "previousResultIds")) known[StringMember(row, "uri")] = Member(row, "value");
  Json reports = Json::array();
  const auto add = [&](const std::string& uri, Json items) {
    const auto sent = workspace.sent_of_folders().Find(uri, known[uri]);
    const bool is_same = sent != nullptr && sent->content == items;
    const std::string id = is_same ? sent->id : workspace.sent_of_folders().Keep(uri, items);
    Json report = {{"uri", uri}, {"version", nullptr}, {"resultId", id}, {"kind", is_same ? "unchanged" : "full"}};
    if (!is_same) report["items"] = std::move(items);
    reports.push_back(std::move(report));
    known.erase(uri);
  };
  std::size_t bytes = 0;
  const bool is_wanted = workspace.options().workspace_diagnostics;
  for (const auto& text : is_wanted ? workspace.ClosedTexts() : Workspace::Texts()) {
    if (!text->IsFound()) bytes += text->text().size();
    if (text->IsFound() || bytes < kMostNew + text->text().size()) {
      add(text->uri(), DiagnosticsOf(*text, workspace.client));
    } else {
      known.erase(text->uri());  // the client keeps its diagnostics of this text
    }
  }
  const std::map<std::string, Json> gone = std::move(known);  // texts that were deleted or are open now
  known = gone;
  for (const auto& [uri, id] : gone) add(uri, Json::array());
  return {{"items", std::move(reports)}};
}

}  // namespace onnxc::lsp
