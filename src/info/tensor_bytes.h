// The sizes of tensors.
#pragma once

#include <onnxc/proto.h>

#include <cstdint>

namespace onnxc {

/// The number of elements and bytes of a tensor, computed from its dimensions and element type; 0 if that is not
/// possible.
struct TensorSize {
  std::int64_t elements = 0;
  std::int64_t bytes = 0;  ///< size as raw_data, or of the strings
};
[[nodiscard]] TensorSize SizeOf(const onnx::TensorProto& tensor);

}  // namespace onnxc
