// Changes of messages by reflection.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace onnxc::fuzz {

/// An input (a prefix and a message in the wire format) after a few changes of its fields; sometimes a new message
/// altogether, as for an input that is none.
[[nodiscard]] std::string MutateMessage(std::string_view input, std::uint64_t seed);

/// The first input with a message out of the second in the place of one of its type.
[[nodiscard]] std::string CrossMessages(std::string_view input, std::string_view other, std::uint64_t seed);

}  // namespace onnxc::fuzz
