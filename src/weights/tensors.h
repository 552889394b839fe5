// All tensors of a message, and where their data are.
#pragma once

#include <onnxc/proto.h>

#include <functional>

#include "source/message_path.h"

namespace onnxc::weights {

/// Calls `visitor` with each tensor in `message`, at any depth, in the order of the fields.
void ForEachTensor(google::protobuf::Message* message,
                   const std::function<void(onnx::TensorProto*, const Place&)>& visitor);

/// The values or indices of a sparse tensor.
[[nodiscard]] bool IsPartOfSparse(const Place& place);

[[nodiscard]] bool IsExternal(const onnx::TensorProto& tensor);

/// The data in the tensor are whole, and it has no entries of external data: they can leave it without a loss.
[[nodiscard]] bool CanMoveData(const onnx::TensorProto& tensor);

}  // namespace onnxc::weights
