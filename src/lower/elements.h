// The elements of a tensor: `{...}` into the field that its element type uses, or into raw bytes.
#pragma once

#include <onnxc/proto.h>

#include "lower/chunks.h"
#include "lower/lowering.h"
#include "tables/element_types.h"

namespace onnxc::lower {

/// The elements of a dense tensor, whose type and dimensions are set already. Where `lists` is given, a long list
/// may go there instead, as bytes of its field.
void BuildElements(const Grammar::DenseContext* tree, const ElementType& type, Lowering& lowering,
                   onnx::TensorProto* tensor, FieldChunks* lists = nullptr);

/// One element, by its literal.
void AddElement(const SyntaxToken& literal, const ElementType& type, Lowering& lowering, onnx::TensorProto* tensor);

/// Turns what was read into raw bytes where a pragma says so.
void FinishElements(const ElementType& type, SourceRange range, Lowering& lowering, onnx::TensorProto* tensor);

}  // namespace onnxc::lower
