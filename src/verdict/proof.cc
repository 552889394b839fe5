#include "verdict/proof.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "settings/filtered.h"
#include "source/corrections.h"
#include "source/report.h"
#include "verdict/combine.h"
#include "verdict/comments.h"
#include "verdict/doubled_comma.h"
#include "verdict/fitted.h"
#include "verdict/imports.h"
#include "verdict/needed.h"

namespace onnxc::verdict {
namespace {

// If a correction is withdrawn, other corrections that depend on it may no longer work; those are withdrawn in the next
// round.
constexpr int kMostProofRounds = 4;

// If a text has more findings, errors that their corrections reveal are not corrected in the same run.
constexpr std::size_t kMostCorrected = 1000;

/// The kind and the message of a finding. They identify the finding in different versions of a text.
using Key = std::pair<DiagnosticKind, std::string_view>;
Key KeyOf(const Diagnostic& finding) { return {finding.kind, finding.message}; }

bool IsError(const Diagnostic& finding) { return finding.severity == Severity::kError; }

/// Returns the range of the lines that contain `range`. If a line is very long, only the part near `range` is included.
SourceRange LinesOf(std::string_view text, SourceRange range) {
  constexpr std::size_t kNear = 1024;  // bytes
  const std::size_t first = range.begin - std::min(range.begin, kNear);
  const std::size_t break_before = text.substr(first, range.begin - first).rfind('\n');
  const std::string_view behind = text.substr(range.end, kNear);
  return {break_before == std::string_view::npos ? first : first + break_before + 1,
          range.end + std::min(behind.find('\n'), behind.size())};
}

/// Consecutive edits of a corrected text, from index `first` up to but not including `end`.
struct EditRun {
  std::size_t first = 0;
  std::size_t end = 0;
};

/// Lets each edit be visited only once, even if several runs contain it.
class EditsLeft {
 public:
  explicit EditsLeft(std::size_t count) : next_(count + 1) { std::iota(next_.begin(), next_.end(), std::size_t{0}); }

  template <typename Visit>
  void Take(EditRun run, const Visit& visit) {
    for (std::size_t edit = Next(run.first); edit < run.end; edit = Next(edit)) {
      visit(edit);
      next_[edit] = edit + 1;
    }
  }

 private:
  /// Returns the first edit at or after `edit` that was not visited.
  std::size_t Next(std::size_t edit) {
    while (next_[edit] != edit) edit = next_[edit] = next_[next_[edit]];
    return edit;
  }

  std::vector<std::size_t> next_;  // the edit itself or a later one; the last element represents the end
};

/// Maps places in a corrected text to places in the original text.
class Places {
 public:
  explicit Places(const CorrectedText& corrected) : corrected_(corrected) {
    std::size_t at = 0;
    std::size_t behind = 0;  // the end of the previous edit in the corrected text
    for (const AppliedEdit& edit : corrected.edits) {
      const std::size_t begin = behind + (edit.range.begin - at);
      made_.push_back({begin, begin + edit.size});
      at = edit.range.end;
      behind = begin + edit.size;
    }
    for (const SourceRange& range : made_) lines_.push_back(LinesOf(corrected.text, range));
  }

  /// Returns the edits that changed the text at the finding or at its notes. If the finding is a syntax error and no
  /// edit changed that text, returns the edits on its lines, because the parser may report an error at a place after
  /// the mistake.
  [[nodiscard]] std::vector<EditRun> Touching(const Diagnostic& finding) const {
    std::vector<EditRun> runs;
    const bool is_of_syntax = Info(finding.kind).sentence.empty();
    const auto add = [&](SourceRange range) {
      if (range == kNowhere) return;
      EditRun run = Meeting(made_, range);
      while (!is_of_syntax && run.first < run.end && IsBeside(run.first, range)) ++run.first;
      while (!is_of_syntax && run.first < run.end && IsBeside(run.end - 1, range)) --run.end;
      if (run.first == run.end && is_of_syntax) run = Meeting(lines_, range);
      if (run.first < run.end) runs.push_back(run);
    };
    add(finding.range);
    for (const Note& note : finding.notes) add(note.range);
    return runs;
  }

