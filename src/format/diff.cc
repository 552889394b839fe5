#include "format/diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <vector>

#include "format/match_lines.h"

namespace onnxc::format {
namespace {

constexpr std::size_t kContext = 3;  // lines

std::vector<std::string_view> LinesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end == std::string_view::npos ? end : end + 1));
    text.remove_prefix(lines.back().size());
  }
  return lines;
}

/// Returns `start,count` for the header of a hunk. `before` is the number of lines before the hunk.
std::string Span(std::size_t before, std::size_t count) {
  const std::size_t start = count == 0 ? before : before + 1;
  return count == 1 ? fmt::format("{}", start) : fmt::format("{},{}", start, count);
}

}  // namespace

std::vector<DiffLine> CompareLines(std::string_view before, std::string_view after) {
  const std::vector<std::string_view> old_lines = LinesOf(before);
  const std::vector<std::string_view> new_lines = LinesOf(after);
  const std::vector<Pair> same = MatchLines(old_lines, new_lines);
  std::vector<DiffLine> lines;
  std::size_t old_line = 0;
  std::size_t new_line = 0;
  const auto go_to = [&](const Pair& next) {
    for (; old_line < next.old_line; ++old_line) lines.push_back({'-', old_lines[old_line]});
    for (; new_line < next.new_line; ++new_line) lines.push_back({'+', new_lines[new_line]});
  };
  for (const Pair& pair : same) {
    go_to(pair);
    lines.push_back({' ', old_lines[old_line++]});
    ++new_line;
  }
  go_to({old_lines.size(), new_lines.size()});
  return lines;
}

std::string UnifiedDiff(std::string_view name, std::string_view before, std::string_view after) {
  if (before == after) return {};
  std::string diff = fmt::format("--- {0}\n+++ {0}\n", name);
  const std::vector<DiffLine> lines = CompareLines(before, after);
  std::size_t old_line = 0;  // number of lines that are already processed
  std::size_t new_line = 0;
  const auto is_change = [](const DiffLine& line) { return line.mark != ' '; };
  for (auto at = lines.begin(); at != lines.end();) {
    const auto first = std::find_if(at, lines.end(), is_change);
    const auto skipped = std::max<std::ptrdiff_t>(first - at - static_cast<std::ptrdiff_t>(kContext), 0);
    if (first == lines.end()) break;
    old_line += static_cast<std::size_t>(skipped);
    new_line += static_cast<std::size_t>(skipped);
    at += skipped;
    // The hunk ends before a run of equal lines that is longer than the context of this hunk and of the next one.
    auto end = first;
    for (auto next = first; next != lines.end() && next - end <= static_cast<std::ptrdiff_t>(2 * kContext);) {
      end = std::find_if_not(next, lines.end(), is_change);
      next = std::find_if(end, lines.end(), is_change);
    }
    end += std::min(static_cast<std::ptrdiff_t>(kContext), lines.end() - end);
    const auto count = [&](char other) {
      return static_cast<std::size_t>(std::count_if(at, end, [&](const DiffLine& line) { return line.mark != other; }));
    };
    fmt::format_to(std::back_inserter(diff), "@@ -{} +{} @@\n", Span(old_line, count('+')), Span(new_line, count('-')));
    old_line += count('+');
    new_line += count('-');
    for (; at != end; ++at) {
      diff += at->mark;
      diff += at->text;
      if (!at->text.ends_with('\n')) diff += "\n\\ No newline at end of file\n";
    }
  }
  return diff;
}

}  // namespace onnxc::format
