// Where a value stands in a JSON text.
#pragma once

#include <onnxc/source.h>

#include <string>
#include <string_view>

namespace onnxc::codec {

/// What the two names that a field has in JSON, `opType` and `op_type`, have in common.
[[nodiscard]] std::string FieldOfKey(std::string_view key);

/// The range of what protobuf calls `path`, such as `graph.node[1].op_type`, in a text that is JSON; kNowhere where it
/// is not there. Where `member` is not empty, the range is that of this key in the object at `path`.
[[nodiscard]] SourceRange FindJson(std::string_view text, std::string_view path, std::string_view member);

}  // namespace onnxc::codec
