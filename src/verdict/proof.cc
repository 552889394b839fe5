#include "verdict/proof.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "source/corrections.h"
#include "source/report.h"

namespace onnxc::verdict {
namespace {

// A correction that is withdrawn may be one that others need. Then those fail in the next round.
constexpr int kMostRounds = 4;

/// Kind and message: what makes two findings the same in texts that differ.
using Key = std::pair<DiagnosticKind, std::string_view>;
Key KeyOf(const Diagnostic& finding) { return {finding.kind, finding.message}; }

bool IsError(const Diagnostic& finding) { return finding.severity == Severity::kError; }

/// The lines of a text that a range is on; of very long ones what is near.
SourceRange LinesOf(std::string_view text, SourceRange range) {
  constexpr std::size_t kNear = 1024;  // bytes
  const std::size_t first = range.begin - std::min(range.begin, kNear);
  const std::size_t break_before = text.substr(first, range.begin - first).rfind('\n');
  const std::string_view behind = text.substr(range.end, kNear);
  return {break_before == std::string_view::npos ? first : first + break_before + 1,
          range.end + std::min(behind.find('\n'), behind.size())};
}

/// Places in a corrected text, and in the text before its corrections.
class Places {
 public:
  explicit Places(const CorrectedText& corrected) : corrected_(corrected) {
    std::size_t at = 0;
    std::size_t behind = 0;  // in the corrected text, behind the edit before
    for (const AppliedEdit& edit : corrected.edits) {
      const std::size_t begin = behind + (edit.range.begin - at);
      made_.push_back({begin, begin + edit.size});
      at = edit.range.end;
      behind = begin + edit.size;
    }
    for (const SourceRange& range : made_) lines_.push_back(LinesOf(corrected.text, range));
  }

  /// The findings whose corrections changed what the range holds; where there is none, those that changed its lines.
  void AddTouched(SourceRange range, std::set<std::size_t>* findings) const {
    if (range == kNowhere) return;
    const auto finding_of = [&](auto entry, const auto& entries) {
      return corrected_.edits[static_cast<std::size_t>(entry - entries.begin())].finding;
    };
    auto made = std::ranges::lower_bound(made_, range.begin, {}, &SourceRange::end);
    const auto first = made;
    for (; made != made_.end() && made->begin <= range.end; ++made) findings->insert(finding_of(made, made_));
    if (made != first) return;
    auto line = std::ranges::lower_bound(lines_, range.begin, {}, &SourceRange::end);
    for (; line != lines_.end() && line->begin <= range.end; ++line) {
      findings->insert(finding_of(line, lines_));
    }
  }

  /// Where a range was before the corrections; nothing where a correction is in it.
  [[nodiscard]] std::optional<SourceRange> Before(SourceRange range) const {
    if (range == kNowhere) return range;
    const auto next = std::ranges::lower_bound(made_, range.begin, {}, &SourceRange::end);
    const auto index = static_cast<std::size_t>(next - made_.begin());
    if (next != made_.end() && next->begin < range.end) return std::nullopt;
    if (index == 0) return range;
    const std::size_t made_end = made_[index - 1].end;
    const std::size_t end = corrected_.edits[index - 1].range.end;
    return SourceRange{range.begin - made_end + end, range.end - made_end + end};
  }

