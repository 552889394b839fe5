// Writes JSON documents.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace onnxc {

/// Returns the text of a document with a line break at its end. JSON must be UTF-8, so other bytes are replaced by
/// U+FFFD. Characters for which IsDeceptive() is true are escaped; programs read the escapes as the characters.
[[nodiscard]] std::string JsonText(const nlohmann::ordered_json& document);

}  // namespace onnxc
