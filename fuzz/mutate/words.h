// The words of the language and of its schema, from the tables and the descriptors.
#pragma once

#include <string>
#include <vector>

namespace onnxc::fuzz {

/// Tokens, element types, kinds of attributes, pragmas, names of fields and enumerators, some operators and rare
/// numbers.
[[nodiscard]] const std::vector<std::string>& Words();

/// Returns the same words as a dictionary of libFuzzer.
[[nodiscard]] std::string Dictionary();

}  // namespace onnxc::fuzz