 private:
  const CorrectedText& corrected_;
  std::vector<SourceRange> made_;   // what each edit put there
  std::vector<SourceRange> lines_;  // the lines around it
};

/// A finding of the corrected text in the text before; nothing where a correction is what it blames.
std::optional<Diagnostic> Before(Diagnostic finding, const Places& places) {
  const auto move = [&](SourceRange* range) {
    const std::optional<SourceRange> before = places.Before(*range);
    if (before) *range = *before;
    return before.has_value();
  };
  if (!move(&finding.range)) return std::nullopt;
  std::erase_if(finding.notes, [&](Note& note) { return !move(&note.range); });
  for (FixIt& fix_it : finding.fix_its) {
    if (move(&fix_it.range)) continue;
    finding.fix_its.clear();
    break;
  }
  return finding;
}

struct Verdict {
  std::map<std::size_t, std::string> doubtful;  // findings whose corrections do not hold, and what is wrong with them
  std::vector<Diagnostic> hidden;               // errors that could not be seen before
};

Verdict Compare(const std::vector<Diagnostic>& found, const CorrectedText& corrected, const Diagnostics& left) {
  std::set<Key> known;
  std::set<std::size_t> applied;
  for (const AppliedEdit& edit : corrected.edits) applied.insert(edit.finding);
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!applied.contains(i)) known.insert(KeyOf(found[i]));
  }
  const Places places(corrected);
  Verdict verdict;
  for (const Diagnostic& finding : left.items()) {
    if (!IsError(finding) || known.contains(KeyOf(finding))) continue;
    std::set<std::size_t> touched;
    places.AddTouched(finding.range, &touched);
    for (const Note& note : finding.notes) places.AddTouched(note.range, &touched);
    std::optional<Diagnostic> before = Before(finding, places);
    // With a correction of its own it is a mistake of its own.
    if (before && (touched.empty() || !before->fix_its.empty())) {
      verdict.hidden.push_back(*std::move(before));
    } else {
      for (const std::size_t doubtful : touched.empty() ? applied : touched) {
        verdict.doubtful.try_emplace(doubtful, finding.message);
      }
    }
  }
  return verdict;
}

/// A correction that does not hold is told in words, with what it would leave.
void Withdraw(std::string_view error, Diagnostic* finding) {
  constexpr std::size_t kShort = 40;  // bytes
  const FixIt& first = finding->fix_its.front();
  const bool is_word = finding->fix_its.size() == 1 && !first.replacement.empty() && first.replacement.size() < kShort;
  const std::string what = is_word ? fmt::format("with '{}' here", Quoted(first.replacement)) : "with the correction";
  finding->notes.push_back({first.range, fmt::format("{} there is another error: {}", what, error)});
  finding->fix_its.clear();
}

/// All of the text was read, so that the rules were looked at.
bool WasChecked(const Diagnostics& left) {
  return std::ranges::none_of(left.items(), [](const Diagnostic& finding) {
    return IsError(finding) && finding.kind < DiagnosticKind::kIrVersionMissing;
  });
}

/// Leaves out what the corrections of errors mend. What only the correction of a warning mends is an error of its own:
/// without it, a text with an error would pass.
void DropEchoes(const Diagnostics& left, std::vector<Diagnostic>* found) {
  const auto is_corrected = [](const Diagnostic& finding) { return IsError(finding) && !finding.fix_its.empty(); };
  if (!WasChecked(left) || std::ranges::none_of(*found, is_corrected)) return;
  std::set<Key> still;
  for (const Diagnostic& finding : left.items()) still.insert(KeyOf(finding));
  std::erase_if(*found,
                [&](const Diagnostic& finding) { return finding.fix_its.empty() && !still.contains(KeyOf(finding)); });
}

}  // namespace

Diagnostics ProveCorrections(const SourceText& source, Diagnostics found, const Judge& judge) {
  if (found.suppressed() > 0) return found;  // what is not listed cannot be compared
  std::vector<Diagnostic> items = found.items();
  for (int round = 0; round < kMostRounds; ++round) {
    const CorrectedText corrected = ApplyCorrections(source.text(), items);
    if (corrected.corrections == 0) break;
    const Diagnostics left = judge(SourceText(source.name(), corrected.text));
    Verdict verdict = Compare(items, corrected, left);
    if (verdict.doubtful.empty() && verdict.hidden.empty()) {
      DropEchoes(left, &items);
      break;
    }
    for (const auto& [doubtful, error] : verdict.doubtful) Withdraw(error, &items[doubtful]);
    std::ranges::move(verdict.hidden, std::back_inserter(items));
    if (round + 1 == kMostRounds) {
      for (Diagnostic& item : items) item.fix_its.clear();
    }
  }
  Diagnostics proven;
  for (Diagnostic& item : items) proven.Add(std::move(item));
  proven.Finish(kMostFindings);
  return proven;
}

}  // namespace onnxc::verdict
