// Reads tensors without parsing their data.
#pragma once

#include <onnxc/proto.h>

#include <string_view>

namespace onnxc::print {

/// Reads a tensor. If its data are long, in one place, and can be written as a literal, they are not parsed: the
/// message gets only the beginning of the data, and `*data` refers to all of the data (to the value of the field or,
/// for strings, to all fields). Otherwise, `*data` is empty. Returns false if the bytes are not a tensor; the bytes in
/// `*data` are not checked.
[[nodiscard]] bool ReadTensor(std::string_view bytes, onnx::TensorProto* tensor, std::string_view* data);

}  // namespace onnxc::print
