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
  SyntaxToken* found;       ///< the token that is not allowed
  SyntaxToken* previous;    ///< the token before `found`, or null
  std::size_t expected;     ///< the only type that is allowed, or 0
  const SyntaxToken* open;  ///< the innermost bracket of the rule that is open here, or null
};

/// Returns the diagnostic of a problem. It does not list what the grammar allows, but says what the author most likely
/// meant, with a fix-it if that is certain.
[[nodiscard]] Diagnostic MakeSyntaxError(const SyntaxProblem& problem);

/// Returns the spelling of a token type, or "" if it has several.
[[nodiscard]] std::string_view Spelling(std::size_t type);

/// Returns the description of a token for messages: `'foo'`, `the number 5`, `the end of the text`.
[[nodiscard]] std::string Describe(const SyntaxToken& token);

/// Returns whether the token type is a name: an identifier, a string, or a keyword that is allowed as a name.
[[nodiscard]] bool IsName(std::size_t type);

/// Returns whether the token is on a later line than the previous one.
[[nodiscard]] bool BeginsLine(const SyntaxToken* previous, const SyntaxToken& token);

/// Returns whether two neighbouring tokens in a context of this rule may be one dimension of a shape: `batch size`,
/// which needs quotes, or `?1`. No comma is inserted between them, because it would change the rank.
[[nodiscard]] bool MayBeOneDimension(std::size_t rule, const SyntaxToken& before, const SyntaxToken& behind);

/// Returns whether two neighbouring tokens may be a part of one string in three quotes: `"""x"""` begins with `""`.
[[nodiscard]] bool MayBeOneString(const SyntaxToken& before, const SyntaxToken& behind);

/// Returns the rule of `context`. If the context is only a name or keyword, returns the nearest enclosing rule that is
/// more than that.
[[nodiscard]] std::size_t RuleOf(const Context* context);

}  // namespace onnxc::syntax