  /// Returns the text that each edit has written, as a range of the corrected text.
  [[nodiscard]] const std::vector<SourceRange>& Made() const { return made_; }

  [[nodiscard]] Written All() const { return {corrected_, made_}; }

  /// Returns the edits on the lines of the range, each as a run of its own.
  [[nodiscard]] std::vector<EditRun> OnLinesOf(SourceRange range) const {
    std::vector<EditRun> runs;
    const EditRun run = range == kNowhere ? EditRun{} : Meeting(lines_, range);
    for (std::size_t edit = run.first; edit < run.end; ++edit) runs.push_back({edit, edit + 1});
    return runs;
  }

  /// Returns the edits that add a ',' to the inputs before the range, which is the one of an input.
  [[nodiscard]] std::vector<EditRun> CommasBefore(SourceRange range) const {
    std::vector<EditRun> runs;
    if (range == kNowhere) return runs;
    const std::string_view text = corrected_.text;
    const auto next = std::ranges::upper_bound(made_, range.begin, {}, &SourceRange::end);
    std::size_t behind = range.begin;
    for (auto edit = static_cast<std::size_t>(next - made_.begin()); edit > 0; --edit) {
      const SourceRange made = made_[edit - 1];
      if (text.substr(made.begin, behind - made.begin).find_first_of("()=") != std::string_view::npos) break;
      behind = made.begin;
      if (text.substr(made.begin).starts_with(',')) runs.push_back({edit - 1, edit});
    }
    return runs;
  }

  /// Returns whether the last edit adds a bracket at the end of the text.
  [[nodiscard]] bool AddsAtEnd() const {
    const std::string_view text = corrected_.text;
    return !made_.empty() && made_.back().end > made_.back().begin && text[made_.back().end - 1] == '}' &&
           text.find_first_not_of(" \t\r\n", made_.back().end) == std::string_view::npos;
  }

  /// Returns the range in the original text, or nothing if the range contains a correction.
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
  /// Returns whether the edit only inserts text directly before or after the range.
  [[nodiscard]] bool IsBeside(std::size_t edit, SourceRange range) const {
    const SourceRange made = made_[edit];
    const SourceRange before = corrected_.edits[edit].range;
    return before.begin == before.end && (made.end <= range.begin || made.begin >= range.end);
  }

  static EditRun Meeting(const std::vector<SourceRange>& ranges, SourceRange range) {
    const auto first = std::ranges::lower_bound(ranges, range.begin, {}, &SourceRange::end);
    const auto end = std::ranges::upper_bound(first, ranges.end(), range.end, {}, &SourceRange::begin);
    return {static_cast<std::size_t>(first - ranges.begin()), static_cast<std::size_t>(end - ranges.begin())};
  }

