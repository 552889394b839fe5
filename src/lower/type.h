// Lowers types and shapes.
#pragma once

#include <onnxc/proto.h>

#include "lower/lowering.h"

namespace onnxc::lower {

void BuildType(const Grammar::TypeContext* tree, Lowering& lowering, onnx::TypeProto* type);

/// Builds a type inside of another type, or the only type of a text, including its annotations. The type may be written
/// as a record.
void BuildType(const Grammar::InnerTypeContext* tree, Lowering& lowering, onnx::TypeProto* type);

/// Adds the dimensions of `dims`, which may be null.
void BuildShape(const Grammar::DimsContext* dims, Lowering& lowering, onnx::TensorShapeProto* shape);

}  // namespace onnxc::lower
