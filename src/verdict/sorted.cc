#include "verdict/sorted.h"

#include <onnxc/diagnostic_kinds.h>
#include <onnxc/parser.h>
#include <onnxc/rewrite.h>
#include <onnxc/sort.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "settings/filtered.h"

namespace onnxc::verdict {
namespace {

constexpr std::size_t kLongestText = std::size_t{256} * 1024;

/// Returns the edit that replaces the lines from the first one to the last one that differ.
FixIt EditBetween(std::string_view text, std::string_view changed) {
  const auto same = static_cast<std::size_t>(std::ranges::mismatch(text, changed).in1 - text.begin());
  const std::size_t begin = text.substr(0, same).rfind('\n') + 1;  // npos + 1 is the beginning of the text
  text.remove_prefix(begin);
  changed.remove_prefix(begin);
  const auto rest = std::mismatch(text.rbegin(), text.rend(), changed.rbegin(), changed.rend()).first.base();
  const std::size_t end = std::min(text.find('\n', static_cast<std::size_t>(rest - text.begin())), text.size());
  return {{begin, begin + end}, std::string(changed.substr(0, changed.size() - (text.size() - end)))};
}

}  // namespace

Diagnostics CorrectOrder(std::string_view text, const Diagnostics& found) {
  const auto is_about_order = [&](const Diagnostic& finding) {  // a finding about a linked function is behind the text
    return finding.kind == DiagnosticKind::kNotSorted && finding.path.empty() && finding.range != kNowhere &&
           finding.range.end <= text.size();
  };
  if (text.size() > kLongestText || std::ranges::none_of(found.items(), is_about_order)) return found;
  onnx::ModelProto sorted;
  if (!Parse(text, &sorted, {.max_diagnostics = 0, .tell_functions_apart = true}).ok()) return found;
  if (!SortNodes(&sorted).ok()) return found;
  const PrintResult rewritten = Rewrite(text, sorted);
  if (!rewritten.ok() || rewritten.text == text) return found;
  std::vector<FixIt> edits = {EditBetween(text, rewritten.text)};
  return Filtered(found, [&](Diagnostic* finding) {
    if (is_about_order(*finding)) finding->fix_its = std::exchange(edits, {});
    return true;
  });
}

}  // namespace onnxc::verdict
