// Hashes of nodes. Nodes have equal hashes if they look the same. Some hashes of a node also include all nodes upstream
// of it, or all nodes downstream.
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

/// The details of a node and of tensors that the hash includes.
enum class Detail : std::uint8_t {
  kAll,    ///< also the values of attributes (except subgraphs) and the elements of tensors
  kShape,  ///< only the operator, the names of attributes, and the types and shapes of tensors
};

/// Returns the hash of the operator, including its overload.
[[nodiscard]] Hash OperatorHash(const onnx::NodeProto& node);

/// Returns the hash of the node without its connections.
[[nodiscard]] Hash NodeHash(const onnx::NodeProto& node, Detail detail);

[[nodiscard]] Hash TensorHash(const onnx::TensorProto& tensor, Detail detail);

/// Returns the hash of the type, or 0 if it is null.
[[nodiscard]] Hash TypeHash(const onnx::TypeProto* type);

/// The hashes from which fingerprints are computed.
struct Leaves {
  std::vector<Hash> nodes;         ///< the same hash for two matched nodes; 0 for other nodes
  std::vector<Hash> looks;         ///< each node without other nodes
  std::vector<Hash> values;        ///< values that no node computes
  std::vector<Hash> destinations;  ///< outputs of the body; 0 for all other values
};

struct Fingerprints {
  std::vector<Hash> upstream;    ///< each node with all nodes upstream
  std::vector<Hash> inputs;      ///< all nodes upstream, without the node itself
  std::vector<Hash> downstream;  ///< each node with all nodes downstream
};

/// Returns the fingerprints of all nodes. Nodes of a cycle have the hash 0.
[[nodiscard]] Fingerprints FingerprintsOf(const Wiring& wiring, const Leaves& leaves);

}  // namespace onnxc::diff
