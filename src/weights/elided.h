// Tensors whose data were taken away.
#pragma once

#include <onnxc/diagnostic.h>
#include <onnxc/proto.h>

#include "source/message_path.h"
#include "weights/tensor_data.h"

namespace onnxc::weights {

/// Says so itself, by an entry `elided` of its external data.
[[nodiscard]] bool IsElided(const onnx::TensorProto& tensor);

/// A list of few int64, or one of them, such as a shape, axes or indices: part of a model's structure.
[[nodiscard]] bool MayBeShape(const onnx::TensorProto& tensor);

[[nodiscard]] Diagnostic ElidedError(const onnx::TensorProto& tensor, const Place& place);

/// "the tensor 'w'", or "this tensor" where it has no name.
[[nodiscard]] std::string TensorLabel(const onnx::TensorProto& tensor);

/// Adds up a tensor's bytes, wherever they are. "" where the data are not what type and dimensions say, or, which is
/// reported, cannot be read.
[[nodiscard]] std::string ChecksumOf(const onnx::TensorProto& tensor, const Place& place, DataReader& reader);

}  // namespace onnxc::weights
