#include "merge/text.h"

#include <onnxc/parser.h>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "diff/equality.h"
#include "format/diff.h"
#include "source/names.h"

namespace onnxc::merge {
namespace {

using Lines = std::vector<std::string_view>;

/// Lines of the base that a version has replaced by other lines.
struct Hunk {
  std::size_t begin = 0;
  std::size_t end = 0;
  Lines lines = {};
};

/// Returns whether two changes exclude each other, or are the same insertion. Changes that only touch do not.
bool AreConnected(const Hunk& one, const Hunk& other) {
  const bool are_insertions = one.begin == one.end && other.begin == other.end;
  if (are_insertions) return one.begin == other.begin && one.lines == other.lines;
  return one.begin < other.end && other.begin < one.end;
}

/// Adds a change. If it replaces lines by as many others, each line is a change of its own.
void Add(Hunk hunk, std::vector<Hunk>* hunks) {
  if (hunk.lines.size() != hunk.end - hunk.begin) return hunks->push_back(std::move(hunk));
  for (std::size_t i = 0; i < hunk.lines.size(); ++i) {
    hunks->push_back({hunk.begin + i, hunk.begin + i + 1, {hunk.lines[i]}});
  }
}

std::vector<Hunk> HunksOf(std::string_view base, std::string_view version) {
  std::vector<Hunk> hunks;
  Hunk hunk;
  for (const format::DiffLine& line : format::CompareLines(base, version)) {
    if (line.mark == '+') hunk.lines.push_back(line.text);
    if (line.mark == '-') ++hunk.end;
    if (line.mark != ' ') continue;
    Add(std::exchange(hunk, {hunk.end + 1, hunk.end + 1}), &hunks);
  }
  Add(std::move(hunk), &hunks);
  return hunks;
}

/// The changes of one version, which are merged from the first to the last.
class Changes {
 public:
  explicit Changes(std::vector<Hunk> hunks) : hunks_(std::move(hunks)) {}

  [[nodiscard]] const Hunk* next() const { return next_ < hunks_.size() ? &hunks_[next_] : nullptr; }

  /// Extends the region by the next changes that are connected with it. Returns whether there were any.
  bool Extend(Hunk* region) {
    const std::size_t first = next_;
    for (; next() != nullptr && (next() == start_ || AreConnected(*next(), *region)); ++next_) {
      region->begin = std::min(region->begin, next()->begin);
      region->end = std::max(region->end, next()->end);
    }
    return next_ != first;
  }
  /// Begins a region with a change, which may be one of the other version.
  void Begin(const Hunk* first) {
    start_ = first;
    region_ = next_;
  }

  /// Returns the lines of this version in place of the region of the base.
  [[nodiscard]] Lines LinesIn(const Hunk& region, const Lines& base) const {
    Lines lines;
    std::size_t at = region.begin;
    const auto copy = [&](std::size_t end) {
      for (; at < end; ++at) lines.push_back(base[at]);
    };
    for (std::size_t i = region_; i < next_; ++i) {
      copy(hunks_[i].begin);
      lines.insert(lines.end(), hunks_[i].lines.begin(), hunks_[i].lines.end());
      at = hunks_[i].end;
    }
    copy(region.end);
    return lines;
  }

