#include "source/json.h"

#include <fmt/format.h>

#include <string_view>

#include "source/unicode.h"

namespace onnxc {
namespace {

std::string Escape(char32_t code) {
  if (code <= 0xFFFF) return fmt::format("\\u{:04x}", static_cast<unsigned>(code));
  const auto above = static_cast<unsigned>(code) - 0x10000;
  return fmt::format("\\u{:04x}\\u{:04x}", 0xD800 + (above >> 10), 0xDC00 + (above & 0x3FF));
}

}  // namespace

std::string JsonText(const nlohmann::ordered_json& document) {
  const std::string plain = document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  std::string text;
  text.reserve(plain.size() + 1);
  for (std::size_t at = 0; at < plain.size();) {
    // The only characters below U+0020 are the line breaks between values, because dump() escapes control characters.
    if (plain[at] > 0 && plain[at] < 0x7F) {  // most characters; none of them is deceptive
      text += plain[at++];
      continue;
    }
    const Character character = DecodeCharacter(plain, at);
    if (IsDeceptive(character.code)) {
      text += Escape(character.code);
    } else {
      text.append(plain, at, character.length);
    }
    at += character.length;
  }
  return text + "\n";
}

}  // namespace onnxc
