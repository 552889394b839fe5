// Where the printed text grows, and the few rules by which it is laid out: docs/layout.md.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>

#include "print/lossless/numbers.h"

namespace onnxc {

class Layout {
 public:
  static constexpr std::size_t kStep = 3;
  static constexpr std::size_t kColumns = 100;

  void Put(char c) { text_.push_back(c); }
  void Put(std::string_view text) { text_.append(text); }

  template <typename Value>
  void Number(Value value) {
    std::array<char, kLongestNumber> buffer;
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

  /// The start of a new line.
  void NewLine() { NewLine(indent_); }
  void Indent() { ++indent_; }
  void Outdent() { --indent_; }

  /// Members with commas between them. A member that would pass the last column starts a new line, one step deeper.
  template <typename Range, typename Write>
  void List(const Range& range, Write write) {
    bool first = true;
    for (const auto& member : range) {
      const std::size_t start = text_.size();
      const std::size_t line = line_;
      if (!first) Put(", ");
      write(member);
      if (!first) Wrap(start, line);
      first = false;
    }
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

  /// Whether the line that `mark` is in has grown too long or has come to its end.
  [[nodiscard]] bool IsTooLong(std::size_t mark) const { return line_ > mark || text_.size() - line_ >= kColumns; }

  /// A place to which the text may be cut back.
  struct Mark {
    std::size_t size;
    std::size_t line;
  };
  [[nodiscard]] Mark Here() const { return {text_.size(), line_}; }
  void CutBack(const Mark& mark) {
    text_.resize(mark.size);
    line_ = mark.line;
  }

  /// An empty text whose lines are indented like those here.
  [[nodiscard]] Layout Beside() const {
    Layout beside;
    beside.indent_ = indent_;
    return beside;
  }
  [[nodiscard]] std::size_t size() const { return text_.size(); }
  /// Makes room for `size` bytes more.
  void Reserve(std::size_t size) { text_.reserve(text_.size() + size); }
  /// Puts a text that was written beside this one behind it. It has begun a line of its own.
  void Append(const Layout& beside) {
    line_ = text_.size() + beside.line_;
    text_.append(beside.text_);
  }

  [[nodiscard]] std::string Take() { return std::move(text_); }

 private:
  // Deeper than this, lines start no further to the right, so that the text stays linear in what it says.
  static constexpr std::size_t kMaxIndent = 16;

  void NewLine(std::size_t indent) {
    text_.push_back('\n');
    line_ = text_.size();
    text_.append(std::min(indent, kMaxIndent) * kStep, ' ');
  }
  void Wrap(std::size_t start, std::size_t line);
  void Fill(const NumberTexts& numbers, bool* first);
  [[nodiscard]] std::string NewLineInList() const {
    return '\n' + std::string((std::min(indent_, kMaxIndent - 1) + 1) * kStep, ' ');
  }

  std::string text_;
  std::size_t line_ = 0;  // where the last line starts
  std::size_t indent_ = 0;
};

}  // namespace onnxc
