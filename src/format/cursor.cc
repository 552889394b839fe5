#include "format/cursor.h"

#include "syntax/brackets.h"
#include "syntax/syntax_errors.h"

namespace onnxc::format {

bool Cursor::SkipBrackets() {
  const std::size_t first = comment_;
  std::size_t depth = 0;
  do {
    if (syntax::IsOpening(type())) ++depth;
    if (syntax::IsClosing(type())) --depth;
    while (Comment() != nullptr) PassComment();
    Advance();
  } while (depth > 0 && type() != antlr4::Token::EOF);
  return comment_ != first;
}

}  // namespace onnxc::format
