#include "print/lossless/layout.h"

#include <fmt/format.h>

#include <iterator>

#include "print/writer.h"
#include "source/unicode.h"

namespace onnxc {
namespace {

/// Whether a plain string shows the text: UTF-8 without control characters other than line feeds and tabs.
bool IsPlain(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
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

// The member and the comma before it were written at `start`, on a line that begins at `line`.
void Layout::Wrap(std::size_t start, std::size_t line) {
  const bool is_broken = line_ > start;
  const std::size_t end = is_broken ? text_.find('\n', start) : text_.size();
  if (end - line < kColumns) return;
  const std::string next = NewLineInList();
  text_.replace(start + 1, 1, next);
  line_ = is_broken ? line_ + next.size() - 1 : start + 2;
}

// What List() does, for members that hold no line break and are not written yet.
void Layout::Fill(const NumberTexts& numbers, bool* first) {
  const std::string next = ',' + NewLineInList();
  std::size_t column = text_.size() - line_;
  const char* at = numbers.text.data();
  for (const std::size_t length : numbers.lengths) {
    const bool wraps = !*first && column + std::string_view(", ").size() + length >= kColumns;
    const std::string_view separator = *first ? std::string_view() : wraps ? std::string_view(next) : ", ";
    text_.append(separator).append(at, length);
    column = (wraps ? separator.size() - std::string_view(",\n").size() : column + separator.size()) + length;
    *first = false;
    at += length;
  }
  line_ = text_.size() - column;
}

}  // namespace onnxc
