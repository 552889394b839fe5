#include "format/cursor.h"

#include "syntax/brackets.h"
#include "syntax/syntax_errors.h"

namespace onnxc {

bool Cursor::SkipBrackets() {
  const std::size_t first = comment_;
  std::size_t depth = 0;
  do {
    if (IsOpening(type())) ++depth;
    if (IsClosing(type())) --depth;
    while (Comment() != nullptr) PassComment();
    Advance();
  } while (depth > 0 && type() != antlr4::Token::EOF);
  return comment_ != first;
}

}  // namespace onnxc
