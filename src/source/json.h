// Documents in JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace onnxc {

/// The text of a document, with a line break at its end. Bytes that are no UTF-8 cannot stand in JSON: U+FFFD takes
/// their place. Characters that IsDeceptive() names are escaped, which programs read as the characters themselves.
[[nodiscard]] std::string JsonText(const nlohmann::ordered_json& document);

}  // namespace onnxc
