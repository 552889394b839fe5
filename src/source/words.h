// Words in messages, and words that are compared.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace onnxc {

/// "1 node", "2 nodes"; "1 entry", "2 entries".
[[nodiscard]] std::string Counted(std::int64_t count, std::string_view noun);

/// Whether the words are the same but for the case of ASCII letters.
[[nodiscard]] bool IsSameWord(std::string_view a, std::string_view b);

}  // namespace onnxc
