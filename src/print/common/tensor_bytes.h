// Reads tensors whose data stay bytes.
#pragma once

#include <onnxc/proto.h>

#include <string_view>

namespace onnxc::print {

/// Reads a tensor. If its data are in one place only, can be written as its literal, and are more than a few, the
/// message gets only the first of them, and `*data` refers to all of them: to the value of the field or, for strings,
/// to all fields. Otherwise, `*data` is empty. Returns false if the bytes are not a tensor; the bytes in `*data` are
/// not checked.
[[nodiscard]] bool ReadTensor(std::string_view bytes, onnx::TensorProto* tensor, std::string_view* data);

}  // namespace onnxc::print
