// Changes of texts that keep most of their structure, so that deep parts of the parser are reached.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace onnxc::fuzz {

/// All tokens of any text, including strings, comments and white space; joined, they are the text again.
[[nodiscard]] std::vector<std::string_view> SplitTokens(std::string_view text);

/// Makes one or a few changes in an input (a prefix and a text): removes, doubles, swaps or moves tokens and bracketed
/// groups, replaces them by others or by words of the language, nests groups in themselves many times, and changes
/// numbers and bytes.
[[nodiscard]] std::string MutateText(std::string_view input, std::uint64_t seed);

/// Like MutateText, but makes exactly this number of changes, and keeps the prefix.
[[nodiscard]] std::string ChangeText(std::string_view input, std::size_t changes, std::uint64_t seed);

/// Replaces a part of the first input by a part of the second: some tokens, or a group by a group.
[[nodiscard]] std::string CrossText(std::string_view input, std::string_view other, std::uint64_t seed);

}  // namespace onnxc::fuzz