 private:
  std::vector<Hunk> hunks_;
  std::size_t next_ = 0;
  std::size_t region_ = 0;       // the first change in the current region
  const Hunk* start_ = nullptr;  // the change with which the current region begins
};

bool IsComment(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(" \t");
  return begin != std::string_view::npos && line[begin] == '#';
}

/// Returns the change that comes first in the text; null stands for no change. A comment stays before the line to which
/// it belongs, so lines that they added come before our comment.
const Hunk* FirstOf(const Hunk* ours, const Hunk* theirs) {
  if (ours == nullptr || theirs == nullptr) return ours == nullptr ? theirs : ours;
  const auto place = [](const Hunk& hunk) { return std::pair(hunk.begin, hunk.end); };
  if (place(*ours) != place(*theirs)) return place(*ours) < place(*theirs) ? ours : theirs;
  return std::ranges::all_of(ours->lines, IsComment) ? theirs : ours;
}

/// Returns the lines that are taken for a part that both versions changed, together with the new comments of the
/// version that is not taken. As many lines follow a comment as in that version.
Lines WithComments(const Lines& taken, const Lines& not_taken, std::span<const std::string_view> base) {
  NameSet known(base.begin(), base.end());
  known.insert(taken.begin(), taken.end());
  Lines reversed;
  std::size_t left = taken.size();
  const auto take_until = [&](std::size_t following) {
    while (left > 0 && taken.size() - left < following) reversed.push_back(taken[--left]);
  };
  std::size_t following = 0;
  for (auto line = not_taken.rbegin(); line != not_taken.rend(); ++line) {
    if (!IsComment(*line)) {
      ++following;
    } else if (!known.contains(*line)) {
      take_until(following);
      reversed.push_back(*line);
    }
  }
  take_until(taken.size());
  return {reversed.rbegin(), reversed.rend()};
}

void Append(std::span<const std::string_view> lines, std::string* text) {
  for (const std::string_view line : lines) {
    if (!text->empty() && !text->ends_with('\n')) *text += '\n';
    *text += line;
  }
}

/// Takes the next changes as far as they are connected, and extends the region to them. It begins as one of them.
/// Returns whether there were changes of ours and of theirs.
std::pair<bool, bool> TakeConnected(Hunk* region, Changes* ours, Changes* theirs) {
  const Hunk* const first = FirstOf(ours->next(), theirs->next());
  ours->Begin(first);
  theirs->Begin(first);
  std::pair<bool, bool> has = {false, false};
  for (bool is_growing = true; is_growing;) {
    const bool grows_by_ours = ours->Extend(region);
    const bool grows_by_theirs = theirs->Extend(region);
    has = {has.first || grows_by_ours, has.second || grows_by_theirs};
    is_growing = grows_by_ours || grows_by_theirs;
  }
  return has;
}

}  // namespace

std::string MergeLines(std::string_view base, std::string_view ours, std::string_view theirs, Side favored) {
  Lines lines;
  for (const format::DiffLine& line : format::CompareLines(base, base)) lines.push_back(line.text);
  const auto base_lines = [&](std::size_t begin, std::size_t end) {
    return std::span(lines).subspan(begin, end - begin);
  };
  Changes our_changes(HunksOf(base, ours));
  Changes their_changes(HunksOf(base, theirs));
  std::string merged;
  std::size_t at = 0;
  while (our_changes.next() != nullptr || their_changes.next() != nullptr) {
    Hunk region = *FirstOf(our_changes.next(), their_changes.next());
    const auto [is_ours, is_theirs] = TakeConnected(&region, &our_changes, &their_changes);
    Append(base_lines(at, region.begin), &merged);
    const Lines our_lines = our_changes.LinesIn(region, lines);
    const Lines their_lines = their_changes.LinesIn(region, lines);
    const bool takes_ours = is_ours && (!is_theirs || favored == Side::kOurs);
    const Lines& taken = takes_ours ? our_lines : their_lines;
    const Lines& not_taken = takes_ours ? their_lines : our_lines;
    const auto replaced = base_lines(region.begin, region.end);
    Append(is_ours && is_theirs ? WithComments(taken, not_taken, replaced) : taken, &merged);
    at = region.end;
  }
  Append(base_lines(at, lines.size()), &merged);
  return merged;
}

bool IsTextOf(std::string_view text, const onnx::ModelProto& model) {
  onnx::ModelProto parsed;
  return Parse(text, &parsed, {.max_diagnostics = 0, .tell_functions_apart = true}).ok() &&
         diff::SameMessage(parsed, model, diff::Presence::kCounts);
}

std::string MarkConflicts(std::string_view ours, std::string_view theirs) {
  std::string text;
  Lines removed;
  Lines added;
  const auto end_conflict = [&] {
    if (removed.empty() && added.empty()) return;
    text += "<<<<<<< ours\n";
    Append(removed, &text);
    text += "=======\n";
    Append(added, &text);
    text += ">>>>>>> theirs\n";
    removed.clear();
    added.clear();
  };
  for (const format::DiffLine& line : format::CompareLines(ours, theirs)) {
    if (line.mark == ' ') {
      end_conflict();
      Append({&line.text, 1}, &text);
    } else {
      (line.mark == '-' ? removed : added).push_back(line.text);
    }
  }
  end_conflict();
  return text;
}

}  // namespace onnxc::merge
