// Attributes of nodes, and defaults of function attributes.
#pragma once

#include <onnxc/proto.h>

#include "lower/lowering.h"

namespace onnxc::lower {

void BuildAttribute(const Grammar::AttrContext* tree, Lowering& lowering, onnx::AttributeProto* attribute);

/// The value behind `=`. `kind` is the type behind `:`, or null; the attribute's name is set already.
void BuildAttributeValue(const SyntaxToken* kind, const Grammar::AttrValueContext* value, Lowering& lowering,
                         onnx::AttributeProto* attribute);

}  // namespace onnxc::lower
