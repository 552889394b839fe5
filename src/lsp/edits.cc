#include "lsp/edits.h"

#include <string>

#include "format/diff.h"

namespace onnxc::lsp {

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

std::vector<FixIt> DifferenceOf(std::string_view before, std::string_view after) {
  std::vector<FixIt> edits;
  std::size_t at = 0;  // in the text before
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
