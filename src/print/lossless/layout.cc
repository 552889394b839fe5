#include "print/lossless/layout.h"

#include <fmt/format.h>
#include <onnxc/printer.h>

#include <cstring>
#include <iterator>
#include <utility>

#include "print/writer.h"
#include "source/large_pages.h"
#include "source/unicode.h"

namespace onnxc {
namespace {

/// How many bytes at the start are ASCII without control characters. Eight at a time: the rest is left to others.
std::size_t CountPrintable(std::string_view text) {
  constexpr std::uint64_t kEach = 0x0101010101010101;
  std::size_t at = 0;
  for (; text.size() - at >= 8; at += 8) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, text.data() + at, sizeof(bytes));
    // The high bits of bytes from 0x80, below 0x20 (or behind such), and from 0x7f.
    if (((bytes | (bytes - kEach * 0x20) | (bytes + kEach)) & (kEach << 7)) != 0) break;
  }
  return at;
}

/// Whether a plain string shows the text: UTF-8 without control characters other than line feeds and tabs.
bool IsPlain(std::string_view text) {
  for (std::size_t at = CountPrintable(text); at < text.size();) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte < 0x80) {
      if ((byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7f) return false;
      ++at;
      continue;
    }
    const Character character = DecodeCharacter(text, at);
    if (!character.valid) return false;
    at += character.length;
  }
  return true;
}

}  // namespace

void Layout::String(std::string_view text) {
  if (!IsPlain(text)) return Bytes(text);
  AppendQuoted(text, &text_);
  if (text.find('\n') != std::string_view::npos) StartLine(text_.rfind('\n') + 1);
}

void Layout::Bytes(std::string_view text) {
  Put("b\"");
  for (std::size_t at = 0; at < text.size();) {
    const Character character = DecodeCharacter(text, at);
    const char c = text[at];
    const bool is_control = static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    if (c == '"' || c == '\\') {
      Put('\\');
      Put(c);
    } else if (c == '\n' || c == '\r' || c == '\t') {
      Put(c == '\n' ? "\\n" : c == '\r' ? "\\r" : "\\t");
    } else if (!character.valid || is_control) {
      fmt::format_to(std::back_inserter(text_), "\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      Put(text.substr(at, character.length));
    }
    at += character.length;
  }
  Put('"');
}

void Layout::Name(std::string_view name) {
  if (IsIdentifier(name)) return Put(name);
  String(name);
}

void Layout::Wrap(const Mark& comma) {
  const bool is_broken = IsBroken(comma);
  const std::size_t end = is_broken ? text_.find('\n', comma.size) : text_.size();
  if (static_cast<std::ptrdiff_t>(end) - comma.line < static_cast<std::ptrdiff_t>(columns_)) return;
  const std::string next = NewLineInList();
  text_.replace(comma.size + 1, 1, next);
  StartLine(is_broken ? static_cast<std::size_t>(line_) + next.size() - 1 : comma.size + 2);
}

void Layout::MakeRoom(std::size_t size) {
  if (IsSettled() && text_.size() >= kPiece) PutAway();
  if (text_.capacity() - text_.size() >= size) return;
  std::string larger;
  larger.reserve(std::max(2 * text_.capacity(), text_.size() + size));
  AdviseLargePages(larger.data(), larger.capacity());
  larger.append(text_);
  text_ = std::move(larger);
}

void Layout::PutAway(std::string_view more) {
  sink_->Write(text_);
  if (!more.empty()) sink_->Write(more);
  line_ -= static_cast<std::ptrdiff_t>(text_.size() + more.size());
  text_.clear();
}

void Layout::Append(const Layout& beside) {
  const std::size_t column = beside.Column();
  if (IsSettled()) {
    PutAway(beside.text_);
  } else {
    MakeRoom(beside.text_.size());
    Put(beside.text_);
  }
  SetColumn(column);
}

// What List() does, for members that hold no line break.
void Layout::Append(const ListPortion& portion, bool is_first) {
  constexpr std::string_view kBlank = ", ";
  const std::string break_line = ',' + NewLineInList();
  MakeRoom(portion.text.size() + portion.text.size() / 4);
  bool stays = is_first;  // the next member stands where it is
  std::size_t column = Column();
  std::size_t begin = is_first ? kBlank.size() : 0;
  for (std::size_t i = 0; i < portion.ends.size();) {
    std::size_t stop = stays ? i + 1 : i;  // the first member that is not on this line
    while (stop < portion.ends.size() && column + portion.ends[stop] - begin < columns_) ++stop;
    if (stop > i) {
      const std::size_t end = portion.ends[stop - 1];
      text_.append(portion.text, begin, end - begin);
      column += end - begin;
      begin = end;
    }
    i = stop;
    if (i == portion.ends.size()) break;
    text_.append(break_line);
    column = break_line.size() - kBlank.size();
    begin += kBlank.size();
    stays = true;
  }
  SetColumn(column);
}

}  // namespace onnxc
