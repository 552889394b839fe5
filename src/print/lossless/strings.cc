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

/// Returns the number of bytes at the beginning that are certainly ASCII and no control characters. It tests eight
/// bytes at a time, so the caller must test the next bytes itself.
std::size_t CountPrintable(std::string_view text) {
  std::size_t at = 0;
  for (; text.size() - at >= 8; at += 8) {
    const std::uint64_t bytes = LoadEight(text.data() + at);
    // In the result, the high bit of a byte is set if the byte is below 0x20 or above 0x7e. It may also be set in the
    // byte that follows a byte below 0x20.
    if (((bytes | (bytes - kEachByte * 0x20) | (bytes + kEachByte)) & kHighBits) != 0) break;
  }
  return at;
}

/// Returns whether the character is white space, by Unicode. IsDeceptive() is true for the other ones.
bool IsBlank(char32_t code) {
  return code == ' ' || code == '\t' || code == 0xA0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200A) ||
         code == 0x202F || code == 0x205F || code == 0x3000;
}

std::string EscapedBytes(std::string_view bytes) {
  std::string escaped;
  for (const char byte : bytes) {
    fmt::format_to(std::back_inserter(escaped), "\\x{:02x}", static_cast<unsigned char>(byte));
  }
  return escaped;
}

}  // namespace

bool IsPlain(std::string_view text) {
  std::size_t at = CountPrintable(text);
  char32_t before = at == 0 ? U'\0' : static_cast<unsigned char>(text[at - 1]);
  while (at < text.size()) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte < 0x7f) {  // most characters; the others are looked up
      if (byte < 0x20 && byte != '\t' && (byte != '\n' || IsBlank(before))) return false;
      before = byte;
      ++at;
      continue;
    }
    const Character character = DecodeCharacter(text, at);
    if (!character.valid || IsDeceptive(character.code)) return false;
    before = character.code;
    at += character.length;
  }
  return true;
}

void AppendString(std::string_view text, std::string* out) {
  IsPlain(text) ? syntax::AppendQuoted(text, out) : AppendBytes(text, out);
}

void AppendBytes(std::string_view text, std::string* out) {
  *out += "b\"";
  for (std::size_t at = 0; at < text.size();) {
    const Character character = DecodeCharacter(text, at);
    const char c = text[at];
    if (c == '"' || c == '\\') {
      *out += '\\';
      *out += c;
    } else if (c == '\n' || c == '\r' || c == '\t') {
      *out += c == '\n' ? "\\n" : c == '\r' ? "\\r" : "\\t";
    } else if (!character.valid || IsDeceptive(character.code)) {
      *out += EscapedBytes(text.substr(at, character.length));
    } else {
      *out += text.substr(at, character.length);
    }
    at += character.length;
  }
  *out += '"';
}

}  // namespace onnxc::print
