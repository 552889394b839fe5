#include "format/part.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>

#include "format/cursor.h"
#include "syntax/brackets.h"
#include "syntax/syntax_errors.h"

namespace onnxc::format {
namespace {

constexpr std::size_t kBegin = 0;  // no token has these types
constexpr std::size_t kComment = antlr4::Token::EOF - 1;

/// A token or a comment of a text. The first piece is the empty beginning of the text, the last one its end.
struct Piece {
  std::size_t type;
  SourceRange range;

  /// A comment or pragma ends with its line.
  [[nodiscard]] bool EndsLine() const { return type == kComment || type == Grammar::PRAGMA; }
};

std::vector<Piece> PiecesOf(std::string_view text) {
  const auto without_blanks = [&](SourceRange range) {
    const std::string_view piece = text.substr(range.begin, range.end - range.begin);
    return SourceRange{range.begin, range.begin + piece.find_last_not_of(" \t\v\f\r") + 1};
  };
  const std::size_t begin = syntax::ByteOrderMark(text).size();
  std::vector<Piece> pieces = {{kBegin, {begin, begin}}};
  CommentList comments(text);
  for (Cursor at(text, &comments);; at.Advance()) {
    for (; const SourceRange* comment = at.Comment(); at.PassComment()) {
      pieces.push_back({kComment, without_blanks(*comment)});
    }
    const SourceRange token = at.token().range();
    pieces.push_back({at.type(), at.type() == Grammar::PRAGMA ? without_blanks(token) : token});
    if (at.type() == antlr4::Token::EOF) return pieces;
  }
}

/// Returns the end of the shortest stretch of pieces from `first` that contains the same pieces in both texts. The
/// stretch has one piece, unless the formatter moved it: a comment behind a comma, or a list behind another one.
std::size_t EndOfStretch(const std::vector<Piece>& before, const std::vector<Piece>& after, std::size_t first) {
  if (before[first].type == after[first].type) return first + 1;
  std::map<std::size_t, int> surplus;  // how many more pieces of each type the text had before; no row is 0
  const auto count = [&](std::size_t type, int by) {
    if ((surplus[type] += by) == 0) surplus.erase(type);
  };
  int depth = 0;
  for (std::size_t i = first; i < before.size(); ++i) {
    const std::size_t type = before[i].type;
    count(type, 1);
    count(after[i].type, -1);
    depth += static_cast<int>(syntax::IsOpening(type)) - static_cast<int>(syntax::IsClosing(type));
    if (surplus.empty() && depth <= 0 && before[i].EndsLine() == after[i].EndsLine()) return i + 1;
  }
  return before.size();
}

/// Collects the edits of a text.
class Edits {
 public:
  Edits(std::string_view text, SourceRange range) : text_(text), range_(range) {}

  /// Replaces a part of the text if it is in the range.
  void Replace(SourceRange part, std::string_view by) {
    if (part.begin < range_.begin || range_.end < part.end || TextOf(part) == by) return;
    if (!edits_.empty() && IsNear(edits_.back().range.end, part.begin)) {
      FixIt& last = edits_.back();
      last.replacement.append(TextOf({last.range.end, part.begin})).append(by);
      last.range.end = part.end;
    } else {
      edits_.push_back({part, std::string(by)});
    }
  }

  /// Replaces white space, or that part of it that is in the range.
  void ReplaceBlanks(SourceRange gap, std::string_view by) {
    const SourceRange part = {std::max(gap.begin, range_.begin), std::min(gap.end, range_.end)};
    if (part.end < part.begin) return;
    if (part == gap) return Replace(gap, by);
    const auto breaks = [](std::string_view blanks) { return std::ranges::count(blanks, '\n'); };
    const auto front = breaks(TextOf({gap.begin, part.begin}));
    const auto back = breaks(TextOf({part.end, gap.end}));
    const bool is_split_at_lines = (part.begin == gap.begin || front > 0) && (part.end == gap.end || back > 0);
    if (!is_split_at_lines || breaks(by) == 0) return;
    const auto kept = std::min(breaks(TextOf(part)), std::max(breaks(by) - front - back, {}));
    std::string blanks(static_cast<std::size_t>(kept), '\n');
    if (part.end == gap.end) blanks += by.substr(by.rfind('\n') + 1);
    Replace(part, blanks);
  }

  /// Later edits are not joined with those before `place`.
  void SeparateAt(std::size_t place) { separation_ = place; }

  [[nodiscard]] std::vector<FixIt> Take() { return std::move(edits_); }

 private:
  [[nodiscard]] std::string_view TextOf(SourceRange part) const {
    return text_.substr(part.begin, part.end - part.begin);
  }
  /// Returns whether two edits are joined although the text between them does not change. A text that is formatted for
  /// the first time would otherwise have several edits in each line.
  [[nodiscard]] bool IsNear(std::size_t end, std::size_t begin) const {
    constexpr std::size_t kNear = 80;  // bytes
    return end >= separation_ && begin - end <= kNear;
  }

  std::string_view text_;
  SourceRange range_;
  std::size_t separation_ = 0;
  std::vector<FixIt> edits_;
};

}  // namespace

std::vector<FixIt> EditsWithin(std::string_view text, std::string_view formatted, SourceRange range) {
  const std::vector<Piece> before = PiecesOf(text);
  const std::vector<Piece> after = PiecesOf(formatted);
  Edits edits(text, range);
  if (before.size() != after.size()) {  // a formatter that adds or removes tokens formats only whole texts
    edits.Replace({0, text.size()}, formatted);
    return edits.Take();
  }
  const auto is_literal = [](const Piece& piece) { return piece.EndsLine() || piece.type == Grammar::STRING; };
  for (std::size_t i = 1, end = 0; i < before.size(); i = end) {
    end = EndOfStretch(before, after, i);
    const SourceRange gap = {before[i - 1].range.end, before[i].range.begin};
    const std::size_t gap_after = after[i - 1].range.end;
    const auto formatted_to = [&](std::size_t begin, std::size_t to) { return formatted.substr(begin, to - begin); };
    if (end == i + 1) {
      edits.ReplaceBlanks(gap, formatted_to(gap_after, after[i].range.begin));
      edits.Replace(before[i].range, formatted_to(after[i].range.begin, after[i].range.end));
    } else {
      edits.Replace({gap.begin, before[end - 1].range.end}, formatted_to(gap_after, after[end - 1].range.end));
    }
    // An editor may hold a string or a comment that UTF-8 cannot represent, so unchanged ones are not written again.
    if (std::any_of(&before[i], &before[end - 1] + 1, is_literal)) edits.SeparateAt(before[end - 1].range.end);
  }
  return edits.Take();
}

}  // namespace onnxc::format
