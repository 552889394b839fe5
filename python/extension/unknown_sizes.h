// Names for the sizes of a graph's values that are neither numbers nor symbols, as the onnx package invents them:
// unk__0, unk__1 and so on. Sizes that are equal for certain have one name.
#pragma once

#include <onnxc/infer.h>

#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace onnxc::python {

class UnknownSizes {
 public:
  /// Remembers the shapes of the values of the graph. The inference has to be there for WriteTo(), too.
  UnknownSizes(const onnx::GraphProto& graph, const Inference& inference);

  /// Names those that value_info and the outputs of the graph lack.
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
