// Positions in a text that is being formatted.
#pragma once

#include <onnxc/source.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "syntax/scanner.h"
#include "syntax/tree.h"

namespace onnxc::format {

using syntax::Grammar;
using syntax::SyntaxToken;

/// The comments of a text, in order, up to the place that the cursors have reached. A comment extends from `#` to the
/// end of the line.
class CommentList {
 public:
  explicit CommentList(std::string_view text) : text_(text) {}

  /// Adds the comments between a token that ends at `begin` and the next token, which begins at `end`.
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
  [[nodiscard]] std::string_view text() const { return text_; }

 private:
  std::string_view text_;
  std::size_t seen_ = 0;
  std::vector<SourceRange> found_;
};

/// A position in the text: a token, and the first comment before it that was not passed yet. To return to a position,
/// keep a copy of the cursor.
class Cursor {
 public:
  /// Begins at the first token. `comments` collects the comments of the text; it must outlive the cursor.
  Cursor(std::string_view text, CommentList* comments) : scanner_(text), comments_(comments) { Advance(); }

  [[nodiscard]] const SyntaxToken& token() const { return token_; }
  [[nodiscard]] std::size_t type() const { return token_.type; }

  /// Moves to the next token. Comments before it still have to be passed.
  void Advance() {
    const std::size_t behind = token_.range().end;
    scanner_.Next(token_);
    comments_->Pass(behind, token_.begin);
  }

  /// Moves to the token at `place` or after it, like Scanner::GoOnAt(). There must be no comments in between.
  void GoOnAt(std::size_t place) {
    scanner_.GoOnAt(place);
    scanner_.Next(token_);
    comments_->Pass(place, token_.begin);
  }

  /// Returns the first comment before the token that was not passed yet, or null if there is none.
  [[nodiscard]] const SourceRange* Comment() const {
    const std::vector<SourceRange>& found = comments_->found();
    return comment_ == found.size() || found[comment_].begin > token_.begin ? nullptr : &found[comment_];
  }
  void PassComment() { ++comment_; }

  /// Returns the place of the bracket that closes the bracket `(` or `<` at the cursor, if this list is short and
  /// plain: it contains no string, comment or annotation, and no brackets but `[...]`. Most lists are plain, and
  /// reading their tokens takes several times as long.
  [[nodiscard]] std::optional<std::size_t> EndOfPlainList() const;

  /// Moves from an opening bracket to the token after its closing bracket, and passes the comments in between. Returns
  /// whether there were such comments.
  bool SkipBrackets();

 private:
  syntax::Scanner scanner_;
  SyntaxToken token_;
  CommentList* comments_;
  std::size_t comment_ = 0;
};

}  // namespace onnxc::format
