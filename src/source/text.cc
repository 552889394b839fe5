#include <onnxc/source.h>

#include <algorithm>
#include <iterator>
#include <mutex>
#include <utility>
#include <vector>

#include "source/unicode.h"

namespace onnxc {

/// Stores the position of every kStep-th byte. If this byte is inside of a character, the position of the character's
/// first byte is stored instead, which is at most three bytes before.
struct SourceText::Marks {
  static constexpr std::size_t kStep = 4096;

  /// A known place in the text, from which other places are counted.
  struct Mark {
    std::size_t offset = 0;
    SourcePosition position;

    /// Moves the mark to offset `to`, which must not split a character.
    void Advance(std::string_view text, std::size_t to) {
      const std::string_view passed = text.substr(offset, to - offset);
      const std::size_t line_break = passed.rfind('\n');
      if (line_break == std::string_view::npos) {
        position.column += CountCharacters(passed);
      } else {
        position.line += static_cast<std::size_t>(std::count(passed.begin(), passed.end(), '\n'));
        position.column = 1 + CountCharacters(passed.substr(line_break + 1));
      }
      offset = to;
    }
  };

  std::once_flag once;
  std::vector<Mark> list;

  void Fill(std::string_view text) {
    Mark mark;
    list.assign(1, mark);
    const auto continues = [&](std::size_t at) { return (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80; };
    while (text.size() - mark.offset > kStep) {
      std::size_t next = mark.offset + kStep;
      for (int i = 0; i < 3 && next < text.size() && continues(next); ++i) ++next;
      mark.Advance(text, next);
      list.push_back(mark);
    }
  }
};

SourceText::SourceText(std::string name, std::string text) : name_(std::move(name)), marks_(std::make_shared<Marks>()) {
  auto owner = std::make_shared<const std::string>(std::move(text));
  text_ = *owner;
  owner_ = std::move(owner);
}

SourceText::SourceText(std::string name, std::string_view text, std::shared_ptr<const void> owner)
    : name_(std::move(name)), owner_(std::move(owner)), text_(text), marks_(std::make_shared<Marks>()) {}

SourcePosition SourceText::PositionAt(std::size_t offset) const {
  offset = std::min(offset, text_.size());
  std::call_once(marks_->once, [&] { marks_->Fill(text_); });
  Marks::Mark mark = *std::prev(std::ranges::upper_bound(marks_->list, offset, {}, &Marks::Mark::offset));
  mark.Advance(text_, offset);
  return mark.position;
}

SourceRange SourceText::LineAt(std::size_t offset) const {
  offset = std::min(offset, text_.size());
  const std::size_t line_break = text_.substr(0, offset).rfind('\n');
  const std::size_t begin = line_break == std::string_view::npos ? 0 : line_break + 1;
  std::size_t end = std::min(text_.find('\n', offset), text_.size());
  if (end > begin && end < text_.size() && text_[end - 1] == '\r') --end;
  return {begin, end};
}

}  // namespace onnxc
