// Changes of messages whose tensors have their data in files, and of headers of safetensors.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace onnxc::fuzz {

/// As MutateMessage, and some tensors refer to files, most of them in the folder of the target `weights`. From the
/// third variant on the input is the header of a file of safetensors, which changes as MutateText does it.
[[nodiscard]] std::string MutateWeights(std::string_view input, std::uint64_t seed);

/// As CrossMessages or CrossText.
[[nodiscard]] std::string CrossWeights(std::string_view input, std::string_view other, std::uint64_t seed);

}  // namespace onnxc::fuzz
