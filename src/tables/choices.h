// Attributes that are a choice of words, and the words that each accepts.
#pragma once

#include <span>
#include <string_view>

#include "tables/operators.h"

namespace onnxc {

/// Returns the words that are allowed as the value of the operator's attribute or, if the attribute is a list, as its
/// elements. The default, if there is one, is the first word. Returns none if the attribute is not a choice.
[[nodiscard]] std::span<const std::string_view> ChoicesOf(const Operator& op, std::string_view attribute);

/// Returns whether the attribute may have the word: some version of the operator accepts it, or the choices are not
/// known. Runtimes accept words of other versions too, and an empty word as the default.
[[nodiscard]] bool IsChoice(const Operator& op, std::string_view attribute, std::string_view word);

}  // namespace onnxc
