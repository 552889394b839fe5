// Holds the growing text, and formats it by the rules of docs/layout.md.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "print/lossless/long_lists.h"
#include "source/parallel.h"

namespace onnxc {
class Sink;  // sink.h
}  // namespace onnxc

namespace onnxc::print {

class Layout {
 public:
  static constexpr std::size_t kStep = 3;
  static constexpr std::size_t kColumns = 100;

  /// Completed text is passed to the sink, if there is one, before the text becomes large.
  explicit Layout(std::size_t columns = kColumns, Sink* sink = nullptr) : columns_(columns), sink_(sink) {}

  void Put(char c) { text_.push_back(c); }
  void Put(std::string_view text) { text_.append(text); }

  /// Appends text that may contain line breaks.
  void PutLines(std::string_view text) {
    Put(text);
    if (text.find('\n') != std::string_view::npos) StartLine(text_.rfind('\n') + 1);
  }

  template <typename Value>
  void Number(Value value) {
    std::array<char, kRoomForNumber> buffer;
    Put({buffer.data(), WriteNumber(value, buffer.data())});
  }

  /// Appends a number with a dot or an exponent, or as a special word, for a place where the parser would read an
  /// integer literal as an integer.
  template <std::floating_point Float>
  void FloatLiteral(Float value) {
    const std::size_t start = text_.size();
    Number(value);
    if (text_.find_first_of(".einx", start) == std::string::npos) Put(".0");
  }

  void String(std::string_view text);  // strings.h
  void Bytes(std::string_view bytes) { AppendBytes(bytes, &text_); }

  /// Appends a name, in quotes if it is not an identifier.
  void Name(std::string_view name);

  /// Begin a new line: NewLine() at the current indentation; Continue() where the members of the innermost wrapped list
  /// begin; ClosingLine() for the bracket that closes such a list.
  void NewLine() { NewLine(indent_); }
  void Continue() { NewLine(indent_ + std::max<std::size_t>(lists_, 1)); }
  void ClosingLine() { NewLine(indent_ + lists_); }

  /// Indents the following lines by one level, outside of any wrapped list. Outdent() must get the result of Indent().
  [[nodiscard]] std::size_t Indent() {
    ++indent_;
    return std::exchange(lists_, 0);
  }
  void Outdent(std::size_t lists) {
    --indent_;
    lists_ = lists;
  }

  /// Calls write(), which writes a member of a wrapped list. Lists in this member are indented by one more level.
  template <typename Write>
  void InList(Write write) {
    ++lists_;
    write();
    --lists_;
  }

  /// Writes members separated by commas. A member that would exceed the last column begins a new line, indented by one
  /// level more than the list.
  template <typename Range, typename Write>
  void List(const Range& range, Write write) {
    bool first = true;
    for (const auto& member : range) ListMember(&first, [&] { write(member); });
  }
  template <typename Write>
  void ListMember(bool* first, Write write) {
    const Mark comma = Here();
    ++marks_;
    if (!*first) Put(", ");
    InList(write);
    if (!*first) Wrap(comma);
    *first = false;
    --marks_;
  }

  /// Like List() above, for a list in one of the classes of long_lists.h. `threads` is the maximum number of threads; 0
  /// means one for each core.
  template <typename LongList>
  void List(const LongList& list, unsigned threads) {
    bool is_first = true;
    InParallelOrdered<ListPortion>(
        PartsFor(list.portions() * kTypicalPortion, threads), list.portions(),
        [&](std::size_t i, ListPortion* portion) { list.Write(i, portion); },
        [&](const ListPortion& portion) {
          if (is_first && list.portions() > 1)
            Expect(list.portions() * (portion.text.size() + portion.text.size() / 8));
          Append(portion, std::exchange(is_first, false));
        });
  }

  /// Like List(), but each member is on a separate line, indented by one more level.
  template <typename Range, typename Write>
  void Block(const Range& range, bool* first, Write write) {
    for (const auto& member : range) BlockMember(first, [&] { write(member); });
  }
  template <typename Write>
  void BlockMember(bool* first, Write write) {
    if (!*first) Put(',');
    *first = false;
    const std::size_t lists = Indent();
    NewLine();
    write();
    Outdent(lists);
  }

  /// Writes members with List() or Block().
  template <typename Range, typename Write>
  void Members(const Range& range, bool block, bool* first, Write write) {
    for (const auto& member : range) {
      const auto one = [&] { write(member); };
      block ? BlockMember(first, one) : ListMember(first, one);
    }
  }

  /// The style of a list in brackets. kOneEach puts the list on one line if it fits and no member needs separate lines;
  /// otherwise, each member is on its own line. kFill wraps the list, unless a member needs separate lines. kBlock
  /// always puts each member on its own line.
  enum class ListStyle { kOneEach, kFill, kBlock };

