// Strings in the spelling of other languages: in other quotes, or with a prefix such as the one in r"a".
#pragma once

#include <onnxc/diagnostic.h>

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace onnxc::syntax {

inline constexpr std::size_t kMostRewritten = 4096;  ///< bytes in which RewriteStringsFrom() rewrites strings

struct OtherString {
  SourceRange range;        ///< with the prefix and the quotes
  std::string_view prefix;  ///< may be empty
  SourceRange open;         ///< the opening quote
  SourceRange close;        ///< the closing quote
  bool has_other_quotes = false;
  bool is_plain = false;  ///< with '"' as quotes and without the prefix, the string has the same contents
};

/// Returns the string that begins at the offset, if it is not a string of the ONNX text syntax and is closed on the
/// same line. Reads at most a thousand bytes.
[[nodiscard]] std::optional<OtherString> OtherStringAt(std::string_view text, std::size_t at);

/// Returns whether other languages have strings with this prefix. `b` is not such a word, because b"..." is a string of
/// the ONNX text syntax.
[[nodiscard]] bool IsStringPrefix(std::string_view word);

/// Returns whether the text begins with a quote of another language.
[[nodiscard]] bool OpensOtherString(std::string_view text);

/// Adds the edits that make the string one of the ONNX text syntax.
void RewriteString(const OtherString& string, std::vector<FixIt>* edits);

/// Returns edits of all such strings from the offset to the end of the value, attribute or entry that begins there, or
/// to the end of the line, if there are no brackets around it. For a node, `ends_at_comma` is false. Returns nothing if
/// there is no such string, if one of them is not plain, or if the text is too long. Sets `*end` to where reading
/// ended, unless `end` is null.
[[nodiscard]] std::vector<FixIt> RewriteStringsFrom(std::string_view text, std::size_t at, bool ends_at_comma,
                                                    std::size_t* end = nullptr);

}  // namespace onnxc::syntax
