#include "format/match_lines.h"

#include <algorithm>
#include <limits>

#include "source/names.h"

namespace onnxc::format {
namespace {

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

/// Lines are represented by numbers: equal lines have the same number.
using Numbers = std::vector<std::size_t>;

/// The lines of both texts between two matched pairs.
struct Gap {
  std::size_t old_begin;
  std::size_t old_end;
  std::size_t new_begin;
  std::size_t new_end;
  int depth = 0;

  [[nodiscard]] std::size_t old_size() const { return old_end - old_begin; }
  [[nodiscard]] std::size_t new_size() const { return new_end - new_begin; }
};

class Matcher {
 public:
  Matcher(Numbers before, Numbers after, std::size_t count)
      : old_(std::move(before)), new_(std::move(after)), seen_(count) {}

  std::vector<Pair> Match() {
    std::vector<Gap> gaps = {{0, old_.size(), 0, new_.size()}};
    while (!gaps.empty()) {
      Gap gap = gaps.back();
      gaps.pop_back();
      TakeEnds(&gap);
      if (gap.old_size() == 0 || gap.new_size() == 0) continue;
      const std::vector<Pair> anchors = gap.depth < kMostDepth ? Anchors(gap) : std::vector<Pair>();
      if (anchors.empty()) {
        MatchSmall(gap);
        continue;
      }
      Gap inner{gap.old_begin, 0, gap.new_begin, 0, gap.depth + 1};
      for (const Pair& anchor : anchors) {
        inner.old_end = anchor.old_line;
        inner.new_end = anchor.new_line;
        gaps.push_back(inner);
        pairs_.push_back(anchor);
        inner.old_begin = anchor.old_line + 1;
        inner.new_begin = anchor.new_line + 1;
      }
      gaps.push_back({inner.old_begin, gap.old_end, inner.new_begin, gap.new_end, gap.depth + 1});
    }
    std::ranges::sort(pairs_, {}, &Pair::old_line);
    return std::move(pairs_);
  }

 private:
  static constexpr int kMostDepth = 16;
  static constexpr std::size_t kMostEdits = 64;  // maximum number of changes that the search finds

  /// How often a line occurs in a gap, and where it occurs last in the new text.
  struct Seen {
    std::size_t old_count = 0;
    std::size_t new_count = 0;
    std::size_t new_line = 0;
  };

  /// Matches the equal lines at the beginning and at the end of the gap.
  void TakeEnds(Gap* gap) {
    while (gap->old_size() > 0 && gap->new_size() > 0 && old_[gap->old_begin] == new_[gap->new_begin]) {
      pairs_.push_back({gap->old_begin++, gap->new_begin++});
    }
    while (gap->old_size() > 0 && gap->new_size() > 0 && old_[gap->old_end - 1] == new_[gap->new_end - 1]) {
      pairs_.push_back({--gap->old_end, --gap->new_end});
    }
  }

  /// Considers only lines that occur exactly once in each text. Returns the longest sequence of such lines that has the
  /// same order in both.
  std::vector<Pair> Anchors(const Gap& gap) {
    for (std::size_t i = gap.old_begin; i < gap.old_end; ++i) seen_[old_[i]] = {};
    for (std::size_t i = gap.new_begin; i < gap.new_end; ++i) seen_[new_[i]] = {};
    for (std::size_t i = gap.old_begin; i < gap.old_end; ++i) ++seen_[old_[i]].old_count;
    for (std::size_t i = gap.new_begin; i < gap.new_end; ++i) {
      ++seen_[new_[i]].new_count;
      seen_[new_[i]].new_line = i;
    }
    struct Step {
      Pair pair;
      std::size_t before;  // index of the step before this one
    };
    std::vector<Step> steps;
    std::vector<std::size_t> ends;  // for each length: the step that ends earliest among the sequences of this length
    for (std::size_t i = gap.old_begin; i < gap.old_end; ++i) {
      const Seen& seen = seen_[old_[i]];
      if (seen.old_count != 1 || seen.new_count != 1) continue;
      const auto row = std::ranges::lower_bound(ends, seen.new_line, {},
                                                [&](std::size_t step) { return steps[step].pair.new_line; });
      steps.push_back({{i, seen.new_line}, row == ends.begin() ? kNone : *std::prev(row)});
      if (row == ends.end()) {
        ends.push_back(steps.size() - 1);
      } else {
        *row = steps.size() - 1;
      }
    }
    std::vector<Pair> anchors;
    for (std::size_t at = ends.empty() ? kNone : ends.back(); at != kNone; at = steps[at].before) {
      anchors.push_back(steps[at].pair);
    }
    std::ranges::reverse(anchors);
    return anchors;
  }

