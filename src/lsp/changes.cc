#include "lsp/changes.h"

#include <memory>
#include <utility>
#include <vector>

namespace onnxc::lsp {
namespace {

struct Edit {
  SourceRange range;
  std::string replacement;
};

/// Makes edits of which each stands before the one that was found before it.
std::string WithEdits(std::string_view text, const std::vector<Edit>& backward) {
  std::string result;
  std::size_t at = 0;
  for (auto edit = backward.rbegin(); edit != backward.rend(); ++edit) {
    result.append(text.substr(at, edit->range.begin - at)).append(edit->replacement);
    at = edit->range.end;
  }
  return result.append(text.substr(at));
}

}  // namespace

// Editors send many changes from the last one to the first: then none moves the place of the next one, and all are made
// in one pass.
std::string Changed(const Snapshot& before, const Json& changes) {
  if (!changes.is_array()) throw RequestError(ErrorCode::kInvalidParams, "'contentChanges' must be a list");
  std::string text(before.text());
  Lines lines(text, before.encoding());
  std::vector<Edit> edits;
  const auto make_edits = [&] {
    if (edits.empty()) return;
    text = WithEdits(text, edits);
    lines = Lines(text, before.encoding());
    edits.clear();
  };
  const auto offset_of = [&](const Json& position) { return lines.OffsetAt(LinePositionOf(position)); };
  for (const Json& change : changes) {
    std::string replacement = StringMember(change, "text");
    const auto range = change.find("range");
    if (range == change.end()) {
      edits = {{{0, text.size()}, std::move(replacement)}};
      make_edits();
      continue;
    }
    SourceRange place = {offset_of(Member(*range, "start")), offset_of(Member(*range, "end"))};
    if (!edits.empty() && place.end >= edits.back().range.begin) {
      make_edits();
      place = {offset_of(Member(*range, "start")), offset_of(Member(*range, "end"))};
    }
    if (place.end < place.begin) throw RequestError(ErrorCode::kInvalidParams, "a range ends before it begins");
    edits.push_back({place, std::move(replacement)});
  }
  make_edits();
  return text;
}

}  // namespace onnxc::lsp
