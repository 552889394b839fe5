// Characters in bytes that claim to be UTF-8, and how a terminal shows them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace onnxc {

/// What is at a place in a text: a UTF-8 sequence, or one byte that belongs to none.
struct Character {
  char32_t code = 0;  ///< the byte's value where !valid
  std::size_t length = 1;
  bool valid = true;
};

/// The character at byte `at`, which is inside the text.
[[nodiscard]] Character DecodeCharacter(std::string_view text, std::size_t at);

/// Whether all of the text is UTF-8.
[[nodiscard]] bool IsUtf8(std::string_view text);

[[nodiscard]] std::size_t CountCharacters(std::string_view text);

/// The columns a terminal gives a character: 0 for combining marks, 2 for East Asian wide ones.
[[nodiscard]] std::size_t DisplayWidth(char32_t code);

/// The letter or digit of ASCII that a letter of another script is read as: Cyrillic, Greek, Armenian and Cherokee ones
/// that look the same, Roman numbers, full-width and mathematical forms; not letters that people write on purpose, such
/// as alpha. 0 where there is none. (Unicode's list of confusables, as far as it is about letters and digits.)
[[nodiscard]] char LatinLookAlike(char32_t code);

/// What such a character is: "a Cyrillic letter".
[[nodiscard]] std::string_view ScriptOf(char32_t code);

/// Control characters, and those that reorder, hide or join their neighbours: a line that holds one does not read as it
/// is parsed. All that is shown and written asks here.
[[nodiscard]] bool IsDeceptive(char32_t code);

/// The character as it may be sent to a terminal: itself, or an escape where it is a control character, reorders or
/// hides its neighbours, or is no UTF-8. `bytes` are those of the character.
[[nodiscard]] std::string Shown(const Character& character, std::string_view bytes);

/// A whole text, shown character by character.
[[nodiscard]] std::string Shown(std::string_view text);

}  // namespace onnxc
