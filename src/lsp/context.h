// Where in the grammar a cursor stands. It is found from the tokens before it, since the text around a cursor is seldom
// whole.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lsp/view.h"
#include "symbols/tokens.h"

namespace onnxc::lsp {

enum class Slot : std::uint8_t {
  kNone,            ///< a comment, a string, or what has no words of its own
  kItem,            ///< before the name of a graph or function
  kHeaderKey,       ///< in a header
  kHeaderValue,     ///< behind a key and `:`
  kImport,          ///< a domain in opset_import
  kDeclaration,     ///< a type in front of a name: inputs, outputs, initializers
  kDimension,       ///< between the brackets of a shape
  kStatement,       ///< the beginning of a node
  kOperator,        ///< behind `=`
  kOperand,         ///< an input of a node
  kAttributeName,   ///< an attribute of a node
  kAttributeType,   ///< behind its `:`
  kAttributeValue,  ///< behind its `=`
  kAnnotation,      ///< behind `@` in front of an element
  kReference,       ///< behind `@` in an attribute's value
};

/// The cursor, and what is around it.
struct CursorContext {
  Slot slot = Slot::kNone;
  SourceRange word = {};     ///< what is written already of the word, up to the cursor and behind it; with its quotes
  SourceRange letters = {};  ///< the same without the quotes
  bool is_quoted = false;    ///< the word begins with a quote
  std::string domain = {};   ///< of the operator around the cursor, or before its dot
  std::string op = {};       ///< the operator around the cursor
  std::string key = {};      ///< the attribute or header key around the cursor
  std::size_t index = 0;     ///< which operand
  std::vector<std::string> attributes = {};  ///< named already
  SymbolId scope = kNoSymbol;                ///< the graph or function around the cursor
  std::size_t node_begin = 0;                ///< where the node around the cursor begins; the cursor if there is none
};

/// `offset` and the ranges of the result are of the current text.
[[nodiscard]] CursorContext ContextAt(const View& view, std::size_t offset);

/// The token of the current text that an offset touches; of two the latter.
[[nodiscard]] std::optional<TextToken> TokenAt(const View& view, std::size_t offset);

}  // namespace onnxc::lsp
