// Where in the grammar a cursor is. It is found from the tokens around it, since the text around a cursor is seldom
// whole.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
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
  kOverload,        ///< behind `:` of the operator
  kOperand,         ///< an input of a node
  kAttributeName,   ///< an attribute of a node
  kAttributeType,   ///< behind its `:`
  kAttributeValue,  ///< behind its `=`
  kAnnotation,      ///< behind `@` in front of an element: its first word
  kReference,       ///< behind `@` in an attribute's value
};

/// What an open bracket is about.
enum class Bracket : std::uint8_t {
  kItem,        ///< none: the text itself, or the value of an attribute that is a graph
  kHeader,      ///< `<` before the name of a graph
  kFormals,     ///< `<` behind it
  kValues,      ///< `(` or `<` of inputs, outputs and initializers
  kBody,        ///< `{` of nodes
  kAttributes,  ///< `<` of a node
  kOperands,    ///< `(` of a node
  kShape,
  kList,
  kOther,
};

/// The cursor, and what is around it.
struct CursorContext {
  Slot slot = Slot::kNone;
  /// What is replaced: the word at the cursor up to its end, with its quotes; of an operator with the parts behind its
  /// dots and the overload.
  SourceRange word = {};
  std::string_view letters = {};  ///< what is written of the word before the cursor, without quotes
  bool is_quoted = false;         ///< the word begins with a quote
  /// An element of a list may begin here: there is a word already, or a bracket, a separator or a sign before the
  /// cursor.
  bool begins = false;
  std::optional<TextToken> next = {};   ///< the token behind the word
  std::string_view mark = {};           ///< the same where it is a mark: a bracket, `,`, `=`
  Bracket bracket = Bracket::kItem;     ///< around the cursor
  Bracket outer = Bracket::kItem;       ///< around that bracket
  std::string domain = {};              ///< of the operator around the cursor, or before its dot
  std::string op = {};                  ///< the operator around the cursor
  std::string overload = {};            ///< of the operator
  std::string key = {};                 ///< the attribute or header key around the cursor
  std::size_t index = 0;                ///< which operand
  std::vector<std::string> given = {};  ///< the other attributes or header keys of the list
  SymbolId scope = kNoSymbol;           ///< the graph or function around the cursor
  std::size_t node_begin = 0;           ///< where the node around the cursor begins; the cursor if there is none
};

/// `offset` and the ranges of the result are of the current text.
[[nodiscard]] CursorContext ContextAt(const View& view, std::size_t offset);

/// The token of the current text that an offset touches; of two the latter.
[[nodiscard]] std::optional<TextToken> TokenAt(const View& view, std::size_t offset);

}  // namespace onnxc::lsp
