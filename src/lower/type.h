// Types and shapes.
#pragma once

#include <onnxc/proto.h>

#include "lower/lowering.h"

namespace onnxc::lower {

void BuildType(const Grammar::TypeContext* tree, Lowering& lowering, onnx::TypeProto* type);

/// A type inside another, or alone in a text: with annotations, or as a record.
void BuildType(const Grammar::InnerTypeContext* tree, Lowering& lowering, onnx::TypeProto* type);

/// Adds the dimensions of `dims`, which may be null.
void BuildShape(const Grammar::DimsContext* dims, Lowering& lowering, onnx::TensorShapeProto* shape);

}  // namespace onnxc::lower
