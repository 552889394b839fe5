// Finds the place of a value in a JSON text.
#pragma once

#include <onnxc/source.h>

#include <string>
#include <string_view>

namespace onnxc::codec {

/// A field has two names in JSON, such as `opType` and `op_type`. Returns the same text for both, so that they can be
/// compared.
[[nodiscard]] std::string FieldOfKey(std::string_view key);

/// Returns the range of a value in a JSON text. `path` is its path in protobuf's form, such as `graph.node[1].op_type`.
/// If `member` is not empty, returns the range of this key in the object at `path`. Returns kNowhere if there is no
/// such value.
[[nodiscard]] SourceRange FindJson(std::string_view text, std::string_view path, std::string_view member);

}  // namespace onnxc::codec
