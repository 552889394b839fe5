// Changes of models that make functions, calls, and graphs in attributes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace onnxc::fuzz {

/// As MutateMessage; and a model gets functions that are made of nodes of its graph, calls of them, in functions and
/// branches too, calls that differ in one attribute or in the order of their inputs, and attributes that refer to those
/// of the function.
[[nodiscard]] std::string MutateCalls(std::string_view input, std::uint64_t seed);

}  // namespace onnxc::fuzz
