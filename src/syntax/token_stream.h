// The tokens that the parser looks at. They are scanned one ahead, and their memory is used again after each part.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "syntax/scanner.h"
#include "syntax/token.h"

namespace onnxc::syntax {

/// ANTLR's view of the scanner. The generated parser calls LA, LT and consume through this final class, so they inline.
///
/// Tokens live in blocks and keep their addresses until Release() gives them back.
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

  /// The token after `token`, scanned if need be: unbounded lookahead for error messages.
  SyntaxToken* After(SyntaxToken* token) {
    if (token != nullptr && token->next != nullptr) return token->next;
    SyntaxToken* added = Add();
    scanner_.Next(*added);
    if (token != nullptr) token->next = added;
    return added;
  }

  /// The token stands for another type than the text says.
  void Retype(SyntaxToken* token, std::size_t type) {
    token->type = type;
    Note(*token);
  }
  /// The current token, and those behind it, are what the text says.
  [[nodiscard]] bool IsAsScanned() const { return current_->begin >= changed_end_; }

  /// Inserts a token that is missing in the text before the current one, so that parsing can continue after an error.
  void Insert(std::size_t type);
  /// The same behind a token that is the current one or further on.
  void InsertBehind(SyntaxToken* token, std::size_t type);

  /// Releases the memory of all tokens from `first` to the last one consumed; the current token takes the place of
  /// `first`. Must not be called after a lookahead, nor while anything refers to these tokens.
  void Release(SyntaxToken* first);

  /// Makes the token that begins at `at` the current one. Must not be called after a lookahead.
  void GoOnAt(std::size_t at) {
    scanner_.GoOnAt(at);
    scanner_.Next(*current_);
  }

  // Asked for by ANTLR's interface, and by nobody else.
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
  // The first block is small, as that of the tree's nodes is: a block's tokens are all made at once.
  [[nodiscard]] static std::size_t SizeOf(std::size_t block) { return block < 3 ? std::size_t{32} << block : 256; }

  SyntaxToken* Add() {
    if (free_ == end_) NextBlock();
    return free_++;
  }
  void NextBlock();
  void Note(const SyntaxToken& changed) { changed_end_ = std::max(changed_end_, changed.begin + 1); }

  Scanner scanner_;
  std::vector<std::unique_ptr<SyntaxToken[]>> blocks_;
  std::size_t block_ = 0;        // the one that is being filled
  SyntaxToken* free_ = nullptr;  // in it, the first free token
  SyntaxToken* end_ = nullptr;   // and its end
  SyntaxToken* current_ = nullptr;
  SyntaxToken* previous_ = nullptr;
  std::size_t changed_end_ = 0;  // behind the first byte of the last token that was inserted or retyped
};

}  // namespace onnxc::syntax
