// Limits that several stages keep.
#pragma once

namespace onnxc {

/// How many messages may nest, the outermost one included, so that protobuf reads their bytes back.
inline constexpr int kMaxDepth = 100;

}  // namespace onnxc
