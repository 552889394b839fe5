#include "fuzz/targets/findings.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

namespace onnxc::fuzz {
namespace {

using testing::Fault;

bool LiesIn(SourceRange range, const SourceText& source) {
  return range == kNowhere || (range.begin <= range.end && range.end <= source.text().size());
}

/// Returns what is wrong with a finding, or null if nothing is wrong.
const char* Defect(const Diagnostic& item, const SourceText& source) {
  if (item.message.empty()) return "a finding without a message";
  if (item.path.empty() && !LiesIn(item.range, source)) return "a finding outside of the text";
  for (const Note& note : item.notes) {
    if (note.message.empty() || !LiesIn(note.range, source)) return "a note without a message, or outside of the text";
  }
  std::vector<SourceRange> ranges;
  for (const FixIt& fix_it : item.fix_its) ranges.push_back(fix_it.range);
  std::sort(ranges.begin(), ranges.end(), [](SourceRange a, SourceRange b) { return a.begin < b.begin; });
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    if (ranges[i] == kNowhere || !LiesIn(ranges[i], source)) return "a fix-it outside of the text";
    if (i > 0 && ranges[i].begin < ranges[i - 1].end) return "fix-its that overlap";
  }
  return nullptr;
}

}  // namespace

std::optional<Fault> CheckFindings(const Diagnostics& found, const SourceText& source) {
  if (found.empty() && found.ok()) return std::nullopt;
  for (const Diagnostic& item : found.items()) {
    const char* defect = Defect(item, source);
    if (defect != nullptr)
      return Fault{std::string(defect) + ": " + item.message + " [" + std::string(Name(item.kind)) + "]"};
    if (item.severity == Severity::kError && found.ok()) return Fault{"ok() in spite of an error"};
  }
  if (found.empty()) return Fault{"not ok(), but nothing is said"};
  const std::string text = RenderText(found, source);
  if (text.empty() || RenderText(found, source, true).size() <= text.size())
    return Fault{"not rendered, or not in colour"};
  if (!nlohmann::json::accept(RenderJson(found, source))) return Fault{"the rendering in JSON is malformed", text};
  const bool is_chosen = text.size() % 32 == 0;  // SARIF contains the table of all rules, so rendering it takes time
  if (is_chosen && !nlohmann::json::accept(RenderSarif(found, source)))
    return Fault{"the rendering in SARIF is malformed", text};
  return std::nullopt;
}

}  // namespace onnxc::fuzz
