// Spells names for a text.
#pragma once

#include <string>
#include <string_view>

namespace onnxc {

/// Returns a name as it can be written anywhere in a text: in quotes if it is not an identifier, or if it begins a
/// type.
[[nodiscard]] std::string Spelled(std::string_view name);

/// Returns the domain as it is written before an operator: `my.own`, or in quotes if some part is not an identifier.
[[nodiscard]] std::string SpelledDomain(std::string_view domain);

}  // namespace onnxc
