// Lowers attributes of nodes, and defaults of function attributes.
#pragma once

#include <onnxc/proto.h>

#include "lower/lowering.h"

namespace onnxc::lower {

void BuildAttribute(const Grammar::AttrContext* tree, Lowering& lowering, onnx::AttributeProto* attribute);

/// Builds the value after `=`. `kind` is the type after `:`, or null. The attribute's name is already set.
void BuildAttributeValue(const SyntaxToken* kind, const Grammar::AttrValueContext* value, Lowering& lowering,
                         onnx::AttributeProto* attribute);

}  // namespace onnxc::lower
