// Tensors whose data stay bytes.
#pragma once

#include <onnxc/proto.h>

#include <string_view>

namespace onnxc {

/// Reads a tensor. Where it has data in one field only, which its literal writes and which is more than a few, that
/// field is left out but for its beginning, and `*data` is the field's value; empty otherwise. False where the bytes
/// are no tensor; those in `*data` are not looked at.
[[nodiscard]] bool ReadTensor(std::string_view bytes, onnx::TensorProto* tensor, std::string_view* data);

}  // namespace onnxc
