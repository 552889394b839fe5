// Decodes characters of text that should be UTF-8, and determines how a terminal shows them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace onnxc {

/// The character at a place in a text: a UTF-8 sequence, or one byte that is not part of a valid sequence.
struct Character {
  char32_t code = 0;  ///< the byte's value if !valid
  std::size_t length = 1;
  bool valid = true;
};

/// Returns the character at byte `at`, which must be inside the text.
[[nodiscard]] Character DecodeCharacter(std::string_view text, std::size_t at);

/// Returns whether the complete text is UTF-8.
[[nodiscard]] bool IsUtf8(std::string_view text);

[[nodiscard]] std::size_t CountCharacters(std::string_view text);

/// Returns the number of terminal columns of a character: 0 for combining marks, 2 for wide East Asian characters.
[[nodiscard]] std::size_t DisplayWidth(char32_t code);

/// Returns the ASCII letter or digit that looks the same as the given character. The character may be a Cyrillic,
/// Greek, Armenian or Cherokee letter, a Roman number, or a full-width or mathematical form. Returns 0 if
/// nothing looks the same, and for letters such as alpha, because people usually mean that letter itself. (The letters
/// and digits are those of Unicode's list of confusables.)
[[nodiscard]] char LatinLookAlike(char32_t code);

/// Returns a description of such a character: "a Cyrillic letter".
[[nodiscard]] std::string_view ScriptOf(char32_t code);

/// Returns whether the character is a control character, or one that reorders, hides or joins its neighbours, so that a
/// line with it looks different from how it is parsed. All output uses this function.
[[nodiscard]] bool IsDeceptive(char32_t code);

/// Returns the character in a form that is safe for a terminal: itself, or an escape if IsDeceptive() is true or it is
/// not valid UTF-8. `bytes` are the bytes of the character.
[[nodiscard]] std::string Shown(const Character& character, std::string_view bytes);

/// Returns a complete text in this safe form.
[[nodiscard]] std::string Shown(std::string_view text);

}  // namespace onnxc
