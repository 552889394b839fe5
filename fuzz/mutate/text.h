// Changes of texts that keep most of their structure, so that the parser's depths are reached.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace onnxc::fuzz {

/// The tokens of any text, strings, comments and white space too; together they are the text.
[[nodiscard]] std::vector<std::string_view> SplitTokens(std::string_view text);

/// An input (a prefix and a text) after one change or a few: tokens and bracketed groups are removed, doubled, swapped,
/// moved, replaced by others or by words of the language; groups are put into themselves again and again; numbers and
/// bytes are changed.
[[nodiscard]] std::string MutateText(std::string_view input, std::uint64_t seed);

/// The same with exactly so many changes, and for the same prefix.
[[nodiscard]] std::string ChangeText(std::string_view input, std::size_t changes, std::uint64_t seed);

/// The first input with a part of the second: some tokens, or a group for a group.
[[nodiscard]] std::string CrossText(std::string_view input, std::string_view other, std::uint64_t seed);

}  // namespace onnxc::fuzz