  const CorrectedText& corrected_;
  std::vector<SourceRange> made_;   // the text that each edit inserted
  std::vector<SourceRange> lines_;  // the lines that contain this text
};

/// Returns a finding about the corrected text as a finding about the original text, or nothing if it concerns text that
/// a correction inserted.
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
  // The keys of both maps are findings.
  std::map<std::size_t, std::string> doubtful;  // the error that the correction would leave
  std::map<std::size_t, Addition> combined;     // the correction that replaces it
  std::vector<Diagnostic> hidden;               // errors that were not visible in the original text
};

/// Returns whether the finding is about the types of values. A correction of such a finding must not cause another
/// finding about types anywhere in the text. If that happens, a different edit was probably needed.
bool IsOfTypes(const Diagnostic& finding) {
  switch (finding.kind) {
    case DiagnosticKind::kOperandType:
    case DiagnosticKind::kOperandTypesDiffer:
    case DiagnosticKind::kRankClash:
    case DiagnosticKind::kDimensionClash:
    case DiagnosticKind::kDimensionValue:
    case DiagnosticKind::kBroadcastClash:
    case DiagnosticKind::kAxisRange:
    case DiagnosticKind::kAttributeLength:
    case DiagnosticKind::kAttributeRange:
    case DiagnosticKind::kOperandValue:
    case DiagnosticKind::kOperandSize:
    case DiagnosticKind::kOperandKind:
    case DiagnosticKind::kDeclaredType:
    case DiagnosticKind::kSubgraphInputs:
    case DiagnosticKind::kSubgraphOutputs:
    case DiagnosticKind::kSubgraphType:
    case DiagnosticKind::kBranchesDiffer: return true;
    default: return false;
  }
}

/// Returns whether the correction of the finding moves words of the author, changes the marks around them, or gives
/// their attribute another name or another kind of value. Then the words themselves may need another correction.
bool MovesWords(const Diagnostic& finding) {
  switch (finding.kind) {
    case DiagnosticKind::kAttributeAmongInputs:
    case DiagnosticKind::kForeignSyntax:
    case DiagnosticKind::kWrongBrackets:
    case DiagnosticKind::kColonForEquals:
    case DiagnosticKind::kAttributeKind:
    case DiagnosticKind::kUnknownAttribute: return true;
    default: return false;
  }
}

/// If all edits of the runs belong to one finding whose correction moves words, returns this finding.
std::optional<std::size_t> OnlyMover(const std::vector<Diagnostic>& found, const CorrectedText& corrected,
                                     const std::vector<EditRun>& runs) {
  constexpr std::size_t kMost = 64;  // edits in a run
  std::optional<std::size_t> only;
  for (const EditRun run : runs) {
    if (run.end - run.first > kMost) return std::nullopt;
    for (std::size_t edit = run.first; edit < run.end; ++edit) {
      const std::size_t finding = corrected.edits[edit].finding;
      if (only.value_or(finding) != finding) return std::nullopt;
      only = finding;
    }
  }
  return only && MovesWords(found[*only]) ? only : std::nullopt;
}

/// Combines corrections with the corrections of the errors that they leave.
void Combine(const std::map<std::size_t, Addition>& additions, const Written& written, Verdict* verdict) {
  std::map<std::size_t, std::vector<std::size_t>> edits_of;
  for (std::size_t edit = 0; edit < written.text.edits.size() && !additions.empty(); ++edit) {
    const std::size_t finding = written.text.edits[edit].finding;
    if (additions.contains(finding)) edits_of[finding].push_back(edit);
  }
  for (const auto& [finding, addition] : additions) {
    std::optional<std::vector<FixIt>> edits = Combined(written, edits_of[finding], addition.fix_its);
    if (edits) {
      verdict->combined.try_emplace(finding, Addition{*std::move(edits), addition.errors});
      verdict->doubtful.erase(finding);  // the next round tells whether other errors are left
    } else {
      verdict->doubtful.try_emplace(finding, addition.errors.front());
    }
  }
}

/// Why a corrected text has an error.
struct Cause {
  std::optional<Diagnostic> before;  ///< the error as one of the original text, if it is about text of the author
  std::vector<EditRun> edits;        ///< the edits that may have caused it
};

Cause CauseOf(const Diagnostic& error, const std::vector<Diagnostic>& found, const CorrectedText& corrected,
              const Places& places) {
  Cause cause{Before(error, places), places.Touching(error)};
  switch (error.kind) {
    case DiagnosticKind::kUnknownOutput:
    case DiagnosticKind::kFunctionOutputUnknown:
      // A bracket at the end of the text does not complete a graph whose outputs are missing.
      if (places.AddsAtEnd()) cause.edits = {{corrected.edits.size() - 1, corrected.edits.size()}};
      break;
    case DiagnosticKind::kInputCount:
      // A ',' after which there are too many inputs was not meant, even if another ',' can be removed.
      if (std::vector<EditRun> commas = places.CommasBefore(error.range); !commas.empty()) {
        cause = {std::nullopt, std::move(commas)};
      }
      break;
    case DiagnosticKind::kUnknownAttribute:
      // What was moved to the attributes is not an attribute of the operator, so it was not meant as one.
      if (!error.fix_its.empty() || !cause.edits.empty()) break;
      cause.edits = places.OnLinesOf(error.range);
      std::erase_if(cause.edits, [&](EditRun run) {
        return found[corrected.edits[run.first].finding].kind != DiagnosticKind::kAttributeAmongInputs;
      });
      break;
    default: break;
  }
  return cause;
}

Verdict Compare(const std::vector<Diagnostic>& found, const CorrectedText& corrected, const Diagnostics& left) {
  std::set<Key> known;
  std::set<std::size_t> applied;
  for (const AppliedEdit& edit : corrected.edits) applied.insert(edit.finding);
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!applied.contains(i)) known.insert(KeyOf(found[i]));
  }
  const Places places(corrected);
  EditsLeft left_edits(corrected.edits.size());
  Verdict verdict;
  std::map<std::size_t, Addition> additions;
  const Diagnostic* hidden_of_types = nullptr;
  for (const Diagnostic& finding : left.items()) {
    if (!IsError(finding) || known.contains(KeyOf(finding))) continue;
    auto [before, edits] = CauseOf(finding, found, corrected, places);
    // A finding outside of the corrected parts, or one that has its own correction, is an independent mistake.
    if (before && (edits.empty() || !before->fix_its.empty())) {
      if (hidden_of_types == nullptr && IsOfTypes(finding)) hidden_of_types = &finding;
      verdict.hidden.push_back(*std::move(before));
      continue;
    }
    const bool is_of_words = !IsOfTypes(finding) || finding.kind == DiagnosticKind::kAttributeLength;
    const bool has_lost = (!before || before->fix_its.empty()) && !finding.fix_its.empty() && is_of_words;
    if (const auto mover = has_lost ? OnlyMover(found, corrected, edits) : std::nullopt) {
      AddCorrection(finding, &additions[*mover]);
      continue;
    }
    if (edits.empty()) edits.push_back({0, corrected.edits.size()});
    for (const EditRun run : edits) {
      left_edits.Take(
          run, [&](std::size_t edit) { verdict.doubtful.try_emplace(corrected.edits[edit].finding, finding.message); });
    }
  }
  for (const RepeatedImport& import : ImportsRepeated(corrected.text, places.Made())) {
    verdict.doubtful.try_emplace(corrected.edits[import.correction].finding,
                                 MakeDiagnostic(diag::kDuplicateOpsetImport, kNowhere, Quoted(import.domain)).message);
  }
  Combine(additions, places.All(), &verdict);
  for (const std::size_t edited : applied) {
    if (hidden_of_types == nullptr) break;
    if (IsOfTypes(found[edited])) verdict.doubtful.try_emplace(edited, hidden_of_types->message);
  }
  return verdict;
}

