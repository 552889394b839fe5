#include "settings/allowed.h"

#include <algorithm>
#include <string_view>

#include "settings/filtered.h"

namespace onnxc {
namespace {

constexpr std::string_view kMark = "onnxc-allow:";
constexpr std::string_view kBlanks = " \t\r";

std::string_view Trimmed(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(kBlanks), text.size());
  text.remove_prefix(begin);
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

/// What stands behind the `#` of a line's comment; a `#` in a string begins none.
std::string_view CommentOf(std::string_view line) {
  bool is_string = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') is_string = !is_string;
    if (line[i] == '\\' && is_string) ++i;
    if (line[i] == '#' && !is_string) return line.substr(i + 1);
  }
  return {};
}

/// Whether the line has a comment that allows the kind.
bool Allows(std::string_view line, std::string_view kind) {
  std::string_view list = Trimmed(CommentOf(line));
  if (!list.starts_with(kMark)) return false;
  list.remove_prefix(kMark.size());
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(','), list.size());
    if (Trimmed(list.substr(0, end)) == kind) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

bool IsAllowed(const Diagnostic& finding, const SourceText& source) {
  if (finding.severity == Severity::kError || !finding.path.empty() || finding.range == kNowhere) return false;
  const auto line_at = [&](std::size_t offset) {
    const SourceRange range = source.LineAt(offset);
    return source.text().substr(range.begin, range.end - range.begin);
  };
  const std::string_view kind = Name(finding.kind);
  std::size_t begin = source.LineAt(finding.range.begin).begin;
  if (Allows(line_at(begin), kind)) return true;
  while (begin > 0) {
    begin = source.LineAt(begin - 1).begin;
    const std::string_view line = line_at(begin);
    if (!Trimmed(line).starts_with('#')) return false;
    if (Allows(line, kind)) return true;
  }
  return false;
}

}  // namespace

Diagnostics WithoutAllowed(const Diagnostics& diagnostics, const SourceText& source) {
  if (source.text().find(kMark) == std::string_view::npos) return diagnostics;
  return Filtered(diagnostics, [&](Diagnostic* item) { return !IsAllowed(*item, source); });
}

}  // namespace onnxc
