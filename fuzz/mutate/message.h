// Changes of messages by reflection.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace onnxc::fuzz {

/// Changes a few fields of an input (a prefix and a message in the wire format). If the input is not a message, returns
/// a new message. Sometimes also returns a new message for a valid input.
[[nodiscard]] std::string MutateMessage(std::string_view input, std::uint64_t seed);

/// Replaces a message inside of the first input by a message of the same type from the second input.
[[nodiscard]] std::string CrossMessages(std::string_view input, std::string_view other, std::uint64_t seed);

}  // namespace onnxc::fuzz