  /// Writes a list in this style, without its opening bracket. `write(true)` writes the list with a line for each
  /// member, `write(false)` without. If the text of `write(false)` does not fit, this text is removed, and
  /// `write(true)` is called.
  template <typename Write>
  void Brackets(ListStyle style, Write write) {
    const bool outer = std::exchange(wants_lines_, false);
    bool block = style == ListStyle::kBlock;
    if (!block) {
      const Mark start = Here();
      ++marks_;
      write(false);
      --marks_;
      block = wants_lines_ || (style == ListStyle::kOneEach && IsTooLong(start));
      if (block) CutBack(start);
    }
    if (block) write(true);
    wants_lines_ = outer;
  }
  void AskForLines() { wants_lines_ = true; }

  /// A place in the text.
  struct Mark {
    std::size_t size;
    std::ptrdiff_t line;
  };
  [[nodiscard]] Mark Here() const { return {text_.size(), line_}; }

  /// Returns how many columns a new line has after its indentation.
  [[nodiscard]] std::size_t NewLineRoom() const { return columns_ - std::min(columns_, Spaces(indent_)); }

  /// Begins a new line before the last member of a list if the line is too long. The comma before this member is at
  /// `comma`.
  void Wrap(const Mark& comma);

  /// Returns an empty layout with the current indentation, for a part that is written separately.
  [[nodiscard]] Layout Beside() const {
    Layout beside(columns_);
    beside.indent_ = indent_;
    beside.lists_ = lists_;
    return beside;
  }
  /// Appends a text that was created by Beside(). It must begin with a new line.
  void Append(const Layout& beside);
  void Clear() { CutBack({}); }
  /// Reserves memory for about `size` more bytes, up to a limit, so that a text that is kept in memory does not move
  /// when it grows.
  void Expect(std::size_t size) {
    constexpr std::size_t kMost = std::size_t{64} << 20;
    if (sink_ == nullptr) MakeRoom(std::min(size, kMost) + kUsualLine);
  }

  /// Returns the whole text, or, if there is a sink, the part that has not been passed to it.
  [[nodiscard]] std::string Take() { return std::move(text_); }

 private:
  // The size of the chunks for the sink, which fits in a core's cache.
  static constexpr std::size_t kChunk = std::size_t{256} << 10;
  // Nearly all lines are shorter than kUsualLine. A portion of a long list is about as long as kTypicalPortion.
  static constexpr std::size_t kUsualLine = 4096;
  static constexpr std::size_t kTypicalPortion = std::size_t{64} << 10;
  // Lines at deeper levels are not indented further, so that the size of the text stays linear.
  static constexpr std::size_t kMaxIndent = 16;

  [[nodiscard]] std::size_t Column() const {
    return static_cast<std::size_t>(static_cast<std::ptrdiff_t>(text_.size()) - line_);
  }
  void SetColumn(std::size_t column) {
    line_ = static_cast<std::ptrdiff_t>(text_.size()) - static_cast<std::ptrdiff_t>(column);
  }
  void StartLine(std::size_t at) { line_ = static_cast<std::ptrdiff_t>(at); }
  [[nodiscard]] bool IsBroken(const Mark& mark) const { return line_ > static_cast<std::ptrdiff_t>(mark.size); }
  // Returns whether the line with `mark` is too long or has already ended.
  [[nodiscard]] bool IsTooLong(const Mark& mark) const { return IsBroken(mark) || Column() >= columns_; }
  void CutBack(const Mark& mark) {
    text_.resize(mark.size);
    line_ = mark.line;
  }
  [[nodiscard]] static std::size_t Spaces(std::size_t indent) { return std::min(indent, kMaxIndent) * kStep; }
  void NewLine(std::size_t indent) {
    if (IsFull() || text_.capacity() - text_.size() < kUsualLine) MakeRoom(kUsualLine);
    text_.push_back('\n');
    StartLine(text_.size());
    text_.append(Spaces(indent), ' ');
  }
  // Reserves memory for `size` more bytes.
  void MakeRoom(std::size_t size);
  // Return whether the text is long enough for the sink, and whether it may be passed to the sink now.
  [[nodiscard]] bool IsFull() const { return sink_ != nullptr && text_.size() >= kChunk; }
  [[nodiscard]] bool IsSettled() const { return sink_ != nullptr && marks_ == 0; }
  void PutAway(std::string_view more = {});
  void Append(const ListPortion& portion, bool is_first);
  [[nodiscard]] std::string NewLineInList() const {
    return '\n' + std::string((std::min(indent_ + lists_, kMaxIndent - 1) + 1) * kStep, ' ');
  }

  std::size_t columns_;
  Sink* sink_;
  std::string text_;         // the part that is not in the sink
  std::ptrdiff_t line_ = 0;  // where the last line begins; negative if the beginning is already in the sink
  std::size_t marks_ =
      0;  // number of marks in use; while there is one, text may be removed and must not go to the sink
  std::size_t indent_ = 0;
  std::size_t lists_ = 0;     // number of open wrapped lists in the line to which `indent_` belongs
  bool wants_lines_ = false;  // a member of the current list needs a separate line
};

}  // namespace onnxc::print
