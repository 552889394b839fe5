// Finds the brackets that enclose the current token of the parser.
#pragma once

#include <cstddef>
#include <vector>

#include "syntax/tree.h"

namespace onnxc::syntax {

/// Return whether the token type is an opening or a closing bracket.
[[nodiscard]] bool IsOpening(std::size_t type);
[[nodiscard]] bool IsClosing(std::size_t type);
/// Returns whether the token opens a bracket that `}` closes: `{` or `@{`.
[[nodiscard]] bool IsBrace(std::size_t type);
/// Returns the type of the closing bracket for an opening bracket.
[[nodiscard]] std::size_t ClosingOf(std::size_t type);

/// The brackets that are open at the current token. Each token is read only once, even if there are many errors, so
/// that the total time is linear in the size of the text.
class OpenBrackets {
 public:
  /// Reads the tokens before `current`. It begins where the last call ended; the first call begins at `first`.
  void ReadTo(const SyntaxToken* first, const SyntaxToken* current);

  /// Returns the innermost open bracket that begins at or after the offset `begin`, or null.
  [[nodiscard]] const SyntaxToken* Innermost(std::size_t begin) const;
  /// Returns the types of all open brackets that begin at or after the offset, the outermost first.
  [[nodiscard]] std::vector<std::size_t> TypesFrom(std::size_t begin) const;
  /// Returns how many of these brackets are closed by `}`.
  [[nodiscard]] std::size_t BracesFrom(std::size_t begin) const;

 private:
  struct Open {
    const SyntaxToken* token;
    std::size_t braces;  // how many brackets are closed by `}`: this one and the enclosing ones
  };
  [[nodiscard]] std::vector<Open>::const_iterator From(std::size_t begin) const;

  std::vector<Open> open_;             // in the order of the text
  const SyntaxToken* last_ = nullptr;  // the last token that was read
};

/// The types of the brackets that are open while text is skipped. A closing bracket also closes all brackets that were
/// opened after its opening bracket. The time is linear in the number of brackets, even if closing brackets match no
/// opening one.
class SkippedBrackets {
 public:
  explicit SkippedBrackets(const std::vector<std::size_t>& open);

  void Open(std::size_t type);
  /// Returns false if no bracket of this type is open.
  bool Close(std::size_t type);
  [[nodiscard]] bool empty() const { return open_.empty(); }

 private:
  std::vector<std::size_t> open_;   // the types of the closing brackets that are expected
  std::vector<std::size_t> count_;  // the number of open brackets by type
};

}  // namespace onnxc::syntax
