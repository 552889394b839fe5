#include "print/lossless/layout.h"

#include <fmt/format.h>

#include <array>
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
  if (text.find('\n') != std::string_view::npos) line_ = text_.rfind('\n') + 1;
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
  const bool is_broken = line_ > comma.size;
  const std::size_t end = is_broken ? text_.find('\n', comma.size) : text_.size();
  if (end - comma.line < columns_) return;
  const std::string next = NewLineInList();
  text_.replace(comma.size + 1, 1, next);
  line_ = is_broken ? line_ + next.size() - 1 : comma.size + 2;
}

// What List() does, for members that hold no line break and are not written yet. Numbers are copied at their longest,
// which is one instruction or two, into a block that goes to the text as a whole.
void Layout::Fill(const NumberTexts& numbers, bool* first) {
  constexpr std::size_t kBlock = 4096;
  constexpr std::size_t kLongestSeparator = 2 + (kMaxIndent + 1) * kStep;
  MakeRoom(numbers.text.size());
  const std::string next = ',' + NewLineInList();
  std::array<char, kBlock + kLongestSeparator + kLongestNumber> block;
  char* to = block.data();
  const char* from = numbers.text.data();
  std::size_t column = text_.size() - line_;
  for (const std::size_t length : numbers.lengths) {
    if (std::exchange(*first, false)) {
      // no separator
    } else if (column + std::string_view(", ").size() + length >= columns_) {
      to = std::ranges::copy(next, to).out;
      column = next.size() - std::string_view(",\n").size();
    } else {
      *to++ = ',';
      *to++ = ' ';
      column += 2;
    }
    std::memcpy(to, from, kLongestNumber);
    to += length;
    from += length;
    column += length;
    if (to - block.data() >= static_cast<std::ptrdiff_t>(kBlock)) {
      text_.append(block.data(), to);
      to = block.data();
    }
  }
  text_.append(block.data(), to);
  line_ = text_.size() - column;
}

void Layout::MakeRoom(std::size_t size) {
  if (text_.size() + size > kPiece && marks_ == 0 && line_ > 0) {
    std::string last_line = text_.substr(line_);
    text_.resize(line_);
    pieces_.push_back(std::move(text_));
    text_ = std::move(last_line);
    line_ = 0;
  }
  if (text_.capacity() - text_.size() >= size) return;
  const bool is_small = pieces_.empty() && text_.size() + size < kSmallText;
  text_.reserve(is_small ? text_.size() + size : std::max(kPiece, text_.size() + size));
  AdviseLargePages(text_.data() + text_.size(), text_.capacity() - text_.size());
}

void Layout::Append(Layout beside) {
  if (marks_ == 0 && (!beside.pieces_.empty() || beside.text_.size() > kSmallText)) {
    pieces_.push_back(std::move(text_));
    std::ranges::move(beside.pieces_, std::back_inserter(pieces_));
    text_ = std::move(beside.text_);
    line_ = beside.line_;
    return;
  }
  for (const std::string& piece : beside.pieces_) text_ += piece;
  line_ = text_.size() + beside.line_;
  text_ += beside.text_;
}

std::vector<std::string> Layout::TakePieces() {
  pieces_.push_back(std::move(text_));
  return std::move(pieces_);
}

std::string Layout::Take() {
  if (pieces_.empty()) return std::move(text_);
  std::size_t size = text_.size();
  for (const std::string& piece : pieces_) size += piece.size();
  std::string whole;
  whole.reserve(size);
  AdviseLargePages(whole.data(), whole.capacity());
  for (const std::string& piece : TakePieces()) whole += piece;
  return whole;
}

}  // namespace onnxc
