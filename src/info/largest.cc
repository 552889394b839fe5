#include <fmt/format.h>
#include <onnxc/info.h>

#include <algorithm>
#include <utility>

#include "info/tensor_bytes.h"
#include "print/brief.h"
#include "source/names.h"
#include "source/nodes.h"
#include "tables/limits.h"

namespace onnxc {
namespace {

struct Candidate {
  const onnx::TensorProto* tensor;
  std::string_view name;
  std::int64_t bytes;
};

/// Finds the tensors of graphs that have a name: initializers, and tensors in attributes of nodes. A tensor in an
/// attribute is named by the node's first output.
class Collector {
 public:
  void Graph(const onnx::GraphProto& graph, int depth = 0) {
    for (const onnx::TensorProto& tensor : graph.initializer()) Add(tensor, tensor.name());
    for (const auto& tensor : graph.sparse_initializer()) Add(tensor.values(), tensor.values().name());
    for (const onnx::NodeProto& node : graph.node()) {
      for (const onnx::AttributeProto& attribute : node.attribute()) {
        if (attribute.has_t() && node.output_size() > 0) Add(attribute.t(), node.output(0));
        if (depth == kMaxDepth) continue;
        if (attribute.has_g()) Graph(attribute.g(), depth + 1);
        for (const onnx::GraphProto& inner : attribute.graphs()) Graph(inner, depth + 1);
      }
    }
  }

  /// Returns the largest tensors. Tensors of equal size are in the order of the model.
  [[nodiscard]] std::vector<Candidate> Largest(std::size_t most) {
    std::ranges::stable_sort(candidates_, std::ranges::greater(), &Candidate::bytes);
    candidates_.resize(std::min(most, candidates_.size()));
    return std::move(candidates_);
  }

 private:
  void Add(const onnx::TensorProto& tensor, std::string_view name) {
    candidates_.push_back({&tensor, name, SizeOf(tensor).bytes});
  }

  std::vector<Candidate> candidates_;
};

}  // namespace

std::vector<LargeTensor> LargestTensors(const onnx::ModelProto& model, std::size_t most) {
  Collector collector;
  collector.Graph(model.graph());
  std::vector<LargeTensor> largest;
  NameMap<std::vector<std::size_t>> positions;  // tensors of different graphs may have the same name
  for (const Candidate& candidate : collector.Largest(most)) {
    positions[candidate.name].push_back(largest.size());
    largest.push_back({.name = std::string(candidate.name),
                       .type = Brief(*candidate.tensor),
                       .bytes = candidate.bytes,
                       .is_external = candidate.tensor->data_location() == onnx::TensorProto::EXTERNAL});
  }
  constexpr std::size_t kMostReaders = 10;
  ForEachNode(model.graph().node(), [&](const onnx::NodeProto& node) {
    for (const std::string& input : node.input()) {
      const auto found = positions.find(input);
      if (found == positions.end()) continue;
      const std::string_view name = !node.name().empty()    ? std::string_view(node.name())
                                    : node.output().empty() ? std::string_view()
                                                            : std::string_view(node.output(0));
      for (const std::size_t position : found->second) {
        std::vector<std::string>& readers = largest[position].readers;
        if (readers.size() < kMostReaders) readers.push_back(fmt::format("{} {}", node.op_type(), name));
      }
    }
  });
  return largest;
}

}  // namespace onnxc
