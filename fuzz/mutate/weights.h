// Changes of messages whose tensors have their data in files, and of headers of safetensors files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace onnxc::fuzz {

/// Like MutateMessage, but also makes some tensors refer to files, most of which are in the folder of the target
/// `weights`. From the third variant on, the input is the header of a safetensors file, which is changed like in
/// MutateText.
[[nodiscard]] std::string MutateWeights(std::string_view input, std::uint64_t seed);

/// Like CrossMessages or CrossText.
[[nodiscard]] std::string CrossWeights(std::string_view input, std::string_view other, std::uint64_t seed);

}  // namespace onnxc::fuzz
