// The tokens of a text, for code that does not use the parse tree.
#pragma once

#include <onnxc/source.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace onnxc {

enum class TokenKind : std::uint8_t {
  kName,     ///< an identifier
  kKeyword,  ///< a type word such as `float` or `seq`, which can also be used as a name
  kNumber,
  kNumbers,  ///< a list of numbers with its brackets
  kString,
  kMark,  ///< punctuation: a bracket, `,`, `=`, `=>` and so on
  kPragma,
  kComment,
  kInvalid,
};

struct TextToken {
  TokenKind kind;
  SourceRange range;
};

/// Returns the tokens that begin in a part of a text. The part must begin between two tokens. With `comments`, comments
/// are included.
[[nodiscard]] std::vector<TextToken> TokensIn(std::string_view text, SourceRange part, bool comments = false);

/// Returns the name that an identifier or a complete string of the text represents.
[[nodiscard]] std::string NameOf(std::string_view token);

}  // namespace onnxc
