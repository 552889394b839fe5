// Changes of files of settings.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace onnxc::fuzz {

/// Words of TOML and of the settings put in, parts taken out, doubled and moved.
[[nodiscard]] std::string MutateSettings(std::string_view input, std::uint64_t seed);

/// The words themselves.
[[nodiscard]] std::string_view SettingsWord(std::uint64_t number);

}  // namespace onnxc::fuzz
