#include <fmt/format.h>
#include <onnxc/strip.h>

#include <algorithm>
#include <string>

#include "edit/keep.h"
#include "source/names.h"
#include "source/report.h"
#include "source/words.h"
#include "weights/elided.h"
#include "weights/tensors.h"
#include "wire/nesting.h"

namespace onnxc {
namespace {

using onnx::GraphProto;

bool IsWeight(const onnx::TensorProto& tensor) {
  const bool is_scalar = std::ranges::all_of(tensor.dims(), [](std::int64_t dim) { return dim == 1; });
  return !is_scalar && !weights::MayBeShape(tensor);
}

/// Returns the tensor of a Constant node, or null for any other node.
const onnx::TensorProto* TensorOfConstant(const onnx::NodeProto& node) {
  const bool is_one = node.op_type() == "Constant" && node.domain().empty() && node.output_size() == 1 &&
                      node.attribute_size() == 1 && node.attribute(0).has_t();
  return is_one ? &node.attribute(0).t() : nullptr;
}

class Stripping {
 public:
  explicit Stripping(onnx::ModelProto* model)
      : model_(model), graph_(model->has_graph() ? model->mutable_graph() : nullptr) {}

  Diagnostics Run() {
    Diagnostics found = wire::CheckNesting(*model_);
    if (!found.ok()) return found;
    if (graph_ != nullptr) StripGraph();
    std::int64_t left = 0;
    weights::ForEachTensor(model_, [&](onnx::TensorProto* tensor, const Place& place) {
      if (!weights::IsPartOfSparse(place) && IsWeight(*tensor)) ++left;
    });
    if (left > 0) {
      found.Add(MakeDiagnostic(
          DiagnosticKind::kLeftBehind, Severity::kWarning, kNowhere,
          fmt::format("{} in functions, or in graphs that are attributes, keep their data", Counted(left, "tensor"))));
    }
    return found;
  }

 private:
  void StripGraph() {
    for (const auto& input : graph_->input()) inputs_.insert(input.name());
    edit::Keep(graph_->mutable_initializer(), [&](const onnx::TensorProto& tensor, int) {
      return !IsWeight(tensor) || !MakeInput(tensor.name(), tensor.data_type(), tensor.dims());
    });
    edit::Keep(graph_->mutable_sparse_initializer(), [&](const onnx::SparseTensorProto& tensor, int) {
      return !MakeInput(tensor.values().name(), tensor.values().data_type(), tensor.dims());
    });
    edit::Keep(graph_->mutable_node(), [&](const onnx::NodeProto& node, int) {
      const onnx::TensorProto* const tensor = TensorOfConstant(node);
      return tensor == nullptr || !IsWeight(*tensor) || !MakeInput(node.output(0), tensor->data_type(), tensor->dims());
    });
    edit::Keep(graph_->mutable_value_info(),
               [&](const onnx::ValueInfoProto& value, int) { return !inputs_.contains(value.name()); });
  }

  /// Adds an input with the name, the type and the shape of the weight. If an input already has this name, the weight
  /// was its default value, and no input is added. Returns false if the weight has no name.
  template <typename Dims>
  bool MakeInput(const std::string& name, int element_type, const Dims& dims) {
    if (name.empty()) return false;
    if (!inputs_.insert(name).second) return true;
    onnx::ValueInfoProto& input = *graph_->add_input();
    input.set_name(name);
    auto& type = *input.mutable_type()->mutable_tensor_type();
    type.set_elem_type(element_type);
    type.mutable_shape();
    for (const std::int64_t dim : dims) type.mutable_shape()->add_dim()->set_dim_value(dim);
    return true;
  }

  onnx::ModelProto* model_;
  GraphProto* graph_;  // null for a library
  OwnedNameSet inputs_;
};

}  // namespace

Diagnostics StripWeights(onnx::ModelProto* model) { return Stripping(model).Run(); }

}  // namespace onnxc
