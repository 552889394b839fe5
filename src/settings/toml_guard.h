// Checks conditions that the TOML library assumes but that untrusted files may not fulfil.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace onnxc::toml_guard {

/// Thrown if a condition that the library assumes is false.
struct Broken {};
[[noreturn]] void ThrowBroken();

/// A place that must not be passed to the library.
struct Unreadable {
  std::size_t offset;
  std::string why;
};

/// Finds input that must not be passed to the library. Keys with many parts are refused, because the library creates a
/// nested table for each part. Headers that do not begin with a key are refused. Strings of several lines are refused,
/// so that each line can be checked separately. Reads the text once.
[[nodiscard]] std::optional<Unreadable> FindUnreadable(std::string_view text);

}  // namespace onnxc::toml_guard
