#include "format/token_writer.h"

#include <algorithm>
#include <string>

#include "format/formatted_node.h"
#include "lower/literal.h"
#include "print/lossless/strings.h"
#include "source/unicode.h"

namespace onnxc::format {
namespace {

constexpr std::string_view kBlanks = " \t\v\f\r";
constexpr std::string_view kWhiteSpace = " \t\v\f\r\n";

std::string_view Trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kWhiteSpace), text.size()));
  return text.substr(0, text.find_last_not_of(kWhiteSpace) + 1);
}

/// Calls `visit` for the parts of a text between commas.
template <typename Visit>
void SplitAtCommas(std::string_view text, Visit visit) {
  for (std::size_t end; (end = text.find(',')) != std::string_view::npos; text.remove_prefix(end + 1)) {
    visit(text.substr(0, end));
  }
  visit(text);
}

/// Returns whether a token precedes `place` on its line.
bool HasTokenBefore(std::string_view text, std::size_t place) {
  const std::size_t last = text.substr(0, place).find_last_not_of(kBlanks);
  return last != std::string_view::npos && text[last] != '\n';
}

bool HasEmptyLineBefore(std::string_view text, std::size_t place) {
  const std::size_t last = text.substr(0, place).find_last_not_of(kWhiteSpace);
  const std::string_view gap = text.substr(last + 1, place - last - 1);
  return std::count(gap.begin(), gap.end(), '\n') > 1;
}

/// Returns the comment with the same escapes as in findings, except for tabs.
std::string Escaped(std::string_view comment) {
  std::string escaped;
  for (std::size_t at = 0; at < comment.size();) {
    const Character character = DecodeCharacter(comment, at);
    const std::string_view bytes = comment.substr(at, character.length);
    const bool is_kept = !character.valid || character.code == '\t';
    escaped += is_kept ? std::string(bytes) : Shown(character, bytes);
    at += character.length;
  }
  return escaped;
}

}  // namespace

std::string TokenWriter::Finish() {
  Line(EmptyLine::kKept);
  Comments();
  out_.Put('\n');
  return out_.Take();
}

std::string_view TokenWriter::TextOf(const SourceRange& comment) const {
  return Trimmed(text_.substr(comment.begin, comment.end - comment.begin));
}

// Writes the requested white space before the token or comment at `place`.
void TokenWriter::Separate(std::size_t place) {
  switch (gap_) {
    case Gap::kNone: break;
    case Gap::kBlank: out_.Put(' '); break;
    default: BreakLine(place);
  }
  gap_ = Gap::kNone;
}

void TokenWriter::BreakLine(std::size_t place) {
  if (gap_ == Gap::kClosing) return out_.ClosingLine();
  if (!BeginsLine()) return out_.Continue();
  if (out_.Here().size == 0) return;
  if (gap_ == Gap::kEmptyLine || (gap_ == Gap::kFreeLine && HasEmptyLineBefore(text_, place))) out_.Put('\n');
  out_.NewLine();
}

void TokenWriter::WriteComments() {
  for (bool first = true; const SourceRange* comment = at_.Comment(); first = false) {
    if (first && HasTokenBefore(text_, comment->begin)) {
      out_.Put("  ");
    } else {
      BreakLine(comment->begin);
      if (BeginsLine()) gap_ = Gap::kFreeLine;
    }
    const std::string_view words = TextOf(*comment);
    print::IsPlain(words) ? out_.Put(words) : out_.Put(Escaped(words));
    out_.AskForLines();
    if (!BeginsLine()) gap_ = Gap::kContinuation;
    at_.PassComment();
  }
}

void TokenWriter::Token() {
  Comments();
  Separate(at_.token().begin);
  const SyntaxToken& token = at_.token();
  if (!Is(Grammar::STRING)) {
    out_.Put(token.text);
  } else if (print::IsPlain(token.text)) {
    out_.PutLines(token.text);
  } else {
    out_.Bytes(lower::Unquote(token));
  }
  at_.Advance();
}

void TokenWriter::Tokens(int count) {
  for (; count > 0; --count) Token();
}

void TokenWriter::Numbers() {
  Comments();
  Separate(at_.token().begin);
  const std::string_view list = at_.token().text;
  const std::string_view members = Trimmed(list.substr(1, list.size() - 2));
  out_.Put(list.front());
  bool first = true;
  if (!members.empty()) {
    SplitAtCommas(members,
                  [&](std::string_view number) { out_.ListMember(&first, [&] { out_.Put(Trimmed(number)); }); });
  }
  out_.Put(list.back());
  at_.Advance();
}

void TokenWriter::Pragma() {
  const bool begins_line = BeginsLine();
  if (!begins_line) gap_ = Gap::kContinuation;
  Comments();
  Separate(at_.token().begin);
  const std::string_view pragma = at_.token().text;
  out_.Put("# onnxc:");
  bool first = true;
  SplitAtCommas(pragma.substr(pragma.find(':') + 1), [&](std::string_view clause) {
    if (!std::exchange(first, false)) out_.Put(',');
    for (clause = Trimmed(clause); !clause.empty(); clause = Trimmed(clause)) {
      const std::size_t end = std::min(clause.find_first_of(kWhiteSpace), clause.size());
      out_.Put(' ');
      out_.Put(clause.substr(0, end));
      clause.remove_prefix(end);
    }
  });
  at_.Advance();
  out_.AskForLines();
  gap_ = begins_line ? Gap::kLine : Gap::kContinuation;
}

bool TokenWriter::CopyNode() {
  if (!BeginsLine() || at_.Comment() != nullptr) return false;
  const std::size_t begin = at_.token().begin;
  const std::size_t size = FormattedNode(text_.substr(begin), out_.NewLineRoom());
  if (size == 0) return false;
  Cursor behind = at_;
  behind.GoOnAt(begin + size);
  if (behind.type() == Grammar::LESS) return false;  // attributes follow the inputs
  at_ = behind;
  Separate(begin);
  out_.Put(text_.substr(begin, size));
  return true;
}

Layout::Mark TokenWriter::Comma() {
  Separate(at_.token().begin);
  const Layout::Mark comma = out_.Here();
  out_.Put(',');
  at_.Advance();
  return comma;
}

void TokenWriter::CommentsBeforeBracket() {
  Comments();
  if (gap_ == Gap::kContinuation) gap_ = Gap::kLine;
}

void TokenWriter::Close() {
  Comments();
  if (gap_ == Gap::kContinuation) gap_ = Gap::kClosing;
  Token();
}

}  // namespace onnxc::format
