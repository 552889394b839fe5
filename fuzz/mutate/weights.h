// Changes of messages whose tensors have their data in files, and of headers of safetensors files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace onnxc::fuzz {

/// Like MutateMessage, but also makes some tensors refer to files. Most of these files exist in the folder of the
/// target `weights`. In variants 2 and 3, the input is the header of a safetensors file or the whole file, and it is
/// changed as in MutateText.
[[nodiscard]] std::string MutateWeights(std::string_view input, std::uint64_t seed);

/// Like CrossMessages or CrossText.
[[nodiscard]] std::string CrossWeights(std::string_view input, std::string_view other, std::uint64_t seed);

}  // namespace onnxc::fuzz
