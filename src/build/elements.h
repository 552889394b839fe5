// The elements of a tensor: `{...}` into the field that its element type uses, or into raw bytes.
#pragma once

#include <onnxc/proto.h>

#include "build/lowering.h"
#include "tables/element_types.h"

namespace onnxc {

/// The elements of a dense tensor, whose type and dimensions are set already. Where `string_bytes` is given, a long
/// list of strings goes there instead, as bytes of the field `string_data`.
void BuildElements(const Grammar::DenseContext* tree, const ElementType& type, Lowering& lowering,
                   onnx::TensorProto* tensor, std::string* string_bytes = nullptr);

/// One element, by its literal.
void AddElement(const SyntaxToken& literal, const ElementType& type, Lowering& lowering, onnx::TensorProto* tensor);

/// Turns what was read into raw bytes where a pragma says so.
void FinishElements(const ElementType& type, SourceRange range, Lowering& lowering, onnx::TensorProto* tensor);

}  // namespace onnxc
