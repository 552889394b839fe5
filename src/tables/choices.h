// Attributes that are a choice of words: which words each takes.
#pragma once

#include <span>
#include <string_view>

#include "tables/operators.h"

namespace onnxc {

/// The words that the attribute of the operator may hold, or may hold elements of where it is a list; the default,
/// where there is one, is first. Empty where the attribute takes other values.
[[nodiscard]] std::span<const std::string_view> ChoicesOf(const Operator& op, std::string_view attribute);

/// Whether the attribute may hold the word: some version of the operator takes it, or nothing is known. Runtimes take
/// the words of other versions too, and an empty word for the default.
[[nodiscard]] bool IsChoice(const Operator& op, std::string_view attribute, std::string_view word);

}  // namespace onnxc
