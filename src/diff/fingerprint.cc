#include "diff/fingerprint.h"

#include <string>

#include "source/plain_node.h"

namespace onnxc::diff {
namespace {

template <typename Number>
Hash HashOfNumbers(const google::protobuf::RepeatedField<Number>& numbers) {
  return HashOf(
      {reinterpret_cast<const char*>(numbers.data()), sizeof(Number) * static_cast<std::size_t>(numbers.size())});
}

Hash AttributeHash(const onnx::AttributeProto& attribute, Detail detail) {
  const Hash name = HashOf(attribute.name());
  if (detail == Detail::kShape || HoldsGraphs(attribute)) return Mix(name, 1);
  if (attribute.has_t()) return Mix(name, TensorHash(attribute.t(), detail));
  std::string bytes;
  (void)attribute.SerializePartialToString(&bytes);
  return Mix(name, HashOf(bytes));
}

}  // namespace

Hash OperatorHash(const onnx::NodeProto& node) {
  return Mix(HashOf(node.op_type()), Mix(HashOf(node.domain()), HashOf(node.overload())));
}

Hash NodeHash(const onnx::NodeProto& node, Detail detail) {
  Hash attributes = 0;  // a sum, because the order does not matter
  for (const onnx::AttributeProto& attribute : node.attribute()) attributes += AttributeHash(attribute, detail);
  return Mix(OperatorHash(node), attributes);
}

Hash TypeHash(const onnx::TypeProto* type) {
  return type == nullptr ? 0 : HashOf(type->SerializePartialAsString()) | 1;
}

Hash TensorHash(const onnx::TensorProto& tensor, Detail detail) {
  Hash hash = Mix(static_cast<Hash>(tensor.data_type()), HashOfNumbers(tensor.dims()));
  if (detail == Detail::kShape) return hash;
  hash = Mix(hash, HashOf(tensor.raw_data()));
  hash = Mix(hash, HashOfNumbers(tensor.float_data()));
  hash = Mix(hash, HashOfNumbers(tensor.int32_data()));
  hash = Mix(hash, HashOfNumbers(tensor.int64_data()));
  hash = Mix(hash, HashOfNumbers(tensor.double_data()));
  hash = Mix(hash, HashOfNumbers(tensor.uint64_data()));
  for (const std::string& element : tensor.string_data()) hash = Mix(hash, HashOf(element));
  for (const auto& entry : tensor.external_data()) hash = Mix(hash, Mix(HashOf(entry.key()), HashOf(entry.value())));
  return hash;
}

Fingerprints FingerprintsOf(const Wiring& wiring, const Leaves& leaves) {
  const std::size_t count = leaves.looks.size();
  const auto& values = wiring.values();
  Fingerprints prints{std::vector<Hash>(count), std::vector<Hash>(count), std::vector<Hash>(count)};
  for (const int node : wiring.order()) {
    Hash& inputs = prints.inputs[At(node)];
    inputs = 1;
    for (const int value : wiring.reads(node)) {
      const Port& from = values[At(value)].definition;
      inputs = Mix(inputs, from.node < 0 ? leaves.values[At(value)]
                                         : Mix(prints.upstream[At(from.node)], static_cast<Hash>(from.index)));
    }
    const Hash anchor = leaves.nodes[At(node)];
    prints.upstream[At(node)] = anchor != 0 ? anchor : Mix(leaves.looks[At(node)], inputs);
  }
  for (auto node = wiring.order().rbegin(); node != wiring.order().rend(); ++node) {
    Hash hash = leaves.looks[At(*node)];
    for (const int value : wiring.reads(*node)) {  // the hash of a node includes the weights that it reads
      hash = Mix(hash, values[At(value)].definition.node < 0 ? leaves.values[At(value)] : 0);
    }
    const std::vector<int>& writes = wiring.writes(*node);
    for (std::size_t i = 0; i < writes.size(); ++i) {
      const int value = writes[i];
      Hash uses = leaves.destinations[At(value)];  // a sum, because the order does not matter
      for (const Port& use : wiring.UsesOf({*node, static_cast<int>(i)})) {
        uses += Mix(prints.downstream[At(use.node)], static_cast<Hash>(use.index));
      }
      hash = Mix(hash, uses);
    }
    const Hash anchor = leaves.nodes[At(*node)];
    prints.downstream[At(*node)] = anchor != 0 ? anchor : hash;
  }
  return prints;
}

}  // namespace onnxc::diff
