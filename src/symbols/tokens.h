// The tokens of a text, for those who do not look at the parse tree.
#pragma once

#include <onnxc/source.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace onnxc {

enum class TokenKind : std::uint8_t {
  kName,     ///< an identifier
  kKeyword,  ///< a word of types: `float`, `seq`; it may serve as a name, too
  kNumber,
  kNumbers,  ///< a list of numbers, with its brackets
  kString,
  kMark,  ///< a bracket, `,`, `=`, `=>` and so on
  kPragma,
  kComment,
  kInvalid,
};

struct TextToken {
  TokenKind kind;
  SourceRange range;
};

/// The tokens that begin in a part of a text, which begins between two tokens. With `comments`, these are among them.
[[nodiscard]] std::vector<TextToken> TokensIn(std::string_view text, SourceRange part, bool comments = false);

/// The name that an identifier or a whole string of the text stands for.
[[nodiscard]] std::string NameOf(std::string_view token);

}  // namespace onnxc
