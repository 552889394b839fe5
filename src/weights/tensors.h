// All tensors of a message, their sizes and bytes.
#pragma once

#include <onnxc/proto.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "check/place.h"

namespace onnxc {

/// Calls `visitor` with each tensor in `message`, at any depth, in the order of the fields.
void ForEachTensor(google::protobuf::Message* message,
                   const std::function<void(onnx::TensorProto*, const Place&)>& visitor);

/// The values or indices of a sparse tensor.
[[nodiscard]] bool IsPartOfSparse(const Place& place);

[[nodiscard]] bool IsExternal(const onnx::TensorProto& tensor);

/// The bytes that the tensor takes as raw_data, by its type and dimensions; nothing for strings, and where they make no
/// number.
[[nodiscard]] std::optional<std::uint64_t> DataSize(const onnx::TensorProto& tensor);

/// The bytes of a tensor that are in the message, as raw_data holds them; nothing where they are not as many as type
/// and dimensions say. They stand in the tensor, or are made in `scratch`.
[[nodiscard]] std::optional<std::string_view> RawBytes(const onnx::TensorProto& tensor, std::string* scratch);

}  // namespace onnxc
