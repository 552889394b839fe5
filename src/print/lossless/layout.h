// Where the printed text grows, and the few rules by which it is laid out: docs/layout.md.
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

  /// What is complete goes to the sink, if there is one, before the text grows large.
  explicit Layout(std::size_t columns = kColumns, Sink* sink = nullptr) : columns_(columns), sink_(sink) {}

  void Put(char c) { text_.push_back(c); }
  void Put(std::string_view text) { text_.append(text); }

  /// Text that may hold line breaks.
  void PutLines(std::string_view text) {
    Put(text);
    if (text.find('\n') != std::string_view::npos) StartLine(text_.rfind('\n') + 1);
  }

  template <typename Value>
  void Number(Value value) {
    std::array<char, kRoomForNumber> buffer;
    Put({buffer.data(), WriteNumber(value, buffer.data())});
  }

  /// The same where an integer literal would say something else: with a dot, an exponent or a special word.
  template <std::floating_point Float>
  void FloatLiteral(Float value) {
    const std::size_t start = text_.size();
    Number(value);
    if (text_.find_first_of(".einx", start) == std::string::npos) Put(".0");
  }

  void String(std::string_view text);  // strings.h
  void Bytes(std::string_view bytes) { AppendBytes(bytes, &text_); }

  /// A name: quoted where it is no identifier.
  void Name(std::string_view name);

  /// The start of a new line; of one that goes on with the last, where the members of the innermost filled list start;
  /// of one with the bracket that closes such a list.
  void NewLine() { NewLine(indent_); }
  void Continue() { NewLine(indent_ + std::max<std::size_t>(lists_, 1)); }
  void ClosingLine() { NewLine(indent_ + lists_); }

  /// The lines to come are one step deeper, and stand in no filled list. Outdent() takes what Indent() returned.
  [[nodiscard]] std::size_t Indent() {
    ++indent_;
    return std::exchange(lists_, 0);
  }
  void Outdent(std::size_t lists) {
    --indent_;
    lists_ = lists;
  }

  /// `write` writes a member of a filled list: lists in it are one step deeper.
  template <typename Write>
  void InList(Write write) {
    ++lists_;
    write();
    --lists_;
  }

  /// Members with commas between them. A member that would pass the last column starts a new line, one step deeper
  /// than the list.
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

  /// The same for a list of long_lists.h, which several threads may write; 0 for one for each core.
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

  /// The same, each member on a line of its own, one step deeper.
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

  /// Either way.
  template <typename Range, typename Write>
  void Members(const Range& range, bool block, bool* first, Write write) {
    for (const auto& member : range) {
      const auto one = [&] { write(member); };
      block ? BlockMember(first, one) : ListMember(first, one);
    }
  }

  /// How a list in brackets is laid out: a line as long as it fits and nothing in it asks for lines of its own; filled,
  /// and with lines only where something asks for them; always one member a line.
  enum class ListStyle { kOneEach, kFill, kBlock };

  /// Calls `write(false)`, which writes such a list without its opening bracket in one go, or `write(true)`, which
  /// gives each member a line; the second may come after the first, whose text is then taken back.
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

  /// A comma, a blank and a member of a list were written at `comma`.
  void Wrap(const Mark& comma);

  /// An empty text whose lines are indented like those here.
  [[nodiscard]] Layout Beside() const {
    Layout beside(columns_);
    beside.indent_ = indent_;
    beside.lists_ = lists_;
    return beside;
  }
  /// Puts a text that was written beside this one behind it. It has begun a line of its own.
  void Append(const Layout& beside);
  void Clear() { CutBack({}); }
  /// About so many bytes will follow. A text that is kept as a whole need not move then to grow, up to a size.
  void Expect(std::size_t size) {
    constexpr std::size_t kMost = std::size_t{64} << 20;
    if (sink_ == nullptr) MakeRoom(std::min(size, kMost));
  }

  /// The whole text; where there is a sink, what has not yet gone to it.
  [[nodiscard]] std::string Take() { return std::move(text_); }

 private:
  // Of what goes to the sink: it fits a core's cache.
  static constexpr std::size_t kChunk = std::size_t{256} << 10;
  // What nearly all lines are shorter than, and what a portion of a long list is about as long as.
  static constexpr std::size_t kUsualLine = 4096;
  static constexpr std::size_t kTypicalPortion = std::size_t{64} << 10;
  // Deeper than this, lines start no further to the right, so that the text stays linear in what it says.
  static constexpr std::size_t kMaxIndent = 16;

  [[nodiscard]] std::size_t Column() const {
    return static_cast<std::size_t>(static_cast<std::ptrdiff_t>(text_.size()) - line_);
  }
  void SetColumn(std::size_t column) {
    line_ = static_cast<std::ptrdiff_t>(text_.size()) - static_cast<std::ptrdiff_t>(column);
  }
  void StartLine(std::size_t at) { line_ = static_cast<std::ptrdiff_t>(at); }
  [[nodiscard]] bool IsBroken(const Mark& mark) const { return line_ > static_cast<std::ptrdiff_t>(mark.size); }
  // Whether the line that `mark` is in has grown too long or has come to its end.
  [[nodiscard]] bool IsTooLong(const Mark& mark) const { return IsBroken(mark) || Column() >= columns_; }
  void CutBack(const Mark& mark) {
    text_.resize(mark.size);
    line_ = mark.line;
  }
  void NewLine(std::size_t indent) {
    if (IsFull() || text_.capacity() - text_.size() < kUsualLine) MakeRoom(kUsualLine);
    text_.push_back('\n');
    StartLine(text_.size());
    text_.append(std::min(indent, kMaxIndent) * kStep, ' ');
  }
  // Makes room for `size` bytes more.
  void MakeRoom(std::size_t size);
  // Whether the text is long enough for the sink, and whether it may go there.
  [[nodiscard]] bool IsFull() const { return sink_ != nullptr && text_.size() >= kChunk; }
  [[nodiscard]] bool IsSettled() const { return sink_ != nullptr && marks_ == 0; }
  void PutAway(std::string_view more = {});
  void Append(const ListPortion& portion, bool is_first);
  [[nodiscard]] std::string NewLineInList() const {
    return '\n' + std::string((std::min(indent_ + lists_, kMaxIndent - 1) + 1) * kStep, ' ');
  }

  std::size_t columns_;
  Sink* sink_;
  std::string text_;         // what is not in the sink
  std::ptrdiff_t line_ = 0;  // where the last line starts; what is in the sink stands before 0
  std::size_t marks_ = 0;    // places that are looked back to: the text has to stay
  std::size_t indent_ = 0;
  std::size_t lists_ = 0;     // filled lists that are open in the line that `indent_` is of
  bool wants_lines_ = false;  // something in the list at hand needs a line of its own
};

}  // namespace onnxc::print
