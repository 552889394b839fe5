// The diagnostics of syntax errors.
#pragma once

#include <onnxc/diagnostic.h>

#include <string>
#include <string_view>

#include "syntax/tree.h"

namespace onnxc::syntax {

/// A token at which the parser cannot continue.
struct SyntaxProblem {
  const Context* context;   ///< the innermost rule
  SyntaxToken* found;       ///< the token that does not fit
  SyntaxToken* previous;    ///< the one before it, or null
  std::size_t expected;     ///< the only type that would fit, or 0
  const SyntaxToken* open;  ///< the innermost bracket of the rule that is open here, or null
};

/// The diagnostic of a problem. It does not list what the grammar allows; it says what the author most likely meant,
/// with a fix-it if that is certain.
[[nodiscard]] Diagnostic MakeSyntaxError(const SyntaxProblem& problem);

/// The only spelling of a type, or "" where it has several.
[[nodiscard]] std::string_view Spelling(std::size_t type);

/// A token as messages call it: `'foo'`, `the number 5`, `the end of the text`.
[[nodiscard]] std::string Describe(const SyntaxToken& token);

/// An identifier, a string, or a keyword that serves as a name.
[[nodiscard]] bool IsName(std::size_t type);

/// The token stands on a later line than the one before it.
[[nodiscard]] bool BeginsLine(const SyntaxToken* previous, const SyntaxToken& token);

/// The rule of `context`, or of the nearest rule around it that is not just a name.
[[nodiscard]] std::size_t RuleOf(const Context* context);

}  // namespace onnxc::syntax
