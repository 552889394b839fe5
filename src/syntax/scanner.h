// Converts text to tokens.
#pragma once

#include <onnxc/source.h>

#include <algorithm>
#include <string_view>

#include "syntax/token.h"

namespace onnxc::syntax {

/// Returns the byte order mark that some editors write at the beginning of a text, or "" if there is none. It is not
/// part of any token.
[[nodiscard]] inline std::string_view ByteOrderMark(std::string_view text) {
  return text.starts_with("\xEF\xBB\xBF") ? text.substr(0, 3) : std::string_view();
}

/// Divides a text into the tokens of grammar/OnnxText.g4, without a copy. Accepts any bytes: those that are not a token
/// become a token INVALID, which the parser reports.
class Scanner {
 public:
  /// Which lists are scanned as one token: only lists of numbers, or also lists of strings.
  enum class ListTokens { kNumbers, kAll };

  explicit Scanner(std::string_view text, ListTokens list_tokens = ListTokens::kNumbers, std::size_t begin = 0)
      : text_(text), list_tokens_(list_tokens), at_(text.data() + std::max(begin, ByteOrderMark(text).size())) {}

  /// Fills `token` with the next token of the text. After the last token, its type is always EOF.
  void Next(SyntaxToken& token);
  /// Continues with the token at `at`, which must not be the data of a tensor.
  void GoOnAt(std::size_t at) {
    at_ = text_.data() + at;
    previous_ = 0;
  }

 private:
  void Take(SyntaxToken& token, std::size_t type, const char* begin, const char* end);
  [[gnu::noinline]] void NextKeyword(SyntaxToken& token, std::string_view word);
  [[gnu::noinline]] void NextOther(SyntaxToken& token, const char* at);
  [[gnu::noinline]] void NextBehindComments(SyntaxToken& token, const char* at);
  [[nodiscard]] const char* End() const { return text_.data() + text_.size(); }
  [[nodiscard]] std::size_t Offset(const char* at) const { return static_cast<std::size_t>(at - text_.data()); }
  [[nodiscard]] std::size_t EndOf(unsigned classes, std::size_t from) const;
  [[nodiscard]] std::size_t NumberEnd(std::size_t from, bool* is_float) const;
  [[nodiscard]] bool IsPragma(std::size_t from) const;
  std::size_t ScanBytes(std::size_t begin, std::size_t* end) const;
  [[nodiscard]] std::size_t StringEnd(std::size_t from) const;
  [[nodiscard]] std::size_t ListEnd(std::size_t from, char close) const;
  [[nodiscard]] std::size_t StringsEnd(std::size_t from, char close) const;
  std::size_t ScanList(std::size_t begin, std::size_t* end) const;
  [[nodiscard]] bool DataMayFollow() const;
  std::size_t Scan(std::size_t begin, std::size_t* end) const;

  std::string_view text_;
  ListTokens list_tokens_;
  const char* at_;
  std::size_t previous_ = 0;  // the type of the last token; 0 before the first
};

}  // namespace onnxc::syntax
