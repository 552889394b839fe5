// Changes of models that add functions, calls, and graphs in attributes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace onnxc::fuzz {

/// Like MutateMessage, but also adds to a model: functions with nodes of its graph; calls of these functions, also in
/// functions and branches; calls that differ in one attribute or in the order of their inputs; and attributes that
/// refer to attributes of the function.
[[nodiscard]] std::string MutateCalls(std::string_view input, std::uint64_t seed);

}  // namespace onnxc::fuzz
