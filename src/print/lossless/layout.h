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

#include "print/lossless/numbers.h"

namespace onnxc {

class Layout {
 public:
  static constexpr std::size_t kStep = 3;
  static constexpr std::size_t kColumns = 100;

  explicit Layout(std::size_t columns = kColumns) : columns_(columns) {}

  void Put(char c) { text_.push_back(c); }
  void Put(std::string_view text) { text_.append(text); }

  /// Text that may hold line breaks.
  void PutLines(std::string_view text) {
    Put(text);
    if (text.find('\n') != std::string_view::npos) line_ = text_.rfind('\n') + 1;
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

  /// `"text"`, or `b"text"` where the text is no UTF-8 or holds control characters other than line feeds and tabs.
  void String(std::string_view text);

  /// `b"text"`, with C escapes.
  void Bytes(std::string_view bytes);

  /// A name: quoted where it is no identifier.
  void Name(std::string_view name);

  /// The start of a new line; of one that goes on with the last, one step deeper.
  void NewLine() { NewLine(indent_); }
  void Continue() { NewLine(indent_ + 1); }
  void Indent() { ++indent_; }
  void Outdent() { --indent_; }

  /// Members with commas between them. A member that would pass the last column starts a new line, one step deeper.
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
    write();
    if (!*first) Wrap(comma);
    *first = false;
    --marks_;
  }

  /// The same for `count` numbers; write(i, at) writes number i as WriteNumber() does. Several threads may call it.
  template <typename Write>
  void Numbers(std::size_t count, unsigned threads, const Write& write) {
    bool first = true;
    WriteNumbers(count, threads, write, [&](const NumberTexts& numbers) { Fill(numbers, &first); });
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
    Indent();
    NewLine();
    write();
    Outdent();
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
    std::size_t line;
  };
  [[nodiscard]] Mark Here() const { return {text_.size(), line_}; }
  /// Says that places from outside are looked back to, so that the text has to stay in one piece.
  void StayWhole() { ++marks_; }

  /// A comma, a blank and a member of a list were written at `comma`.
  void Wrap(const Mark& comma);

  /// An empty text whose lines are indented like those here.
  [[nodiscard]] Layout Beside() const {
    Layout beside(columns_);
    beside.indent_ = indent_;
    return beside;
  }
  /// Puts a text that was written beside this one behind it. It has begun a line of its own.
  void Append(Layout beside);

  [[nodiscard]] std::string Take();
  /// The same in pieces, of which no other copy is made.
  [[nodiscard]] std::vector<std::string> TakePieces();

 private:
  // Of a long text, what is complete is put aside in pieces of this size: the text need not move to grow.
  static constexpr std::size_t kPiece = std::size_t{16} << 20;
  static constexpr std::size_t kSmallText = std::size_t{256} << 10;
  // Deeper than this, lines start no further to the right, so that the text stays linear in what it says.
  static constexpr std::size_t kMaxIndent = 16;

  // Whether the line that `mark` is in has grown too long or has come to its end.
  [[nodiscard]] bool IsTooLong(const Mark& mark) const { return line_ > mark.size || text_.size() - line_ >= columns_; }
  void CutBack(const Mark& mark) {
    text_.resize(mark.size);
    line_ = mark.line;
  }
  void NewLine(std::size_t indent) {
    constexpr std::size_t kUsualLine = 4096;
    if (text_.capacity() - text_.size() < kUsualLine) MakeRoom(kUsualLine);
    text_.push_back('\n');
    line_ = text_.size();
    text_.append(std::min(indent, kMaxIndent) * kStep, ' ');
  }
  // Makes room for `size` bytes more.
  void MakeRoom(std::size_t size);
  void Fill(const NumberTexts& numbers, bool* first);
  [[nodiscard]] std::string NewLineInList() const {
    return '\n' + std::string((std::min(indent_, kMaxIndent - 1) + 1) * kStep, ' ');
  }

  std::size_t columns_;
  std::vector<std::string> pieces_;  // what stands before the text
  std::string text_;
  std::size_t line_ = 0;   // where the last line starts
  std::size_t marks_ = 0;  // places that are looked back to: what stands behind them cannot be put aside
  std::size_t indent_ = 0;
  bool wants_lines_ = false;  // something in the list at hand needs a line of its own
};

}  // namespace onnxc
