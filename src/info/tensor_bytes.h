// The sizes of tensors.
#pragma once

#include <onnxc/proto.h>

#include <cstdint>

namespace onnxc {

/// The sizes that follow from the dimensions and the element type of a tensor; 0 if they cannot be computed.
struct TensorSize {
  std::int64_t elements = 0;
  std::int64_t bytes = 0;  ///< size as raw_data, or of the strings
};
[[nodiscard]] TensorSize SizeOf(const onnx::TensorProto& tensor);

}  // namespace onnxc
