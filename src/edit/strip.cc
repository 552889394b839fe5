#include <fmt/format.h>
#include <onnxc/strip.h>

#include <algorithm>
#include <set>
#include <string>

#include "edit/keep.h"
#include "infer/annotate.h"
#include "source/names.h"
#include "source/report.h"
#include "source/words.h"
#include "tables/signatures.h"
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

/// Returns whether the node is a Constant with one attribute.
bool IsConstant(const onnx::NodeProto& node) {
  return node.op_type() == "Constant" && NodeDomain(node.domain()).empty() && node.output_size() == 1 &&
         node.attribute_size() == 1;
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
      const bool is_sparse = weights::IsPartOfSparse(place);  // its values are counted, and not its indices
      if (is_sparse ? place.field == onnx::SparseTensorProto::kValuesFieldNumber : IsWeight(*tensor)) ++left;
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
    for (const auto& value : graph_->value_info()) declared_.try_emplace(value.name(), &value);
    edit::Keep(graph_->mutable_initializer(), [&](const onnx::TensorProto& tensor, int) {
      return !IsWeight(tensor) || !MakeInput(tensor.name(), tensor.data_type(), tensor.dims());
    });
    edit::Keep(graph_->mutable_sparse_initializer(),
               [&](const onnx::SparseTensorProto& tensor, int) { return !MakeInput(tensor.values().name(), tensor); });
    edit::Keep(graph_->mutable_node(), [&](const onnx::NodeProto& node, int) {
      if (!IsConstant(node)) return true;
      const onnx::AttributeProto& value = node.attribute(0);
      if (value.has_sparse_tensor()) return !MakeInput(node.output(0), value.sparse_tensor());
      return !value.has_t() || !IsWeight(value.t()) ||
             !MakeInput(node.output(0), value.t().data_type(), value.t().dims());
    });
    edit::Keep(graph_->mutable_value_info(),
               [&](const onnx::ValueInfoProto& value, int) { return !moved_.contains(&value); });
  }

  /// Adds an input with the name, the type and the shape of the weight. A declaration of its type moves there. If an
  /// input already has this name, the weight was its default value, and no input is added. Returns false if the weight
  /// has no name.
  template <typename Dims>
  bool MakeInput(const std::string& name, int element_type, const Dims& dims) {
    if (name.empty()) return false;
    if (!inputs_.insert(name).second) return true;
    onnx::ValueInfoProto& input = *graph_->add_input();
    if (const auto declared = declared_.find(name); declared != declared_.end()) {
      input = *declared->second;
      moved_.insert(declared->second);
    }
    input.set_name(name);
    onnx::TypeProto type;
    type.mutable_tensor_type()->set_elem_type(element_type);
    type.mutable_tensor_type()->mutable_shape();
    for (const std::int64_t dim : dims) type.mutable_tensor_type()->mutable_shape()->add_dim()->set_dim_value(dim);
    infer::Replace(input.mutable_type(), type);
    return true;
  }

  bool MakeInput(const std::string& name, const onnx::SparseTensorProto& tensor) {
    return MakeInput(name, tensor.values().data_type(), tensor.dims());
  }

  onnx::ModelProto* model_;
  GraphProto* graph_;  // null for a library
  OwnedNameSet inputs_;
  NameMap<const onnx::ValueInfoProto*> declared_;  // the first value_info of each name
  std::set<const onnx::ValueInfoProto*> moved_;    // those that became inputs
};

}  // namespace

Diagnostics StripWeights(onnx::ModelProto* model) { return Stripping(model).Run(); }

}  // namespace onnxc
