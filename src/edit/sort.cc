#include <onnxc/sort.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "check/order.h"
#include "source/free_names.h"
#include "source/message_path.h"
#include "source/names.h"
#include "source/nodes.h"
#include "source/report.h"
#include "source/source_maps.h"
#include "wire/nesting.h"

namespace onnxc {
namespace {

using google::protobuf::RepeatedPtrField;
using onnx::AttributeProto;
using onnx::FunctionProto;
using onnx::GraphProto;
using onnx::ModelProto;
using onnx::NodeProto;
using onnx::TrainingInfoProto;

/// Puts the elements into another order: `order` contains their indices.
void Permute(const std::vector<int>& order, RepeatedPtrField<NodeProto>* nodes) {
  std::vector<NodeProto*> moved;
  moved.reserve(order.size());
  for (const int index : order) moved.push_back(nodes->Mutable(index));
  std::ranges::copy(moved, nodes->pointer_begin());
}

class Sorting {
 public:
  Sorting(ModelProto* model, const SourceMap* source_map) : model_(model), source_map_(source_map) {}

  Diagnostics Run() {
    found_ = wire::CheckNesting(*model_);
    if (!found_.ok()) return std::move(found_);
    const Place root{*model_};
    if (model_->has_graph()) {
      SortGraph(model_->mutable_graph(), root.Child(model_->graph(), ModelProto::kGraphFieldNumber));
    }
    for (int i = 0; i < model_->training_info_size(); ++i) {  // the algorithms continue the main graph
      TrainingInfoProto& training = *model_->mutable_training_info(i);
      const Place place = root.Child(training, ModelProto::kTrainingInfoFieldNumber, i);
      SortSubgraph(training.has_algorithm() ? training.mutable_algorithm() : nullptr, place,
                   TrainingInfoProto::kAlgorithmFieldNumber);
    }
    Forget(0);
    for (int i = 0; i < model_->training_info_size(); ++i) {
      TrainingInfoProto& training = *model_->mutable_training_info(i);
      const Place place = root.Child(training, ModelProto::kTrainingInfoFieldNumber, i);
      SortSubgraph(training.has_initialization() ? training.mutable_initialization() : nullptr, place,
                   TrainingInfoProto::kInitializationFieldNumber);
    }
    for (int i = 0; i < model_->functions_size(); ++i) {
      FunctionProto& function = *model_->mutable_functions(i);
      SortFunction(&function, root.Child(function, ModelProto::kFunctionsFieldNumber, i));
    }
    return std::move(found_);
  }

 private:
  // ---- the names that are visible before a list of nodes

  void Define(std::string_view name) {
    if (visible_.insert(name).second) defined_.push_back(name);
  }

  /// Removes the names that were defined after the first `count` ones.
  void Forget(std::size_t count) {
    for (; defined_.size() > count; defined_.pop_back()) visible_.erase(defined_.back());
  }

  // ---- lists of nodes

  /// Sorts the nodes, and defines the values of the graph.
  void SortGraph(GraphProto* graph, const Place& place) {
    for (const auto& input : graph->input()) Define(input.name());
    for (const auto& tensor : graph->initializer()) Define(tensor.name());
    for (const auto& tensor : graph->sparse_initializer()) Define(tensor.values().name());
    SortList(graph->mutable_node(), GraphProto::kNodeFieldNumber, place);
  }

  void SortSubgraph(GraphProto* graph, const Place& owner, int field, int index = 0) {
    if (graph == nullptr) return;
    const std::size_t outside = defined_.size();
    SortGraph(graph, owner.Child(*graph, field, index));
    Forget(outside);
  }

  void SortAttribute(AttributeProto* attribute, const Place& place) {
    SortSubgraph(attribute->has_g() ? attribute->mutable_g() : nullptr, place, AttributeProto::kGFieldNumber);
    for (int i = 0; i < attribute->graphs_size(); ++i) {
      SortSubgraph(attribute->mutable_graphs(i), place, AttributeProto::kGraphsFieldNumber, i);
    }
  }

  void SortFunction(FunctionProto* function, const Place& place) {
    for (int i = 0; i < function->attribute_proto_size(); ++i) {
      AttributeProto* const attribute = function->mutable_attribute_proto(i);
      SortAttribute(attribute, place.Child(*attribute, FunctionProto::kAttributeProtoFieldNumber, i));
    }
    for (const std::string& input : function->input()) Define(input);
    SortList(function->mutable_node(), FunctionProto::kNodeFieldNumber, place);
    Forget(0);
  }

  void SortList(RepeatedPtrField<NodeProto>* nodes, int field, const Place& owner) {
    check::Order dependencies(*nodes, &visible_);
    std::vector<int> order = dependencies.Sorted();
    if (std::ssize(order) < nodes->size()) {
      ReportCycles(*nodes, field, owner, &dependencies);
      for (order.clear(); std::ssize(order) < nodes->size();) order.push_back(static_cast<int>(order.size()));
    }
    if (!std::ranges::is_sorted(order)) Permute(order, nodes);
    for (int i = 0; i < nodes->size(); ++i) {
      NodeProto* const node = nodes->Mutable(i);
      const Place place = owner.Child(*node, field, order[static_cast<std::size_t>(i)]);
      for (int j = 0; j < node->attribute_size(); ++j) {
        AttributeProto* const attribute = node->mutable_attribute(j);
        SortAttribute(attribute, place.Child(*attribute, NodeProto::kAttributeFieldNumber, j));
      }
      for (const std::string& output : node->output()) Define(output);
    }
  }

  void ReportCycles(const Nodes& nodes, int field, const Place& owner, check::Order* dependencies) {
    for (int i = 0; i < nodes.size(); ++i) {
      const Place place = owner.Child(nodes[i], field, i);
      ForEachNeededName(nodes[i], [&](std::string_view name, const google::protobuf::Message& reader, int in_field,
                                      int index) {
        const int definer = dependencies->Definer(name);
        const std::vector<int> cycle = definer < 0 ? std::vector<int>() : dependencies->Cycle(i, definer);
        if (cycle.empty()) return;
        const SourceRange* const range = source_map_ == nullptr ? nullptr : source_map_->Find(reader, in_field, index);
        Diagnostic finding = MakeDiagnostic(diag::kCycle, range == nullptr ? kNowhere : *range,
                                            check::DescribeCycle(nodes, cycle, name));
        if (range == nullptr) finding.path = PathOf(&reader == &nodes[i] ? Spot(place, in_field, index) : Spot(place));
        found_.Add(std::move(finding));
      });
    }
  }

  ModelProto* model_;
  const SourceMap* source_map_;
  Diagnostics found_;
  NameSet visible_;
  std::vector<std::string_view> defined_;  // the names in `visible_`
};

}  // namespace

Diagnostics SortNodes(ModelProto* model, const SortOptions& options) {
  if (IsOfOther(options.source_map, *model)) {
    return Only(MakeDiagnostic(diag::kOtherMessage, kNowhere, "the source map"));
  }
  return Sorting(model, options.source_map).Run();
}

}  // namespace onnxc
