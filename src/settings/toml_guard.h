// What the TOML library takes for granted and does not check, for files of strangers.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace onnxc::toml_guard {

/// Thrown where the library finds that something does not hold that it takes for granted.
struct Broken {};
[[noreturn]] void ThrowBroken();

/// A place that the library must not see.
struct Unreadable {
  std::size_t offset;
  std::string why;
};

/// What the library must not see: keys of many parts, of which it makes tables in one another as deep as they are long,
/// and headers that begin with no key. Also strings of several lines, in which this could not be seen line by line. In
/// one pass over the text.
[[nodiscard]] std::optional<Unreadable> FindUnreadable(std::string_view text);

}  // namespace onnxc::toml_guard
