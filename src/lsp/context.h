// Finds the place in the grammar where a cursor is. The place is found from the tokens around the cursor, because the
// text at a cursor usually has errors.
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
  kNone,            ///< in a comment, in a string, or where nothing can be completed
  kItem,            ///< before the name of a graph or function
  kHeaderKey,       ///< a header key
  kHeaderValue,     ///< the value after a header key and `:`
  kImport,          ///< a domain in opset_import
  kDeclaration,     ///< a type before a name: of an input, output or initializer
  kDimension,       ///< between the brackets of a shape
  kStatement,       ///< the beginning of a node
  kOperator,        ///< after the `=` of a node
  kOverload,        ///< after the `:` of an operator
  kOperand,         ///< an input of a node
  kAttributeName,   ///< the name of an attribute of a node
  kAttributeType,   ///< the type of an attribute, after `:`
  kAttributeValue,  ///< the value of an attribute, after `=`
  kAnnotation,      ///< after `@` before an element: the first word of an annotation
  kReference,       ///< after `@` in an attribute's value
};

/// The kind of an open bracket.
enum class Bracket : std::uint8_t {
  kItem,        ///< no bracket is open: the cursor is at the top level, or in an attribute value that is a graph
  kHeader,      ///< `<` before the name of a graph or function
  kFormals,     ///< `<` after the name of a graph or function
  kValues,      ///< `(` or `<` around inputs, outputs or initializers
  kBody,        ///< `{` around nodes
  kAttributes,  ///< `<` around the attributes of a node
  kOperands,    ///< `(` around the inputs of a node
  kShape,
  kList,
  kOther,
};

/// The place of the cursor in the grammar, and the elements around it.
struct CursorContext {
  Slot slot = Slot::kNone;
  /// The range that a completion replaces: the complete word at the cursor, including its quotes. For an operator it
  /// includes the words after dots and the overload.
  SourceRange word = {};
  std::string_view letters = {};  ///< the part of the word before the cursor, without quotes
  bool is_quoted = false;         ///< the word begins with a quote
  /// An element of a list may begin at the cursor: the cursor is in a word, or after a bracket or a separator.
  bool begins = false;
  std::optional<TextToken> next = {};   ///< the token after the word
  std::string_view mark = {};           ///< the text of `next` if it is punctuation such as a bracket, `,` or `=`;
                                        ///< otherwise empty
  Bracket bracket = Bracket::kItem;     ///< the innermost open bracket
  Bracket outer = Bracket::kItem;       ///< the bracket that encloses `bracket`
  std::string domain = {};              ///< the domain of the operator at the cursor; if the cursor is after a dot, the
                                        ///< words before the dot
  std::string op = {};                  ///< the operator at the cursor
  std::string overload = {};            ///< the operator's overload
  std::string key = {};                 ///< the attribute or header key at the cursor
  std::size_t index = 0;                ///< the number of the operand, from 0
  std::vector<std::string> given = {};  ///< the other attributes, header keys or annotations
  SymbolId scope = kNoSymbol;           ///< the enclosing graph or function
  std::size_t node_begin = 0;           ///< where the enclosing node begins; the offset of the cursor if there is no
                                        ///< node
};

/// Returns the context of the cursor. `offset` and the ranges in the result refer to the current text.
[[nodiscard]] CursorContext ContextAt(const View& view, std::size_t offset);

/// Returns the token of the current text that touches the offset. If two tokens touch the offset, returns the second
/// one.
[[nodiscard]] std::optional<TextToken> TokenAt(const View& view, std::size_t offset);

}  // namespace onnxc::lsp
