// Lowers tensors: a type, a name, and data.
#pragma once

#include <onnxc/proto.h>

#include "lower/chunks.h"
#include "lower/lowering.h"

namespace onnxc::lower {

/// Builds a separate tensor, or one in an attribute. `rest` may be null, which means that there are only the type and
/// the dimensions.
void BuildTensor(const Grammar::TypeContext* type, const Grammar::TensorRestContext* rest, Lowering& lowering,
                 onnx::TensorProto* tensor);

/// Sets data type and dimensions. If `data` is not null, sets the data; long lists are handled as in BuildElements().
void BuildTensorData(const Grammar::TypeContext* type, const Grammar::DataContext* data, Lowering& lowering,
                     onnx::TensorProto* tensor, FieldChunks* lists = nullptr);

/// Builds a tensor that is the only element of a text, including its annotations. The tensor may be written as a
/// record.
void BuildTensor(const Grammar::InnerTensorContext* tree, Lowering& lowering, onnx::TensorProto* tensor);

}  // namespace onnxc::lower