/// Removes the notes about errors that a correction would have corrected, too, if there is no correction any more.
void DropNotes(std::vector<Diagnostic>* found) {
  for (Diagnostic& finding : *found) {
    if (!finding.fix_its.empty()) continue;
    std::erase_if(finding.notes, [](const Note& note) { return note.message.starts_with(kAlsoCorrected); });
  }
}

/// Removes a correction that does not work. A note describes the correction and the error that it would leave.
void Withdraw(std::string_view error, Diagnostic* finding) {
  constexpr std::size_t kShort = 40;  // bytes
  const FixIt& first = finding->fix_its.front();
  const bool is_word = finding->fix_its.size() == 1 && !first.replacement.empty() && first.replacement.size() < kShort;
  const std::string what = is_word ? fmt::format("with '{}' here", Quoted(first.replacement)) : "with the correction";
  finding->notes.push_back({first.range, fmt::format("{} there is another error: {}", what, error)});
  finding->fix_its.clear();
}

/// Returns whether the parser, after reporting the error, continued as if the text had been corrected. It does so for
/// punctuation, but not for words.
bool SteersParser(const Diagnostic& finding) {
  switch (finding.kind) {
    case DiagnosticKind::kUnexpectedToken:
    case DiagnosticKind::kUnclosedBracket:
    case DiagnosticKind::kMissingComma:
    case DiagnosticKind::kMissingEquals:
    case DiagnosticKind::kAttributeAmongInputs: return true;
    default: return false;
  }
}

/// Gives the findings their combined corrections. A correction that was combined too often becomes doubtful.
void UseCombined(std::string_view text, Verdict* verdict, Combinations* combinations, std::vector<Diagnostic>* found) {
  for (auto& [finding, addition] : verdict->combined) {
    const std::string error = addition.errors.front();
    if (combinations->Add(finding, std::move(addition), text, &(*found)[finding])) continue;
    verdict->doubtful.try_emplace(finding, error);
  }
}

