// Prints strings.
#pragma once

#include <string>
#include <string_view>

namespace onnxc::print {

/// Returns whether the text can be written in a string "..." such that every editor shows and keeps it: it is UTF-8,
/// contains no control characters except line feeds and tabs, does not look different from how a parser reads it
/// (IsDeceptive()), and has no white space before a line feed, which editors remove.
[[nodiscard]] bool IsPlain(std::string_view text);

/// Appends `"text"` if the text is plain, and otherwise `b"text"`.
void AppendString(std::string_view text, std::string* out);

/// Appends `b"text"`, with C escapes, so that the literal is plain.
void AppendBytes(std::string_view text, std::string* out);

}  // namespace onnxc::print
