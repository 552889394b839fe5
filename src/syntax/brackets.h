// The brackets around the token that the parser has come to.
#pragma once

#include <cstddef>
#include <vector>

#include "syntax/tree.h"

namespace onnxc::syntax {

/// Token types that open and close a bracket.
[[nodiscard]] bool IsOpening(std::size_t type);
[[nodiscard]] bool IsClosing(std::size_t type);
/// Returns whether the token opens a bracket that `}` closes: `{` or `@{`.
[[nodiscard]] bool IsBrace(std::size_t type);
/// The type that closes an opening one.
[[nodiscard]] std::size_t ClosingOf(std::size_t type);

/// The brackets that are open at the current token. Each token is looked at once, however often errors are explained,
/// so that many errors take time linear in the text.
class OpenBrackets {
 public:
  /// Reads on from where the last call ended, or from `first`, up to the current token, which is not read.
  void ReadTo(const SyntaxToken* first, const SyntaxToken* current);

  /// The innermost one of those that were opened at or behind byte `begin`, or null.
  [[nodiscard]] const SyntaxToken* Innermost(std::size_t begin) const;
  /// The types of all of them, the outermost first.
  [[nodiscard]] std::vector<std::size_t> TypesFrom(std::size_t begin) const;
  /// How many of them are closed by `}`.
  [[nodiscard]] std::size_t BracesFrom(std::size_t begin) const;

 private:
  struct Open {
    const SyntaxToken* token;
    std::size_t braces;  // those closed by `}` among it and the ones around it
  };
  [[nodiscard]] std::vector<Open>::const_iterator From(std::size_t begin) const;

  std::vector<Open> open_;             // in the order of the text
  const SyntaxToken* last_ = nullptr;  // the last token that was read
};

/// Brackets that were skipped, as their types: a closing one closes all that were opened behind its twin. Takes time
/// linear in the number of brackets, also where closing ones have no twin.
class SkippedBrackets {
 public:
  explicit SkippedBrackets(const std::vector<std::size_t>& open);

  void Open(std::size_t type);
  /// False where no bracket of the kind is open.
  bool Close(std::size_t type);
  [[nodiscard]] bool empty() const { return open_.empty(); }

 private:
  std::vector<std::size_t> open_;   // the closing types that are awaited
  std::vector<std::size_t> count_;  // of each type
};

}  // namespace onnxc::syntax