/// Withdraws the corrections that do not work, and removes all corrections after a place where the parser continued as
/// if one of these had been made. `*sure_end` is the first such place.
void WithdrawDoubtful(const Verdict& verdict, std::size_t* sure_end, Combinations* combinations,
                      std::vector<Diagnostic>* found) {
  for (const auto& [doubtful, error] : verdict.doubtful) {
    Diagnostic& finding = (*found)[doubtful];
    if (SteersParser(finding)) *sure_end = std::min(*sure_end, finding.range.begin);
    combinations->Restore(doubtful, &finding);
    Withdraw(error, &finding);
  }
  for (Diagnostic& finding : *found) {
    if (finding.range != kNowhere && finding.range.begin > *sure_end) finding.fix_its.clear();
  }
}

/// Removes the quotes that would be added to a word if a syntax error without a correction comes directly behind it, as
/// in `mode = word 0`: the word alone was not meant as the value.
void DropUnfinishedWords(std::string_view text, std::vector<Diagnostic>* found) {
  std::set<std::size_t> errors;
  for (const Diagnostic& finding : *found) {
    const bool is_left = IsError(finding) && Info(finding.kind).sentence.empty() && finding.fix_its.empty();
    if (is_left && finding.range != kNowhere) errors.insert(finding.range.begin);
  }
  for (Diagnostic& finding : *found) {
    if (finding.kind != DiagnosticKind::kWrongLiteral || finding.fix_its.size() != 1) continue;
    const std::size_t behind = text.find_first_not_of(" \t", finding.fix_its.front().range.end);
    if (errors.contains(behind)) finding.fix_its.clear();
  }
}

/// Returns whether the complete text was parsed, so that the rules were checked.
bool WasChecked(const Diagnostics& left) {
  return std::ranges::none_of(
      left.items(), [](const Diagnostic& finding) { return IsError(finding) && Info(finding.kind).sentence.empty(); });
}

/// Removes findings that disappear when the errors are corrected, because they are consequences. A finding that
/// disappears only because a warning was corrected is kept: otherwise a text with an error would be accepted.
void DropEchoes(const Diagnostics& left, std::vector<Diagnostic>* found) {
  const auto is_corrected = [](const Diagnostic& finding) { return IsError(finding) && !finding.fix_its.empty(); };
  if (!WasChecked(left) || std::ranges::none_of(*found, is_corrected)) return;
  std::set<Key> still;
  for (const Diagnostic& finding : left.items()) still.insert(KeyOf(finding));
  std::erase_if(*found,
                [&](const Diagnostic& finding) { return finding.fix_its.empty() && !still.contains(KeyOf(finding)); });
}

/// Returns whether the text may be the rest of a call's inputs. The other characters belong to an attribute, to the
/// next node or to a comment.
bool IsRestOfInputs(std::string_view text) { return text.find_first_of("\n=:<{[\"#") == std::string_view::npos; }

