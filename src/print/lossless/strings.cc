#include "print/lossless/strings.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <iterator>

#include "source/eight_bytes.h"
#include "source/unicode.h"
#include "syntax/spelling.h"

namespace onnxc::print {
namespace {

/// How many bytes at the start are ASCII without control characters. Eight at a time: the rest is left to others.
std::size_t CountPrintable(std::string_view text) {
  std::size_t at = 0;
  for (; text.size() - at >= 8; at += 8) {
    const std::uint64_t bytes = LoadEight(text.data() + at);
    // The high bits of bytes from 0x80, below 0x20 (or behind such), and from 0x7f.
    if (((bytes | (bytes - kEachByte * 0x20) | (bytes + kEachByte)) & kHighBits) != 0) break;
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

void AppendString(std::string_view text, std::string* out) {
  IsPlain(text) ? AppendQuoted(text, out) : AppendBytes(text, out);
}

void AppendBytes(std::string_view text, std::string* out) {
  *out += "b\"";
  for (std::size_t at = 0; at < text.size();) {
    const Character character = DecodeCharacter(text, at);
    const char c = text[at];
    const bool is_control = static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    if (c == '"' || c == '\\') {
      *out += '\\';
      *out += c;
    } else if (c == '\n' || c == '\r' || c == '\t') {
      *out += c == '\n' ? "\\n" : c == '\r' ? "\\r" : "\\t";
    } else if (!character.valid || is_control) {
      fmt::format_to(std::back_inserter(*out), "\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      *out += text.substr(at, character.length);
    }
    at += character.length;
  }
  *out += '"';
}

}  // namespace onnxc::print
