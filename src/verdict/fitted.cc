#include "verdict/fitted.h"

#include <algorithm>
#include <string>

namespace onnxc::verdict {
namespace {

constexpr std::string_view kBlanks = " \t";

/// The white space before an offset on its line.
struct Indentation {
  bool is_first = false;  ///< only white space precedes the offset
  std::string_view blanks;
};
Indentation IndentationAt(std::string_view text, std::size_t offset) {
  std::size_t begin = offset;
  while (begin > 0 && kBlanks.find(text[begin - 1]) != std::string_view::npos) --begin;
  return {begin == 0 || text[begin - 1] == '\n', text.substr(begin, offset - begin)};
}

/// Returns `replacement` with `line_break` in place of each line break. If `has_indentation` is true, `line_break` also
/// replaces the spaces after the line break.
std::string WithBreaks(std::string_view replacement, std::string_view line_break, bool has_indentation) {
  std::string fitted;
  while (!replacement.empty()) {
    const std::size_t end = std::min(replacement.find('\n'), replacement.size());
    std::string_view line = replacement.substr(0, end);
    replacement.remove_prefix(end);
    if (!replacement.empty() && line.ends_with('\r')) line.remove_suffix(1);
    fitted += line;
    if (replacement.empty()) break;
    fitted += line_break;
    replacement.remove_prefix(1);
    if (!has_indentation) continue;
    replacement.remove_prefix(std::min(replacement.find_first_not_of(kBlanks), replacement.size()));
  }
  return fitted;
}

/// Returns whether the fix-it inserts complete lines: only spaces follow its last line break.
bool InsertsLines(const FixIt& fix_it) {
  const std::size_t last = fix_it.replacement.find_last_not_of(kBlanks);
  return fix_it.range.begin == fix_it.range.end && last != std::string::npos && fix_it.replacement[last] == '\n';
}

}  // namespace

void FitToText(std::string_view text, std::span<Diagnostic> findings) {
  const std::size_t first_end = text.find('\n');
  const bool has_returns = first_end != std::string_view::npos && first_end > 0 && text[first_end - 1] == '\r';
  const std::string line_end = has_returns ? "\r\n" : "\n";
  for (Diagnostic& finding : findings) {
    for (FixIt& fix_it : finding.fix_its) {
      if (fix_it.replacement.find('\n') == std::string::npos) continue;
      if (!InsertsLines(fix_it)) {
        fix_it.replacement = WithBreaks(fix_it.replacement, line_end, false);
        continue;
      }
      const Indentation indentation = IndentationAt(text, fix_it.range.begin);
      const std::string line_break = indentation.is_first ? line_end + std::string(indentation.blanks) : " ";
      fix_it.replacement = WithBreaks(fix_it.replacement, line_break, true);
    }
  }
}

}  // namespace onnxc::verdict
