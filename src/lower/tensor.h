// Tensors: a type, a name, and data.
#pragma once

#include <onnxc/proto.h>

#include "lower/chunks.h"
#include "lower/lowering.h"

namespace onnxc::lower {

/// A stand-alone tensor or one in an attribute. `rest` may be null: dimensions without data.
void BuildTensor(const Grammar::TypeContext* type, const Grammar::TensorRestContext* rest, Lowering& lowering,
                 onnx::TensorProto* tensor);

/// Sets data type and dimensions, and the data where `data` is not null; long lists as BuildElements() does.
void BuildTensorData(const Grammar::TypeContext* type, const Grammar::DataContext* data, Lowering& lowering,
                     onnx::TensorProto* tensor, FieldChunks* lists = nullptr);

/// A tensor alone in a text: with annotations, or as a record.
void BuildTensor(const Grammar::InnerTensorContext* tree, Lowering& lowering, onnx::TensorProto* tensor);

}  // namespace onnxc::lower
