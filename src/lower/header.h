// The `<key: value, ...>` before a model or a function.
#pragma once

#include <onnxc/proto.h>

#include "lower/lowering.h"

namespace onnxc::lower {

/// Sets the fields of a ModelProto or a FunctionProto.
void BuildHeader(const Grammar::HeaderContext* tree, Lowering& lowering, google::protobuf::Message* message);

/// The header can only be a function's: it has a key that functions alone have, or else `domain` and no key that models
/// alone have where `by_domain` is set.
[[nodiscard]] bool IsFunctionHeader(const Grammar::HeaderContext* tree, bool by_domain);

/// The header has a key that models alone have.
[[nodiscard]] bool IsModelHeader(const Grammar::HeaderContext* tree);

}  // namespace onnxc::lower
