// Tensors whose data stay bytes.
#pragma once

#include <onnxc/proto.h>

#include <string_view>

namespace onnxc::print {

/// Reads a tensor. Where it has data in one place only, which its literal writes and which are more than a few, they
/// are left out but for the first, and are in `*data`: the field's value, or, of strings, all fields. It is empty
/// otherwise. False where the bytes are no tensor; those in `*data` are not looked at.
[[nodiscard]] bool ReadTensor(std::string_view bytes, onnx::TensorProto* tensor, std::string_view* data);

}  // namespace onnxc::print
