// Positions in a text that is being formatted.
#pragma once

#include <onnxc/source.h>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "syntax/scanner.h"
#include "syntax/tree.h"

namespace onnxc::format {

using syntax::Grammar;
using syntax::SyntaxToken;

/// The comments of a text, `#` to the end of the line, in order, as far as some cursor has come.
class CommentList {
 public:
  explicit CommentList(std::string_view text) : text_(text) {}

  /// A cursor goes on from a token that ends at `begin` to one that begins at `end`.
  void Pass(std::size_t begin, std::size_t end) {
    if (end <= seen_) return;
    seen_ = end;
    for (std::size_t at = begin; at != end; ++at) {
      if (text_[at] != '#') continue;
      const std::size_t first = std::exchange(at, std::min(text_.find('\n', at), end));
      found_.push_back({first, at});
      if (at == end) break;
    }
  }
  [[nodiscard]] const std::vector<SourceRange>& found() const { return found_; }

 private:
  std::string_view text_;
  std::size_t seen_ = 0;
  std::vector<SourceRange> found_;
};

/// A token, and the first comment that was not passed yet. Copies are places to come back to.
class Cursor {
 public:
  /// At the first token. `comments` are those of the text, and outlive the cursor.
  Cursor(std::string_view text, CommentList* comments) : scanner_(text), comments_(comments) { Advance(); }

  [[nodiscard]] const SyntaxToken& token() const { return token_; }
  [[nodiscard]] std::size_t type() const { return token_.type; }

  /// To the next token. Comments are left to be passed.
  void Advance() {
    const std::size_t behind = token_.range().end;
    scanner_.Next(token_);
    comments_->Pass(behind, token_.begin);
  }

  /// The first comment before the token that was not passed; null where there is none.
  [[nodiscard]] const SourceRange* Comment() const {
    const std::vector<SourceRange>& found = comments_->found();
    return comment_ == found.size() || found[comment_].begin > token_.begin ? nullptr : &found[comment_];
  }
  void PassComment() { ++comment_; }

  /// From an opening bracket to the token behind the one that closes it, past the comments in between. Returns whether
  /// there were any.
  bool SkipBrackets();

 private:
  syntax::Scanner scanner_;
  SyntaxToken token_;
  CommentList* comments_;
  std::size_t comment_ = 0;
};

}  // namespace onnxc::format
