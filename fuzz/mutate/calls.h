// Changes of models that add functions, calls, and graphs in attributes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace onnxc::fuzz {

/// Like MutateMessage. If the input is a model, also adds functions that contain nodes of its graph, and calls of these
/// functions in the graph, in functions and in branches. Some calls differ only in one attribute or in the order of
/// their inputs. Some attributes refer to attributes of the enclosing function.
[[nodiscard]] std::string MutateCalls(std::string_view input, std::uint64_t seed);

}  // namespace onnxc::fuzz
