// Literals: text to numbers and strings.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "lower/lowering.h"

namespace onnxc::lower {

/// The name that a token spells: an identifier's text, a string's value.
[[nodiscard]] std::string NameOf(const SyntaxToken& token);
/// The same into a string that may have memory already.
void ReadName(const SyntaxToken& token, std::string* name);
[[nodiscard]] inline std::string NameOf(const Context* name) { return NameOf(First(name)); }

/// The bytes that a string token spells: in "..." a backslash is removed and the byte after it kept; in b"..." it
/// begins a C escape.
[[nodiscard]] std::string Unquote(const SyntaxToken& string);
void Unquote(const SyntaxToken& string, std::string* value);

/// `nan0x7fc00001`: a NaN by all its bits.
[[nodiscard]] bool IsNanBits(std::string_view literal);

/// The literal is an integer: it has neither dot nor exponent, and is no special value.
[[nodiscard]] bool IsInteger(std::string_view literal);

// Each of these reads one literal. Where it is none of the kind, or out of range, that is reported and the result
// false. `type` is what the literal is to be, as messages call it.
bool ReadNumber(std::string_view literal, SourceRange range, std::string_view type, Lowering& lowering,
                std::int32_t* value);
bool ReadNumber(std::string_view literal, SourceRange range, std::string_view type, Lowering& lowering,
                std::int64_t* value);
bool ReadNumber(std::string_view literal, SourceRange range, std::string_view type, Lowering& lowering,
                std::uint64_t* value);
bool ReadNumber(std::string_view literal, SourceRange range, std::string_view type, Lowering& lowering, float* value);
bool ReadNumber(std::string_view literal, SourceRange range, std::string_view type, Lowering& lowering, double* value);

}  // namespace onnxc::lower
