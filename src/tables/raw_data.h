// The elements of a tensor as raw_data holds them.
#pragma once

#include <onnxc/proto.h>

#include <string>

#include "tables/element_types.h"

namespace onnxc {

/// Appends the entries of the field that holds a tensor's typed data: little-endian, elements of less than a byte as
/// the bytes that they share. False where an entry does not fit in an element of the type, and for strings, which have
/// no raw form.
[[nodiscard]] bool AppendRaw(const onnx::TensorProto& tensor, const ElementType& type, std::string* raw);

}  // namespace onnxc
