#include "format/diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <vector>

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

/// The characters of a line that are no white space.
std::size_t WeightOf(std::string_view line) {
  constexpr std::string_view kWhiteSpace = " \t\v\f\r\n";
  return static_cast<std::size_t>(
      std::count_if(line.begin(), line.end(), [&](char c) { return kWhiteSpace.find(c) == std::string_view::npos; }));
}

/// `start,count` as a hunk's head has it; `before` lines of that text stand before the hunk.
std::string Span(std::size_t before, std::size_t count) {
  const std::size_t start = count == 0 ? before : before + 1;
  return count == 1 ? fmt::format("{}", start) : fmt::format("{},{}", start, count);
}

}  // namespace

std::vector<DiffLine> CompareLines(std::string_view before, std::string_view after) {
  const std::vector<std::string_view> old_lines = LinesOf(before);
  const std::vector<std::string_view> new_lines = LinesOf(after);
  std::vector<DiffLine> lines;
  std::vector<DiffLine> coming;
  std::size_t old_weight = 0;
  std::size_t new_weight = 0;
  auto old_line = old_lines.begin();
  auto new_line = new_lines.begin();
  while (old_line != old_lines.end() || new_line != new_lines.end()) {
    const bool both = old_line != old_lines.end() && new_line != new_lines.end();
    if (both && old_weight == new_weight && *old_line == *new_line) {
      lines.insert(lines.end(), coming.begin(), coming.end());
      coming.clear();
      lines.push_back({' ', *old_line++});
      ++new_line;
    } else if (new_line == new_lines.end() || (both && old_weight <= new_weight)) {
      old_weight += WeightOf(*old_line);
      lines.push_back({'-', *old_line++});
    } else {
      new_weight += WeightOf(*new_line);
      coming.push_back({'+', *new_line++});
    }
  }
  lines.insert(lines.end(), coming.begin(), coming.end());
  return lines;
}

std::string UnifiedDiff(std::string_view name, std::string_view before, std::string_view after) {
  if (before == after) return {};
  std::string diff = fmt::format("--- {0}\n+++ {0}\n", name);
  const std::vector<DiffLine> lines = CompareLines(before, after);
  std::size_t old_line = 0;  // lines of the texts that are done with
  std::size_t new_line = 0;
  const auto is_change = [](const DiffLine& line) { return line.mark != ' '; };
  for (auto at = lines.begin(); at != lines.end();) {
    const auto first = std::find_if(at, lines.end(), is_change);
    const auto skipped = std::max<std::ptrdiff_t>(first - at - static_cast<std::ptrdiff_t>(kContext), 0);
    if (first == lines.end()) break;
    old_line += static_cast<std::size_t>(skipped);
    new_line += static_cast<std::size_t>(skipped);
    at += skipped;
    // The hunk ends where more lines are the same than are shown behind it and before the next one.
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
