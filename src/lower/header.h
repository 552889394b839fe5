// Lowers the header `<key: value, ...>` before a model or a function.
#pragma once

#include <onnxc/proto.h>

#include "lower/lowering.h"

namespace onnxc::lower {

/// Sets the fields of a ModelProto or a FunctionProto.
void BuildHeader(const Grammar::HeaderContext* tree, Lowering& lowering, google::protobuf::Message* message);

/// Returns whether the header must belong to a function: it has a key that only functions have, or, if `by_domain` is
/// set, it has `domain` and no key that only models have.
[[nodiscard]] bool IsFunctionHeader(const Grammar::HeaderContext* tree, bool by_domain);

/// Returns whether the header has a key that only models have.
[[nodiscard]] bool IsModelHeader(const Grammar::HeaderContext* tree);

}  // namespace onnxc::lower
