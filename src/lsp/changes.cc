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

/// Applies the changes of one notification to a text. The positions of a change refer to the text after all changes
/// before it. Editors usually send changes from the last position to the first, or from the first to the last.
/// Consecutive changes in such an order are applied in one pass, which is faster than applying each change separately.
class ChangedText {
 public:
  /// `text` and `lines` must outlive this object.
  ChangedText(std::string_view text, const Lines& lines, Encoding encoding)
      : encoding_(encoding), text_(text), lines_(&lines) {}
  ChangedText(const ChangedText&) = delete;
  ChangedText& operator=(const ChangedText&) = delete;

  void Replace(LinePosition begin, LinePosition end, std::string replacement);
  void ReplaceAll(std::string text) {
    edits_ = {{{0, text_.size()}, std::move(text)}};
    MakeEdits();
  }
  [[nodiscard]] std::string Made();

 private:
  struct Edit {
    SourceRange range;  // in `text_`
    std::string replacement;
  };
  enum class Order : std::uint8_t { kAny, kBackward, kForward };

  [[nodiscard]] std::optional<SourceRange> Place(LinePosition begin, LinePosition end);
  [[nodiscard]] SourceRange Between(LinePosition begin, LinePosition end) const;
  [[nodiscard]] LinePosition BeforeEdits(LinePosition position) const;
  [[nodiscard]] LinePosition AfterEdits(std::size_t offset) const;
  void MakeEdits();

  Encoding encoding_;
  std::string_view text_;
  const Lines* lines_;  // the lines of `text_`
  std::string made_;    // owns the text after MakeEdits()
  Lines lines_of_made_;
  std::vector<Edit> edits_;  // edits of `text_` that are not applied yet; they do not overlap
  Order order_ = Order::kAny;
  // Where the last edit ends in the changed text. If the order is kForward, no edit ends after this position.
  LinePosition frontier_;
  bool splits_break_ = false;  // the last edit may have split or joined a CR LF, so positions after the edit are not
                               // reliable
};

/// Converts a position in the edited text to the position in `text_`. The position must not be before the end of the
/// last edit.
LinePosition ChangedText::BeforeEdits(LinePosition position) const {
  if (edits_.empty()) return position;
  const LinePosition end = lines_->PositionAt(edits_.back().range.end);
  if (position.line > frontier_.line) return {end.line + (position.line - frontier_.line), position.character};
  return {end.line, end.character + (position.character - frontier_.character)};
}

/// Converts an offset in `text_` to the position in the edited text. The offset must not be before the end of the last
/// edit.
LinePosition ChangedText::AfterEdits(std::size_t offset) const {
  const LinePosition position = lines_->PositionAt(offset);
  if (edits_.empty()) return position;
  const LinePosition end = lines_->PositionAt(edits_.back().range.end);
  if (position.line > end.line) return {frontier_.line + (position.line - end.line), position.character};
  return {frontier_.line, frontier_.character + (position.character - end.character)};
}

/// Returns the range of `text_` between two of its positions. Refuses half of a character, which cannot be represented.
SourceRange ChangedText::Between(LinePosition begin, LinePosition end) const {
  if (lines_->IsInside(begin) || lines_->IsInside(end)) {
    throw RequestError(ErrorCode::kInvalidParams, "a range begins or ends inside of a character");
  }
  return {lines_->OffsetAt(begin), lines_->OffsetAt(end)};
}

/// Returns the range of `text_` that lies between two positions in the edited text. Returns nothing if this range can
/// be computed only after a call of MakeEdits().
std::optional<SourceRange> ChangedText::Place(LinePosition begin, LinePosition end) {
  if (order_ != Order::kBackward && !splits_break_ &&
      (edits_.empty() || (!IsBefore(begin, frontier_) && !IsBefore(end, frontier_)))) {
    if (!edits_.empty()) order_ = Order::kForward;
    return Between(BeforeEdits(begin), BeforeEdits(end));
  }
  if (order_ == Order::kForward) return std::nullopt;
  const SourceRange place = {lines_->OffsetAt(begin), lines_->OffsetAt(end)};
  if (std::max(place.begin, place.end) >= edits_.back().range.begin) return std::nullopt;
  order_ = Order::kBackward;
  return Between(begin, end);
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
  return text.Made();
}

}  // namespace onnxc::lsp
