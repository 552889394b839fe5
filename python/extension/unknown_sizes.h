// Invents names for the sizes of a graph's values that are neither numbers nor symbols, like the onnx package: unk__0,
// unk__1 and so on. Sizes that are certainly equal get the same name.
#pragma once

#include <onnxc/infer.h>

#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace onnxc::python {

class UnknownSizes {
 public:
  /// Stores the shapes of the values of the graph. The inference must exist until WriteTo() has returned.
  UnknownSizes(const onnx::GraphProto& graph, const Inference& inference);

  /// Writes names to the sizes that have none in value_info and in the outputs of the graph.
  void WriteTo(onnx::GraphProto* graph);

 private:
  void Write(std::span<const Dimension> shape, onnx::TensorShapeProto* written);
  [[nodiscard]] std::string Invent();

  std::unordered_map<std::string, std::span<const Dimension>> shapes_;
  std::unordered_set<std::string> taken_;
  std::unordered_map<const infer::Expression*, std::string> named_;
  std::size_t next_ = 0;
};

}  // namespace onnxc::python
