// The tokens that the parser reads. They are scanned one token ahead, and their memory is reused after each part.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "syntax/blocks.h"
#include "syntax/scanner.h"
#include "syntax/token.h"

namespace onnxc::syntax {

/// The scanner in the form that ANTLR requires. The generated parser calls LA, LT and consume of this final class, so
/// they are inlined.
///
/// Tokens keep their addresses until Release() frees them.
class TokenStream final : public antlr4::TokenStream {
 public:
  TokenStream(std::string_view text, Scanner::ListTokens list_tokens, std::size_t begin = 0)
      : scanner_(text, list_tokens, begin) {
    current_ = After(nullptr);
  }

  std::size_t LA(ssize_t) override { return current_->type; }
  antlr4::Token* LT(ssize_t k) override { return k > 0 ? current_ : previous_; }
  void consume() override {
    previous_ = current_;
    current_ = current_->next != nullptr ? current_->next : After(current_);
  }

  [[nodiscard]] SyntaxToken* current() const { return current_; }
  [[nodiscard]] SyntaxToken* previous() const { return previous_; }

  /// Returns the token after `token`, and scans it if necessary: unlimited lookahead for error messages.
  SyntaxToken* After(SyntaxToken* token) {
    if (token != nullptr && token->next != nullptr) return token->next;
    SyntaxToken* added = tokens_.Add();
    scanner_.Next(*added);
    if (token != nullptr) token->next = added;
    return added;
  }

  /// Gives the token a type that its text does not have.
  void Retype(SyntaxToken* token, std::size_t type) {
    token->type = type;
    Note(*token);
  }
  /// Returns whether the current token and all later ones are unchanged.
  [[nodiscard]] bool IsAsScanned() const { return current_->begin >= changed_end_; }

  /// Inserts a missing token before the current one, so that parsing can continue after an error.
  void Insert(std::size_t type);
  /// Like Insert(), but inserts after `token`, which must be the current token or a later one.
  void InsertBehind(SyntaxToken* token, std::size_t type);

  /// Frees the memory of all tokens from `first` to the last consumed one. The current token moves to the place of
  /// `first`. Must not be called after a lookahead, nor while anything refers to these tokens.
  void Release(SyntaxToken* first);

  /// Makes the token that begins at `at` the current one. Must not be called after a lookahead.
  void GoOnAt(std::size_t at) {
    scanner_.GoOnAt(at);
    scanner_.Next(*current_);
  }

  /// Makes the text up to `end` one token of type `type`, which is the current token. The parts that begin with the
  /// current token begin with this token.
  void Extend(std::size_t type, std::size_t end);

  // Required by ANTLR's interface, but never called.
  antlr4::Token* get(std::size_t) const override { return current_; }
  antlr4::TokenSource* getTokenSource() const override { return nullptr; }
  std::string getText(const antlr4::misc::Interval&) override { return {}; }
  std::string getText() override { return {}; }
  std::string getText(antlr4::RuleContext*) override { return {}; }
  std::string getText(antlr4::Token*, antlr4::Token*) override { return {}; }
  ssize_t mark() override { return 0; }
  void release(ssize_t) override {}
  std::size_t index() override { return 0; }
  void seek(std::size_t) override {}
  std::size_t size() override { return 0; }
  std::string getSourceName() const override { return {}; }

 private:
  void Note(const SyntaxToken& changed) { changed_end_ = std::max(changed_end_, changed.begin + 1); }

  Scanner scanner_;
  // The first block is small, because a short text has few tokens and all tokens of a block are created at once.
  Blocks<SyntaxToken, 16, 256> tokens_;
  SyntaxToken* current_ = nullptr;
  SyntaxToken* previous_ = nullptr;
  std::size_t changed_end_ = 0;  // after the first byte of the last token that was inserted or changed
};

}  // namespace onnxc::syntax
