// Limits that several stages share.
#pragma once

namespace onnxc {

/// The maximum nesting of messages inside of the outermost one with which protobuf can read the bytes.
inline constexpr int kMaxDepth = 100;

/// The maximum nesting of graphs in attributes. The checker reports deeper graphs and does not check their contents.
inline constexpr int kMaxGraphDepth = 40;

}  // namespace onnxc
