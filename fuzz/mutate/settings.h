// Random changes of settings files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace onnxc::fuzz {

/// Inserts words of TOML and words that settings files use. Removes, doubles and moves parts of the text.
[[nodiscard]] std::string MutateSettings(std::string_view input, std::uint64_t seed);

/// Returns the word with this number.
[[nodiscard]] std::string_view SettingsWord(std::uint64_t number);

}  // namespace onnxc::fuzz
