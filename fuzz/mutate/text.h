// Changes of texts that keep most of their structure, so that deep parts of the parser are reached.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace onnxc::fuzz {

/// Splits any text into tokens, including strings, comments and white space. The joined tokens are equal to the text.
[[nodiscard]] std::vector<std::string_view> SplitTokens(std::string_view text);

/// Makes one or a few changes in an input (a prefix and a text). A change removes, doubles, swaps or moves tokens or
/// bracketed groups; replaces them by other tokens or by words of the language; nests a group in itself many times; or
/// changes a number or a byte.
[[nodiscard]] std::string MutateText(std::string_view input, std::uint64_t seed);

/// Like MutateText, but makes exactly this number of changes, and keeps the prefix.
[[nodiscard]] std::string ChangeText(std::string_view input, std::size_t changes, std::uint64_t seed);

/// Replaces a part of the first input by a part of the second input. Both parts are some tokens, or both are bracketed
/// groups.
[[nodiscard]] std::string CrossText(std::string_view input, std::string_view other, std::uint64_t seed);

}  // namespace onnxc::fuzz
