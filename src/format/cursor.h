// Positions in a text that is being formatted.
#pragma once

#include <onnxc/source.h>

#include <cstddef>
#include <string_view>
#include <vector>

#include "syntax/scanner.h"
#include "syntax/tree.h"

namespace onnxc::format {

using syntax::Grammar;
using syntax::SyntaxToken;

/// A token, and the first comment that was not passed yet. Copies are places to come back to.
class Cursor {
 public:
  /// At the first token. `comments` are all of the text, and outlive the cursor.
  Cursor(std::string_view text, const std::vector<SourceRange>& comments) : scanner_(text), comments_(&comments) {
    scanner_.Next(token_);
  }

  [[nodiscard]] const SyntaxToken& token() const { return token_; }
  [[nodiscard]] std::size_t type() const { return token_.type; }

  /// To the next token. Comments are left to be passed.
  void Advance() { scanner_.Next(token_); }

  /// The first comment before the token that was not passed; null where there is none.
  [[nodiscard]] const SourceRange* Comment() const {
    if (comment_ == comments_->size() || (*comments_)[comment_].begin > token_.begin) return nullptr;
    return &(*comments_)[comment_];
  }
  void PassComment() { ++comment_; }

  /// From an opening bracket to the token behind the one that closes it, past the comments in between. Returns whether
  /// there were any.
  bool SkipBrackets();

 private:
  syntax::Scanner scanner_;
  SyntaxToken token_;
  const std::vector<SourceRange>* comments_;
  std::size_t comment_ = 0;
};

}  // namespace onnxc::format
