// Tokens, which the scanner creates and the parse tree refers to.
#pragma once

#include <antlr4-runtime.h>
#include <onnxc/source.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace onnxc::syntax {

/// A token in the text: a type and a view of the text, without a copy. ANTLR's trees use the virtual interface of
/// antlr4::Token; onnxc's own stages read the members.
class SyntaxToken final : public antlr4::Token {
 public:
  std::size_t type = 0;         ///< an enumerator of OnnxTextParser
  std::string_view text;        ///< strings include their quotes, list tokens their brackets
  std::size_t begin = 0;        ///< offset of the first byte
  SyntaxToken* next = nullptr;  ///< the next token, if it is already scanned

  [[nodiscard]] SourceRange range() const { return {begin, begin + text.size()}; }

  std::string getText() const override { return std::string(text); }
  std::size_t getType() const override { return type; }
  std::size_t getStartIndex() const override { return begin; }
  std::size_t getStopIndex() const override { return begin + text.size() - 1; }
  std::string toString() const override { return getText(); }
  // ANTLR uses these only in its own messages, which are never shown. Lines and columns are computed when needed.
  std::size_t getLine() const override { return 0; }
  std::size_t getCharPositionInLine() const override { return 0; }
  std::size_t getChannel() const override { return DEFAULT_CHANNEL; }
  std::size_t getTokenIndex() const override { return INVALID_INDEX; }
  antlr4::TokenSource* getTokenSource() const override { return nullptr; }
  antlr4::CharStream* getInputStream() const override { return nullptr; }
};

}  // namespace onnxc::syntax