  /// Matches lines so that as few lines as possible are removed and added (Myers' search). Matches no lines if there
  /// would be too many changes.
  void MatchSmall(const Gap& gap) {
    const auto old_size = static_cast<std::ptrdiff_t>(gap.old_size());
    const auto new_size = static_cast<std::ptrdiff_t>(gap.new_size());
    constexpr auto kMost = static_cast<std::ptrdiff_t>(kMostEdits);
    const auto at = [](std::ptrdiff_t diagonal) { return static_cast<std::size_t>(diagonal + kMost + 1); };
    std::vector<std::ptrdiff_t> reached(2 * kMostEdits + 3,
                                        0);  // for each diagonal: the number of lines of the old text
    std::vector<std::vector<std::ptrdiff_t>> rounds;
    for (std::ptrdiff_t edits = 0; edits <= std::min(kMost, old_size + new_size); ++edits) {
      rounds.push_back(reached);
      for (std::ptrdiff_t diagonal = -edits; diagonal <= edits; diagonal += 2) {
        std::ptrdiff_t x =
            ComesDown(reached, diagonal, edits) ? reached[at(diagonal + 1)] : reached[at(diagonal - 1)] + 1;
        while (x < old_size && x - diagonal < new_size && x - diagonal >= 0 &&
               old_[gap.old_begin + static_cast<std::size_t>(x)] ==
                   new_[gap.new_begin + static_cast<std::size_t>(x - diagonal)]) {
          ++x;
        }
        reached[at(diagonal)] = x;
        if (x >= old_size && x - diagonal >= new_size) return TakePath(gap, rounds, edits, diagonal, x);
      }
    }
  }

  /// Returns whether the last change on the best path to a diagonal adds a line. If not, it removes a line.
  static bool ComesDown(const std::vector<std::ptrdiff_t>& reached, std::ptrdiff_t diagonal, std::ptrdiff_t edits) {
    constexpr auto kMost = static_cast<std::ptrdiff_t>(kMostEdits);
    const auto at = [](std::ptrdiff_t line) { return static_cast<std::size_t>(line + kMost + 1); };
    return diagonal == -edits || (diagonal != edits && reached[at(diagonal - 1)] < reached[at(diagonal + 1)]);
  }

  void TakePath(const Gap& gap, const std::vector<std::vector<std::ptrdiff_t>>& rounds, std::ptrdiff_t edits,
                std::ptrdiff_t diagonal, std::ptrdiff_t x) {
    constexpr auto kMost = static_cast<std::ptrdiff_t>(kMostEdits);
    for (; edits >= 0; --edits) {
      const std::vector<std::ptrdiff_t>& reached = rounds[static_cast<std::size_t>(edits)];
      const bool comes_down = ComesDown(reached, diagonal, edits);
      const std::ptrdiff_t before = comes_down ? diagonal + 1 : diagonal - 1;
      const std::ptrdiff_t start =
          edits == 0 ? 0 : reached[static_cast<std::size_t>(before + kMost + 1)] + (comes_down ? 0 : 1);
      for (; x > start; --x) {
        pairs_.push_back({gap.old_begin + static_cast<std::size_t>(x - 1),
                          gap.new_begin + static_cast<std::size_t>(x - 1 - diagonal)});
      }
      x = edits == 0 ? 0 : reached[static_cast<std::size_t>(before + kMost + 1)];
      diagonal = before;
    }
  }

  Numbers old_;
  Numbers new_;
  std::vector<Seen> seen_;
  std::vector<Pair> pairs_;
};

}  // namespace

std::vector<Pair> MatchLines(std::span<const std::string_view> before, std::span<const std::string_view> after) {
  NameMap<std::size_t> numbers;
  const auto number = [&](std::span<const std::string_view> lines) {
    Numbers of_lines;
    of_lines.reserve(lines.size());
    for (const std::string_view line : lines)
      of_lines.push_back(numbers.try_emplace(line, numbers.size()).first->second);
    return of_lines;
  };
  Numbers of_before = number(before);
  Numbers of_after = number(after);
  return Matcher(std::move(of_before), std::move(of_after), numbers.size()).Match();
}

}  // namespace onnxc::format
