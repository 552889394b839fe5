// Lowers the elements of a tensor, `{...}`, to the field for its element type or to raw bytes.
#pragma once

#include <onnxc/proto.h>

#include "lower/chunks.h"
#include "lower/lowering.h"
#include "tables/element_types.h"

namespace onnxc::lower {

/// Builds the elements of a dense tensor whose type and dimensions are already set. If `lists` is not null, a long list
/// may be written there instead, as the bytes of its field.
void BuildElements(const Grammar::DenseContext* tree, const ElementType& type, Lowering& lowering,
                   onnx::TensorProto* tensor, FieldChunks* lists = nullptr);

/// Adds one element, given by its literal.
void AddElement(const SyntaxToken& literal, const ElementType& type, Lowering& lowering, onnx::TensorProto* tensor);

/// Converts the elements to raw bytes if a pragma requires that.
void FinishElements(const ElementType& type, SourceRange range, Lowering& lowering, onnx::TensorProto* tensor);

}  // namespace onnxc::lower