/// Removes errors of the checker about a line that the author has not finished, because such an error may only be about
/// text that is not written yet. There are two such cases: a syntax error without a correction follows the inputs of
/// the call; or a bracket is missing after an unknown word at the end of the line, as in `y = Relu (half`. In the
/// second case, the correction that adds the bracket is removed as well.
void DropUnfinished(std::string_view text, std::vector<Diagnostic>* found) {
  constexpr std::size_t kNear = 1024;            // bytes
  std::vector<std::size_t> ends;                 // where syntax errors without a correction are
  std::map<std::size_t, Diagnostic*> line_ends;  // findings whose correction adds a bracket at the end of a line
  for (Diagnostic& finding : *found) {
    if (!SteersParser(finding)) continue;
    if (finding.fix_its.empty()) ends.push_back(finding.range.begin);
    if (finding.fix_its.size() != 1) continue;
    const SourceRange edited = finding.fix_its.front().range;
    const bool is_line_end = edited.end >= text.size() || text[edited.end] == '\n' || text[edited.end] == '\r';
    const bool is_bracket = finding.kind == DiagnosticKind::kUnclosedBracket;
    if (is_bracket && is_line_end && edited.begin == edited.end) line_ends.try_emplace(edited.begin, &finding);
  }
  std::ranges::sort(ends);
  const auto is_unfinished = [&](const Diagnostic& finding) {
    if (!IsError(finding) || finding.range == kNowhere || Info(finding.kind).sentence.empty()) return false;
    const auto corrected = line_ends.find(finding.range.end);
    const bool is_word =
        finding.kind == DiagnosticKind::kUnknownName || finding.kind == DiagnosticKind::kUnknownOperator;
    if (corrected != line_ends.end() && is_word && finding.fix_its.empty()) {
      corrected->second->fix_its.clear();
      return true;
    }
    const auto end = std::ranges::lower_bound(ends, finding.range.end);
    if (end == ends.end() || *end > finding.range.end + kNear) return false;
    return IsRestOfInputs(text.substr(finding.range.end, *end - finding.range.end));
  };
  std::vector<bool> is_dropped;
  for (const Diagnostic& finding : *found) is_dropped.push_back(is_unfinished(finding));
  std::size_t next = 0;
  std::erase_if(*found, [&](const Diagnostic&) { return is_dropped[next++]; });
}

}  // namespace

Diagnostics ProveCorrections(const SourceText& source, Diagnostics found, const Judge& judge) {
  found = TellDoubledCommas(source, std::move(found), judge);
  std::vector<Diagnostic> items = found.items();
  KeepComments(source.text(), items);
  FitToText(source.text(), items);
  if (found.suppressed() > 0) {  // suppressed findings cannot be compared
    std::size_t next = 0;
    return Filtered(found, [&](Diagnostic* finding) { return *finding = std::move(items[next++]), true; });
  }
  DropUnfinishedWords(source.text(), &items);
  MeanDomains(source, judge, &items);
  std::size_t sure_end = source.text().size();
  const auto has_correction = [](const Diagnostic& finding) { return !finding.fix_its.empty(); };
  Combinations combinations;
  int rounds = kMostProofRounds;
  for (int round = 0; round < rounds; ++round) {
    CorrectedText corrected;  // a copy of the text only if there is something to correct
    if (std::ranges::any_of(items, has_correction)) corrected = ApplyCorrections(source.text(), items);
    if (corrected.corrections == 0) {
      // If all corrections were withdrawn, the newly visible errors may be consequences of these corrections.
      items.erase(items.begin() + static_cast<std::ptrdiff_t>(found.items().size()), items.end());
      break;
    }
    Diagnostics left = judge(SourceText(source.name(), corrected.text, nullptr));  // does not copy the text
    Verdict verdict = Compare(items, corrected, left);
    UseCombined(source.text(), &verdict, &combinations, &items);
    const bool do_work = verdict.doubtful.empty() && verdict.combined.empty();
    // After very many errors, the parser does not read on; the rest of the errors are left to the next run.
    const bool is_last = verdict.hidden.empty() || items.size() >= kMostCorrected || round + 1 == rounds;
    if (do_work && is_last) {
      left = DropNeedless(source, judge, std::move(left), &items);
      combinations.Tell(&items);
      DropEchoes(left, &items);
      break;
    }
    WithdrawDoubtful(verdict, &sure_end, &combinations, &items);
    // Newly visible errors are reported only if all corrections work: an error may be the consequence of a correction
    // that does not work, and any other error becomes visible in the next round again.
    if (do_work) {
      KeepComments(source.text(), verdict.hidden);
      std::ranges::move(verdict.hidden, std::back_inserter(items));
    }
    if (!verdict.combined.empty() && rounds < kMostProofRounds + kMostCombined) ++rounds;
    if (round + 1 == rounds) {
      for (Diagnostic& item : items) item.fix_its.clear();
    }
  }
  DropUnfinished(source.text(), &items);
  DropNotes(&items);
  FitToText(source.text(), items);  // including newly visible errors
  Diagnostics proven;
  for (Diagnostic& item : items) proven.Add(std::move(item));
  proven.Finish(kMostFindings);
  return proven;
}

}  // namespace onnxc::verdict
