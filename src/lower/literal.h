// Converts literals to numbers and strings.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "lower/lowering.h"

namespace onnxc::lower {

/// Returns the name that a token spells: the text of an identifier, or the value of a string.
[[nodiscard]] std::string NameOf(const SyntaxToken& token);
/// Like NameOf(), but reuses the memory of a string.
void ReadName(const SyntaxToken& token, std::string* name);
[[nodiscard]] inline std::string NameOf(const Context* name) { return NameOf(First(name)); }

/// Returns the bytes that a string token spells. In "...", a backslash is removed and the byte after it is kept. In
/// b"...", a backslash begins a C escape.
[[nodiscard]] std::string Unquote(const SyntaxToken& string);
void Unquote(const SyntaxToken& string, std::string* value);

/// Returns whether the literal is a NaN that is given by its bits: `nan0x7fc00001`.
[[nodiscard]] bool IsNanBits(std::string_view literal);

/// Returns whether the literal is an integer: it has neither a dot nor an exponent and is not a special value.
[[nodiscard]] bool IsInteger(std::string_view literal);

// Each function reads one literal. Returns false and reports an error if the literal is not of this kind or is out of
// range. `type` is the name of the type in messages.
bool ReadNumber(std::string_view literal, SourceRange range, std::string_view type, Lowering& lowering,
                std::int32_t* value);
bool ReadNumber(std::string_view literal, SourceRange range, std::string_view type, Lowering& lowering,
                std::int64_t* value);
bool ReadNumber(std::string_view literal, SourceRange range, std::string_view type, Lowering& lowering,
                std::uint64_t* value);
bool ReadNumber(std::string_view literal, SourceRange range, std::string_view type, Lowering& lowering, float* value);
bool ReadNumber(std::string_view literal, SourceRange range, std::string_view type, Lowering& lowering, double* value);

}  // namespace onnxc::lower
