// Tokens, as the scanner makes them and the parse tree refers to them.
#pragma once

#include <antlr4-runtime.h>
#include <onnxc/source.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace onnxc::syntax {

/// A token in the text: a type and a slice of the text, no copy. ANTLR's trees point at tokens through its virtual
/// interface; our own stages read the members.
class SyntaxToken final : public antlr4::Token {
 public:
  std::size_t type = 0;         ///< an enumerator of OnnxTextParser
  std::string_view text;        ///< strings with their quotes, list tokens with their brackets
  std::size_t begin = 0;        ///< offset of the first byte
  SyntaxToken* next = nullptr;  ///< the token after this one, where it was scanned already

  [[nodiscard]] SourceRange range() const { return {begin, begin + text.size()}; }

  std::string getText() const override { return std::string(text); }
  std::size_t getType() const override { return type; }
  std::size_t getStartIndex() const override { return begin; }
  std::size_t getStopIndex() const override { return begin + text.size() - 1; }
  std::string toString() const override { return getText(); }
  // ANTLR asks for these only in messages of its own, which nobody sees: lines and columns are computed on demand.
  std::size_t getLine() const override { return 0; }
  std::size_t getCharPositionInLine() const override { return 0; }
  std::size_t getChannel() const override { return DEFAULT_CHANNEL; }
  std::size_t getTokenIndex() const override { return INVALID_INDEX; }
  antlr4::TokenSource* getTokenSource() const override { return nullptr; }
  antlr4::CharStream* getInputStream() const override { return nullptr; }
};

}  // namespace onnxc::syntax
