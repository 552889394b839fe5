// Tokens and comments on their way into the layout: what stands between them, and lists of them.
#pragma once

#include <onnxc/source.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "format/cursor.h"
#include "print/lossless/layout.h"

namespace onnxc::format {

using print::Layout;

/// Writes the tokens of a text one after the other. What comes between the last one and the next is said first and
/// written with the next, because comments may come in between:
///  - a comment on the line of a token stays behind it, others have lines of their own;
///  - a line that is broken by a comment goes on one step deeper;
///  - a comment before a comma goes behind it;
///  - of empty lines in the text, one is kept between lines that may have one.
class TokenWriter {
 public:
  TokenWriter(std::string_view text, std::size_t width)
      : text_(text), comments_(text), at_(text, &comments_), out_(width) {}
  TokenWriter(const TokenWriter&) = delete;
  TokenWriter& operator=(const TokenWriter&) = delete;

  /// Writes the comments at the end, and gives the whole text. The writer is used up.
  [[nodiscard]] std::string Finish();

 protected:
  using ListStyle = Layout::ListStyle;

  [[nodiscard]] std::size_t type() const { return at_.type(); }
  [[nodiscard]] bool Is(std::size_t type) const { return at_.type() == type; }
  [[nodiscard]] bool AtEnd() const { return Is(antlr4::Token::EOF); }

  // ---- what comes before the next token; nothing where nothing is said. A line goes before a blank.

  enum class EmptyLine { kDropped, kKept, kAlways };
  void Blank() {
    if (gap_ == Gap::kNone) gap_ = Gap::kBlank;
  }
  void Line(EmptyLine empty_line = EmptyLine::kDropped) { gap_ = LineWith(empty_line); }

  // ---- tokens

  void Token();
  /// The next tokens, with nothing in between.
  void Tokens(int count);
  /// A list of numbers that is one token.
  void Numbers();
  /// A `# onnxc:` comment: on a line of its own, with the blanks that it should have.
  void Pragma();
  /// The comments before the next token.
  void Comments();
  /// The same; after one of them, the line goes on no deeper than it began.
  void CommentsBeforeBracket();

  // ---- lists; `member` writes one member

  /// A comma, and where it is.
  Layout::Mark Comma();

  /// Members of a filled list, to the token `end`.
  template <typename Write>
  void Fill(std::size_t end, Write member);

  /// The token that closes a filled list.
  void Close();

  /// A filled list in brackets.
  template <typename Write>
  void List(std::size_t close, Write member) {
    Token();
    Fill(close, member);
    Close();
  }

  /// Lines in brackets, one step deeper; empty ones may be kept. `line` writes one, with what comes before it.
  template <typename Write>
  void Block(std::size_t close, Write line) {
    CommentsBeforeBracket();
    Token();
    BlockInside(close, EmptyLine::kKept, line);
  }

  /// The same for a list.
  template <typename Write>
  void Lines(std::size_t close, Write member) {
    CommentsBeforeBracket();
    Token();
    LinesInside(close, EmptyLine::kKept, member);
  }

  /// A list in brackets by the style; without empty lines.
  template <typename Write>
  void Brackets(ListStyle style, std::size_t close, Write member);

  std::string_view text_;
  CommentList comments_;
  Cursor at_;

 private:
  enum class Gap { kNone, kBlank, kContinuation, kClosing, kLine, kFreeLine, kEmptyLine };

  static Gap LineWith(EmptyLine empty_line) {
    return empty_line == EmptyLine::kDropped ? Gap::kLine
           : empty_line == EmptyLine::kKept  ? Gap::kFreeLine
                                             : Gap::kEmptyLine;
  }
  [[nodiscard]] bool BeginsLine() const { return gap_ >= Gap::kLine; }
  [[nodiscard]] std::string_view TextOf(const SourceRange& comment) const;
  void Separate(std::size_t place);
  void BreakLine(std::size_t place);
  template <typename Write>
  void BlockInside(std::size_t close, EmptyLine between, Write line);
  template <typename Write>
  void LinesInside(std::size_t close, EmptyLine between, Write member);

  Layout out_;
  Gap gap_ = Gap::kLine;
};

template <typename Write>
void TokenWriter::Fill(std::size_t end, Write member) {
  for (bool first = true; !Is(end); first = false) {
    if (first) {
      out_.InList(member);
      continue;
    }
    const Layout::Mark comma = Comma();
    Blank();
    const bool is_broken = at_.Comment() != nullptr || Is(Grammar::PRAGMA);
    out_.InList(member);
    const bool is_empty = out_.Here().size == comma.size + 1;
    if (!is_broken && !is_empty) out_.Wrap(comma);
  }
}

template <typename Write>
void TokenWriter::BlockInside(std::size_t close, EmptyLine between, Write line) {
  const std::size_t lists = out_.Indent();
  EmptyLine before = EmptyLine::kDropped;
  for (; !Is(close); before = between) line(before);
  Line(before);
  Comments();
  out_.Outdent(lists);
  Line();
  Token();
}

template <typename Write>
void TokenWriter::LinesInside(std::size_t close, EmptyLine between, Write member) {
  bool first = true;
  BlockInside(close, between, [&](EmptyLine before) {
    if (!std::exchange(first, false)) Comma();
    Line(before);
    member();
  });
}

template <typename Write>
void TokenWriter::Brackets(ListStyle style, std::size_t close, Write member) {
  Token();
  out_.Brackets(style, [&, start = at_](bool block) {
    at_ = start;
    gap_ = Gap::kNone;
    if (block) return LinesInside(close, EmptyLine::kDropped, member);
    Fill(close, member);
    Close();
  });
}

}  // namespace onnxc::format
