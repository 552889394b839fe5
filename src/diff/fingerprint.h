// Numbers that are equal for nodes that look alike, by themselves or with all that is up- or downstream of them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "diff/body.h"

namespace onnxc::diff {

using Hash = std::uint64_t;

[[nodiscard]] constexpr Hash Mix(Hash a, Hash b) {
  Hash x = a + 0x9e3779b97f4a7c15 + (b ^ (b >> 29)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 31)) * 0x94d049bb133111eb;
  return x ^ (x >> 30);
}

/// How much of a node and of tensors counts.
enum class Detail : std::uint8_t {
  kAll,    ///< attributes (but for subgraphs) and elements, too
  kShape,  ///< the operator, the names of attributes, the types and shapes of tensors
};

/// The operator, overload included.
[[nodiscard]] Hash OperatorHash(const onnx::NodeProto& node);

/// The node without its connections.
[[nodiscard]] Hash NodeHash(const onnx::NodeProto& node, Detail detail);

[[nodiscard]] Hash TensorHash(const onnx::TensorProto& tensor, Detail detail);

/// 0 where there is none.
[[nodiscard]] Hash TypeHash(const onnx::TypeProto* type);

/// What nodes and values count as; 0 for a node that has no counterpart yet.
struct Leaves {
  std::vector<Hash> nodes;         ///< of nodes that are matched already
  std::vector<Hash> looks;         ///< of each node by itself
  std::vector<Hash> values;        ///< of values that no node computes
  std::vector<Hash> destinations;  ///< of values that are outputs of the body; 0 for others
};

struct Fingerprints {
  std::vector<Hash> upstream;    ///< of each node with what it is computed from
  std::vector<Hash> inputs;      ///< of what it is computed from, without the node
  std::vector<Hash> downstream;  ///< of each node with what is computed from it
};

/// 0 for nodes that wait for each other.
[[nodiscard]] Fingerprints FingerprintsOf(const Wiring& wiring, const Leaves& leaves);

}  // namespace onnxc::diff
