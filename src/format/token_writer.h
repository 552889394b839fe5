// Writes tokens, comments and lists of tokens into the layout, with the white space between them.
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

/// Writes the tokens of a text one after the other. White space between two tokens is only requested at first, and is
/// written together with the second token, because there may be comments between them:
///  - a comment on the line of a token stays after that token; other comments have their own lines;
///  - a line that is broken by a comment continues with one more level of indentation;
///  - a comment before a comma is moved after the comma;
///  - of several empty lines in the text, one is kept, if the formatting style allows an empty line there.
class TokenWriter {
 public:
  TokenWriter(std::string_view text, std::size_t width)
      : text_(text), comments_(text), at_(text, &comments_), out_(width) {
    out_.Expect(text.size() + text.size() / 16);
  }
  TokenWriter(const TokenWriter&) = delete;
  TokenWriter& operator=(const TokenWriter&) = delete;

  /// Writes the comments at the end, and returns the whole text. The writer must not be used afterwards.
  [[nodiscard]] std::string Finish();

 protected:
  using ListStyle = Layout::ListStyle;

  [[nodiscard]] std::size_t type() const { return at_.type(); }
  [[nodiscard]] bool Is(std::size_t type) const { return at_.type() == type; }
  [[nodiscard]] bool AtEnd() const { return Is(antlr4::Token::EOF); }

  // ---- the separation before the next token; there is none by default. A line break takes precedence over a space.

  enum class EmptyLine { kDropped, kKept, kAlways };
  void Blank() {
    if (gap_ == Gap::kNone) gap_ = Gap::kBlank;
  }
  void Line(EmptyLine empty_line = EmptyLine::kDropped) { gap_ = LineWith(empty_line); }

  // ---- tokens

  void Token();
  /// Writes the next tokens with nothing between them.
  void Tokens(int count);
  /// Writes a list of numbers that is one token.
  void Numbers();
  /// Writes a `# onnxc:` comment on its own line, with normalized spaces.
  void Pragma();
  /// Copies the node at the next token if it already has the layout of the formatter. Otherwise returns false.
  [[nodiscard]] bool CopyNode();
  /// Writes the comments before the next token.
  void Comments() {
    if (at_.Comment() != nullptr) WriteComments();
  }
  /// Like Comments(), but the line continues without additional indentation after a comment.
  void CommentsBeforeBracket();

  // ---- lists; `member` writes one member

  /// Writes a comma and returns its place.
  Layout::Mark Comma();

  /// Writes the members of a wrapped list up to the token `end`.
  template <typename Write>
  void Fill(std::size_t end, Write member);

  /// Writes the token that closes a wrapped list.
  void Close();

  /// Writes a wrapped list in brackets.
  template <typename Write>
  void List(std::size_t close, Write member) {
    Token();
    Fill(close, member);
    Close();
  }

  /// Writes lines in brackets with one more level of indentation. Empty lines may be kept. `line` writes one line with
  /// the separation before it.
  template <typename Write>
  void Block(std::size_t close, Write line) {
    CommentsBeforeBracket();
    Token();
    BlockInside(close, EmptyLine::kKept, line);
  }

  /// Like Block(), for a list.
  template <typename Write>
  void Lines(std::size_t close, Write member) {
    CommentsBeforeBracket();
    Token();
    LinesInside(close, EmptyLine::kKept, member);
  }

  /// Writes a list in brackets in the given style, without empty lines.
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
  void WriteComments();
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
