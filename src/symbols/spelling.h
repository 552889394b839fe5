// Names as a text spells them.
#pragma once

#include <string>
#include <string_view>

namespace onnxc {

/// A name as the text writes it, in any place: in quotes if it is no identifier, or begins a type.
[[nodiscard]] std::string Spelled(std::string_view name);

/// The domain before the name of an operator: `my.own`, or in quotes where a part of it is no identifier.
[[nodiscard]] std::string SpelledDomain(std::string_view domain);

}  // namespace onnxc
