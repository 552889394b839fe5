// The sizes of tensors.
#pragma once

#include <onnxc/proto.h>

#include <cstdint>

namespace onnxc {

/// What the dimensions and the element type of a tensor make; 0 where they make no number.
struct TensorSize {
  std::int64_t elements = 0;
  std::int64_t bytes = 0;  ///< as raw_data, or of the strings
};
[[nodiscard]] TensorSize SizeOf(const onnx::TensorProto& tensor);

}  // namespace onnxc
