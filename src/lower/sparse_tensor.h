// Lowers sparse tensors: elements with their indices.
#pragma once

#include <onnxc/proto.h>

#include "lower/lowering.h"

namespace onnxc::lower {

/// Builds a sparse tensor. `type` is the tree of `sparse_tensor(...)`. If `data` is null, this is reported as an error.
void BuildSparseTensor(const Grammar::TypeContext* type, const Grammar::DataContext* data, Lowering& lowering,
                       onnx::SparseTensorProto* tensor);

/// Like BuildSparseTensor() above, for a sparse tensor written as a tensor. Its name, if it has one, becomes the name
/// of the values.
void BuildSparseTensor(const Grammar::TensorContext* tree, Lowering& lowering, onnx::SparseTensorProto* tensor);

}  // namespace onnxc::lower
