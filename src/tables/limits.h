// Limits that several stages keep.
#pragma once

namespace onnxc {

/// How many messages may nest, the outermost one included, so that protobuf reads their bytes back.
inline constexpr int kMaxDepth = 100;

/// How deep graphs may nest in attributes. The checker reports deeper ones, and does not look into them.
inline constexpr int kMaxGraphDepth = 40;

}  // namespace onnxc
