#include "lsp/edits.h"

#include <algorithm>
#include <map>
#include <string>

#include "format/diff.h"
#include "source/report.h"

namespace onnxc::lsp {
namespace {

/// Returns the number of errors of each kind.
std::map<DiagnosticKind, int> ErrorsOf(const Snapshot& snapshot) {
  std::map<DiagnosticKind, int> errors;
  for (const Diagnostic& finding : snapshot.findings().items()) {
    if (finding.severity == Severity::kError) ++errors[finding.kind];
  }
  return errors;
}

}  // namespace

Json TextEditsOf(std::span<const FixIt> edits, const Snapshot& snapshot) {
  Json list = Json::array();
  for (const FixIt& edit : edits) {
    list.push_back({{"range", snapshot.RangeOf(edit.range)}, {"newText", edit.replacement}});
  }
  return list;
}

Json WorkspaceEditOf(std::span<const FixIt> edits, const Snapshot& snapshot, const Client& client) {
  const Json list = TextEditsOf(edits, snapshot);
  if (!client.versioned_edits) return {{"changes", {{snapshot.uri(), list}}}};
  return {{"documentChanges",
           {{{"textDocument", {{"uri", snapshot.uri()}, {"version", snapshot.version()}}}, {"edits", list}}}}};
}

bool IsAsRight(const Snapshot& changed, const Snapshot& before) {
  const std::map<DiagnosticKind, int> errors = ErrorsOf(changed);
  if (errors.empty()) return true;
  std::map<DiagnosticKind, int> old = ErrorsOf(before);
  return std::ranges::all_of(errors, [&](const auto& row) { return row.second <= old[row.first]; });
}

std::vector<FixIt> DifferenceOf(std::string_view before, std::string_view after) {
  std::vector<FixIt> edits;
  std::size_t at = 0;  // offset in the text `before`
  bool is_open = false;
  for (const format::DiffLine& line : format::CompareLines(before, after)) {
    if (line.mark == ' ') {
      at += line.text.size();
      is_open = false;
      continue;
    }
    if (!is_open) edits.push_back({{at, at}, ""});
    is_open = true;
    if (line.mark == '-') {
      at += line.text.size();
      edits.back().range.end = at;
    } else {
      edits.back().replacement += line.text;
    }
  }
  return edits;
}

}  // namespace onnxc::lsp
