// The words of the language and of its schema, from the tables and the descriptors.
#pragma once

#include <string>
#include <vector>

namespace onnxc::fuzz {

/// Returns tokens, element types, words for attribute types, pragmas, names of fields and enumerators, some operators,
/// and unusual numbers.
[[nodiscard]] const std::vector<std::string>& Words();

/// Returns the same words as a dictionary of libFuzzer.
[[nodiscard]] std::string Dictionary();

}  // namespace onnxc::fuzz
