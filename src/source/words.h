// Words in messages, and comparison of words.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace onnxc {

/// Returns the count with the noun in the right form: "1 node", "2 nodes", "1 entry", "2 entries".
[[nodiscard]] std::string Counted(std::int64_t count, std::string_view noun);

/// Returns whether the words are equal if the case of ASCII letters is ignored.
[[nodiscard]] bool IsSameWord(std::string_view a, std::string_view b);

}  // namespace onnxc
