#include "lsp/changes.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace onnxc::lsp {
namespace {

bool IsBefore(LinePosition a, LinePosition b) { return a.line != b.line ? a.line < b.line : a.character < b.character; }

/// A text that is being changed. A position is one of the text that the changes before it gave, but changes are not
/// made one by one: editors send many from the last one to the first or the other way round, and those that go on so
/// are made in one pass.
class ChangedText {
 public:
  /// What both refer to must outlive it.
  ChangedText(std::string_view text, const Lines& lines, Encoding encoding)
      : encoding_(encoding), text_(text), lines_(&lines) {}
  ChangedText(const ChangedText&) = delete;
  ChangedText& operator=(const ChangedText&) = delete;

  void Replace(LinePosition begin, LinePosition end, std::string replacement);
  void ReplaceAll(std::string text) {
    edits_ = {{{0, text_.size()}, std::move(text)}};
    MakeEdits();
  }
  [[nodiscard]] std::string Take() { return Made(); }

 private:
  struct Edit {
    SourceRange range;  // of `text_`
    std::string replacement;
  };
  enum class Order : std::uint8_t { kAny, kBackward, kForward };

  [[nodiscard]] std::optional<SourceRange> Place(LinePosition begin, LinePosition end);
  [[nodiscard]] LinePosition BeforeEdits(LinePosition position) const;
  [[nodiscard]] LinePosition AfterEdits(std::size_t offset) const;
  void MakeEdits();
  [[nodiscard]] std::string Made();

  Encoding encoding_;
  std::string_view text_;
  const Lines* lines_;  // of `text_`
  std::string made_;    // the text after MakeEdits()
  Lines lines_of_made_;
  std::vector<Edit> edits_;  // not made yet; no two overlap
  Order order_ = Order::kAny;
  LinePosition frontier_;  // the end of the last edit, when the edits are made; all are before it where they go forward
  bool splits_break_ = false;  // the last edit may have cut CR LF in two, or made one: positions behind it are not sure
};

/// The position before the edits of one behind them.
LinePosition ChangedText::BeforeEdits(LinePosition position) const {
  if (edits_.empty()) return position;
  const LinePosition end = lines_->PositionAt(edits_.back().range.end);
  if (position.line > frontier_.line) return {end.line + (position.line - frontier_.line), position.character};
  return {end.line, end.character + (position.character - frontier_.character)};
}

/// The inverse: the position of an offset that is not before the last edit's end.
LinePosition ChangedText::AfterEdits(std::size_t offset) const {
  const LinePosition position = lines_->PositionAt(offset);
  if (edits_.empty()) return position;
  const LinePosition end = lines_->PositionAt(edits_.back().range.end);
  if (position.line > end.line) return {frontier_.line + (position.line - end.line), position.character};
  return {frontier_.line, frontier_.character + (position.character - end.character)};
}

/// What of `text_` the range stands for; nothing where that is not known before the edits are made.
std::optional<SourceRange> ChangedText::Place(LinePosition begin, LinePosition end) {
  if (order_ != Order::kBackward && !splits_break_ &&
      (edits_.empty() || (!IsBefore(begin, frontier_) && !IsBefore(end, frontier_)))) {
    if (!edits_.empty()) order_ = Order::kForward;
    return SourceRange{lines_->OffsetAt(BeforeEdits(begin)), lines_->OffsetAt(BeforeEdits(end))};
  }
  if (order_ == Order::kForward) return std::nullopt;
  const SourceRange place = {lines_->OffsetAt(begin), lines_->OffsetAt(end)};
  if (std::max(place.begin, place.end) >= edits_.back().range.begin) return std::nullopt;
  order_ = Order::kBackward;
  return place;
}

void ChangedText::Replace(LinePosition begin, LinePosition end, std::string replacement) {
  std::optional<SourceRange> place = Place(begin, end);
  if (!place) {
    MakeEdits();
    place = Place(begin, end);
  }
  if (place->end < place->begin) throw RequestError(ErrorCode::kInvalidParams, "a range ends before it begins");
  if (order_ != Order::kBackward) {
    const LinePosition from = AfterEdits(place->begin);
    const LinePosition added = Lines(replacement, encoding_).PositionAt(replacement.size());
    frontier_ = {from.line + added.line, added.line == 0 ? from.character + added.character : added.character};
    splits_break_ =
        replacement.find('\r') != std::string::npos || (place->begin > 0 && text_[place->begin - 1] == '\r');
  }
  edits_.push_back({*place, std::move(replacement)});
}

void ChangedText::MakeEdits() {
  made_ = Made();
  text_ = made_;
  lines_of_made_ = Lines(text_, encoding_);
  lines_ = &lines_of_made_;
  edits_.clear();
  order_ = Order::kAny;
  splits_break_ = false;
}

std::string ChangedText::Made() {
  if (order_ == Order::kBackward) std::ranges::reverse(edits_);
  std::size_t size = text_.size();
  for (const Edit& edit : edits_) size += edit.replacement.size();
  std::string result;
  result.reserve(size);
  std::size_t at = 0;
  for (const Edit& edit : edits_) {
    result.append(text_.substr(at, edit.range.begin - at)).append(edit.replacement);
    at = edit.range.end;
  }
  return std::move(result.append(text_.substr(at)));
}

}  // namespace

std::string Changed(const Snapshot& before, const Json& changes) {
  if (!changes.is_array()) throw RequestError(ErrorCode::kInvalidParams, "'contentChanges' must be a list");
  ChangedText text(before.text(), before.lines(), before.encoding());
  for (const Json& change : changes) {
    std::string replacement = StringMember(change, "text");
    const auto range = change.find("range");
    if (range == change.end()) {
      text.ReplaceAll(std::move(replacement));
    } else {
      const LinePosition begin = LinePositionOf(Member(*range, "start"));
      text.Replace(begin, LinePositionOf(Member(*range, "end")), std::move(replacement));
    }
  }
  return text.Take();
}

}  // namespace onnxc::lsp
