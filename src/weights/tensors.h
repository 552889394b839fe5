// Visits all tensors of a message, and determines where their data are.
#pragma once

#include <onnxc/proto.h>

#include <functional>

#include "source/message_path.h"

namespace onnxc::weights {

/// Calls `visitor` with each tensor in `message`, at any depth, in the order of the fields.
void ForEachTensor(google::protobuf::Message* message,
                   const std::function<void(onnx::TensorProto*, const Place&)>& visitor);

/// Returns whether the tensor is the values or the indices of a sparse tensor.
[[nodiscard]] bool IsPartOfSparse(const Place& place);

[[nodiscard]] bool IsExternal(const onnx::TensorProto& tensor);

/// Returns whether the data can be moved out of the tensor without a loss: they are complete, and the tensor has no
/// entries of external data.
[[nodiscard]] bool CanMoveData(const onnx::TensorProto& tensor);

}  // namespace onnxc::weights
