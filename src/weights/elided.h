// Tensors whose data were removed.
#pragma once

#include <onnxc/diagnostic.h>
#include <onnxc/proto.h>

#include "source/message_path.h"
#include "weights/tensor_data.h"

namespace onnxc::weights {

/// Returns whether the tensor is marked as elided by an entry `elided` of its external data.
[[nodiscard]] bool IsElided(const onnx::TensorProto& tensor);

/// Returns whether the tensor is a single int64 or a short list of int64. It may then be a shape, axes or indices,
/// which are part of a model's structure.
[[nodiscard]] bool MayBeShape(const onnx::TensorProto& tensor);

/// Returns the error about all elided tensors of a message. It is at `tensor`, the first one.
[[nodiscard]] Diagnostic ElidedError(const onnx::TensorProto& tensor, const Place& place);

/// Returns "the tensor 'w'" for the only elided tensor of the message that contains the place, or "the tensor 'w' and
/// of 2 more tensors" for the first of several. Reads the whole message.
[[nodiscard]] std::string ElidedLabel(const onnx::TensorProto& tensor, const Place& place);

/// Returns "the tensor 'w'", or "this tensor" if it has no name.
[[nodiscard]] std::string TensorLabel(const onnx::TensorProto& tensor);

/// Returns the checksum of a tensor's data, wherever they are. Returns "" if the data do not match type and dimensions.
/// If the data cannot be read, reports an error and returns "".
[[nodiscard]] std::string ChecksumOf(const onnx::TensorProto& tensor, const Place& place, DataReader& reader);

}  // namespace onnxc::weights
