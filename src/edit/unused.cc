#include "edit/unused.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "check/functions.h"
#include "edit/keep.h"
#include "source/free_names.h"
#include "source/names.h"
#include "source/nodes.h"
#include "tables/signatures.h"

namespace onnxc::edit {
namespace {

using google::protobuf::RepeatedPtrField;
using onnx::AttributeProto;
using onnx::FunctionProto;
using onnx::GraphProto;
using onnx::ModelProto;
using onnx::NodeProto;
using Annotations = RepeatedPtrField<onnx::TensorAnnotation>;
using Imports = RepeatedPtrField<onnx::OperatorSetIdProto>;

/// Finds the nodes that may do something else than to compute their outputs: those of unknown operators, and those
/// without outputs. (The checker assumes the same of unknown operators.)
class Effects {
 public:
  explicit Effects(const ModelProto& model) : has_effect_(static_cast<std::size_t>(model.functions_size())) {
    for (const FunctionProto& function : model.functions()) functions_.Add(function);
    std::vector<std::vector<int>> callers(has_effect_.size());
    std::vector<int> waiting;
    for (int i = 0; i < model.functions_size(); ++i) {
      bool has_effect = false;
      ForEachNode(model.functions(i), [&](const NodeProto& node) {
        if (const int callee = functions_.Find(node); callee >= 0)
          callers[static_cast<std::size_t>(callee)].push_back(i);
        has_effect |= OfOne(node);
      });
      if (has_effect) waiting.push_back(i);
    }
    while (!waiting.empty()) {
      const auto function = static_cast<std::size_t>(waiting.back());
      waiting.pop_back();
      if (has_effect_[function]) continue;
      has_effect_[function] = true;
      waiting.insert(waiting.end(), callers[function].begin(), callers[function].end());
    }
  }

  /// Returns whether the node, or a node in its subgraphs, may have an effect.
  [[nodiscard]] bool Of(const NodeProto& node) const {
    bool has_effect = false;
    ForEachNode(node, [&](const NodeProto& each) { has_effect = has_effect || OfOne(each); });
    return has_effect;
  }

 private:
  [[nodiscard]] bool OfOne(const NodeProto& node) const {
    if (std::ranges::all_of(node.output(), &std::string::empty)) return true;
    if (const int callee = functions_.Find(node); callee >= 0) return has_effect_[static_cast<std::size_t>(callee)];
    return FindVersions(FindDomain(NodeDomain(node.domain())), node.op_type()).empty();
  }

  check::FunctionTable functions_;
  std::vector<bool> has_effect_;  // by function
};

/// Finds the nodes and the values of one graph or function that are needed. Nodes of subgraphs that nothing needs must
/// have been removed before.
class Needs {
 public:
  Needs(const Nodes& nodes, const Annotations& annotations, const Effects& effects)
      : nodes_(nodes), is_needed_(static_cast<std::size_t>(nodes.size())) {
    for (int i = 0; i < nodes.size(); ++i) {
      for (const std::string& output : nodes[i].output()) {
        if (!output.empty()) givers_.emplace(output, i);
      }
    }
    for (const auto& annotation : annotations) annotations_.emplace(annotation.tensor_name(), &annotation);
    for (int i = 0; i < nodes.size(); ++i) {
      if (effects.Of(nodes[i])) Need(i);
    }
  }

  /// Marks a value as read, and what computes it as needed.
  void Read(std::string_view name) {
    waiting_.push_back(name);
    while (!waiting_.empty()) {
      const std::string_view next = waiting_.back();
      waiting_.pop_back();
      if (!read_.insert(next).second) continue;
      ReadParameters(next);
      const auto [first, last] = givers_.equal_range(next);
      for (auto giver = first; giver != last; ++giver) Need(giver->second);
    }
  }
  /// Marks the tensors of the value's quantization annotation as read, because the value stays.
  void ReadParameters(std::string_view name) {
    if (!annotated_.insert(name).second) return;  // many nodes may have an output of this name
    const auto [first, last] = annotations_.equal_range(name);
    for (auto annotation = first; annotation != last; ++annotation) {
      for (const auto& entry : annotation->second->quant_parameter_tensor_names()) waiting_.push_back(entry.value());
    }
  }
  /// Reads what is waiting.
  void Finish() { Read(""); }

  [[nodiscard]] bool IsComputed(std::string_view name) const { return givers_.contains(name); }
  [[nodiscard]] bool IsRead(std::string_view name) const { return read_.contains(name); }
  [[nodiscard]] bool IsNeeded(int node) const { return is_needed_[static_cast<std::size_t>(node)]; }

 private:
  void Need(int node) {
    if (IsNeeded(node)) return;
    is_needed_[static_cast<std::size_t>(node)] = true;
    ForEachFreeName(nodes_[node], [&](std::string_view name, const auto&...) { waiting_.push_back(name); });
    for (const std::string& output : nodes_[node].output()) ReadParameters(output);
  }

  const Nodes& nodes_;
  std::vector<bool> is_needed_;                                      // by node
  std::unordered_multimap<std::string_view, int, NameHash> givers_;  // the nodes that compute a name
  std::unordered_multimap<std::string_view, const onnx::TensorAnnotation*, NameHash> annotations_;
  NameSet read_;
  NameSet annotated_;                      // the values whose annotations were read
  std::vector<std::string_view> waiting_;  // values that are read
};

class UnusedNodes {
 public:
  UnusedNodes(ModelProto* model, Stripped* stripped) : model_(model), effects_(*model), stripped_(*stripped) {}

  void Run() {
    for (FunctionProto& function : *model_->mutable_functions()) RemoveIn(&function);
    NameSet bound;  // the names in the bindings of training steps, and those that the algorithms read
    for (onnx::TrainingInfoProto& training : *model_->mutable_training_info()) {
      for (const auto* const bindings : {&training.initialization_binding(), &training.update_binding()}) {
        for (const auto& entry : *bindings) bound.insert({entry.key(), entry.value()});
      }
    }
    for (onnx::TrainingInfoProto& training : *model_->mutable_training_info()) {
      if (training.has_initialization()) RemoveIn(training.mutable_initialization(), bound);
      if (training.has_algorithm()) RemoveIn(training.mutable_algorithm(), bound);
    }
    for (const onnx::TrainingInfoProto& training : model_->training_info())
      ReadFromOutside(training.algorithm(), &bound);
    if (model_->has_graph()) RemoveIn(model_->mutable_graph(), bound);
  }

 private:
  /// Adds all names that the graph may read from outside.
  static void ReadFromOutside(const GraphProto& graph, NameSet* names) {
    for (const NodeProto& node : graph.node()) {
      ForEachFreeName(node, [&](std::string_view name, const auto&...) { names->insert(name); });
    }
    for (const auto& output : graph.output()) names->insert(output.name());
    for (const auto& annotation : graph.quantization_annotation()) {
      names->insert(annotation.tensor_name());
      for (const auto& entry : annotation.quant_parameter_tensor_names()) names->insert(entry.value());
    }
  }

  void RemoveIn(AttributeProto* attribute) {
    if (attribute->has_g()) RemoveIn(attribute->mutable_g(), {});
    for (GraphProto& graph : *attribute->mutable_graphs()) RemoveIn(&graph, {});
  }

  void RemoveInside(RepeatedPtrField<NodeProto>* nodes) {
    for (NodeProto& node : *nodes) {
      for (AttributeProto& attribute : *node.mutable_attribute()) RemoveIn(&attribute);
    }
  }

  /// `read` are names that are read from outside of the graph, in addition to its outputs.
  void RemoveIn(GraphProto* graph, const NameSet& read) {
    RemoveInside(graph->mutable_node());
    NameSet removable;  // the initializers that are no default values
    for (const auto& tensor : graph->initializer()) removable.insert(tensor.name());
    for (const auto& tensor : graph->sparse_initializer()) removable.insert(tensor.values().name());
    for (const auto& input : graph->input()) removable.erase(input.name());
    Needs needs(graph->node(), graph->quantization_annotation(), effects_);
    for (const auto& output : graph->output()) needs.Read(output.name());
    for (const std::string_view name : read) needs.Read(name);
    for (const auto& annotation : graph->quantization_annotation()) {
      const std::string& name = annotation.tensor_name();
      if (!needs.IsComputed(name) && !removable.contains(name)) needs.ReadParameters(name);
    }
    needs.Finish();
    OwnedNameSet gone;
    for (const std::string_view name : removable) {
      if (!needs.IsRead(name)) gone.emplace(name);
    }
    NameSet unread(gone.begin(), gone.end());
    AddUnneeded(graph->node(), needs, &unread);
    Keep(graph->mutable_value_info(), [&](const auto& value, int) { return !unread.contains(value.name()); });
    Keep(graph->mutable_quantization_annotation(),
         [&](const auto& annotation, int) { return !unread.contains(annotation.tensor_name()); });
    stripped_.nodes += RemoveUnneeded(graph->mutable_node(), needs);
    const int before = graph->initializer_size() + graph->sparse_initializer_size();
    Keep(graph->mutable_initializer(), [&](const auto& tensor, int) { return !gone.contains(tensor.name()); });
    Keep(graph->mutable_sparse_initializer(),
         [&](const auto& tensor, int) { return !gone.contains(tensor.values().name()); });
    stripped_.initializers += before - graph->initializer_size() - graph->sparse_initializer_size();
  }

  void RemoveIn(FunctionProto* function) {
    for (AttributeProto& attribute : *function->mutable_attribute_proto()) RemoveIn(&attribute);
    RemoveInside(function->mutable_node());
    Needs needs(function->node(), {}, effects_);
    for (const std::string& output : function->output()) needs.Read(output);
    needs.Finish();
    NameSet unread;
    AddUnneeded(function->node(), needs, &unread);
    Keep(function->mutable_value_info(), [&](const auto& value, int) { return !unread.contains(value.name()); });
    stripped_.nodes += RemoveUnneeded(function->mutable_node(), needs);
  }

  static void AddUnneeded(const Nodes& nodes, const Needs& needs, NameSet* names) {
    for (int i = 0; i < nodes.size(); ++i) {
      if (!needs.IsNeeded(i)) names->insert(nodes[i].output().begin(), nodes[i].output().end());
    }
  }

  static int RemoveUnneeded(RepeatedPtrField<NodeProto>* nodes, const Needs& needs) {
    const int before = nodes->size();
    Keep(nodes, [&](const auto&, int i) { return needs.IsNeeded(i); });
    return before - nodes->size();
  }

  ModelProto* model_;
  const Effects effects_;
  Stripped& stripped_;
};

/// Removes the imports of other domains than the used ones. Returns the number of removed imports.
int KeepImports(const NameSet& used, Imports* imports) {
  const auto is_used = [&](const auto& import) { return used.contains(NodeDomain(import.domain())); };
  const auto is_standard = [](const auto& import) { return NodeDomain(import.domain()).empty(); };
  const int before = imports->size();
  int last = -1;  // the import that stays if none is used
  if (before > 0 && std::ranges::none_of(*imports, is_used)) {
    const auto standard = std::ranges::find_if(*imports, is_standard);
    last = standard == imports->end() ? 0 : static_cast<int>(standard - imports->begin());
  }
  Keep(imports, [&](const auto& import, int i) { return i == last || is_used(import); });
  return before - imports->size();
}

/// Returns for each function whether a node of the graphs calls it, directly or from other functions.
std::vector<bool> FindCalled(const ModelProto& model) {
  check::FunctionTable functions;
  for (const FunctionProto& function : model.functions()) functions.Add(function);
  std::vector<bool> is_called(static_cast<std::size_t>(model.functions_size()));
  std::vector<int> waiting;
  const auto use = [&](const NodeProto& node) {
    const int callee = functions.Find(node);
    if (callee < 0 || is_called[static_cast<std::size_t>(callee)]) return;
    is_called[static_cast<std::size_t>(callee)] = true;
    waiting.push_back(callee);
  };
  ForEachNode(model.graph().node(), use);
  for (const auto& training : model.training_info()) {
    ForEachNode(training.initialization().node(), use);
    ForEachNode(training.algorithm().node(), use);
  }
  while (!waiting.empty()) {
    const FunctionProto& function = model.functions(waiting.back());
    waiting.pop_back();
    ForEachNode(function, use);
  }
  return is_called;
}

}  // namespace

void RemoveUnusedNodes(ModelProto* model, Stripped* stripped) { UnusedNodes(model, stripped).Run(); }

void RemoveUnusedFunctions(ModelProto* model, Stripped* stripped) {
  const int before = model->functions_size();
  if (model->has_graph()) {
    const std::vector<bool> is_called = FindCalled(*model);
    Keep(model->mutable_functions(), [&](const auto&, int i) { return is_called[static_cast<std::size_t>(i)]; });
  }
  stripped->functions += before - model->functions_size();
  NameSet used;  // the domains of all nodes, and what the functions import, as tools that inline functions need it
  for (FunctionProto& function : *model->mutable_functions()) {
    NameSet own;
    if (!model->has_graph()) own.insert(NodeDomain(function.domain()));  // says the version of an operator
    ForEachNode(function, [&](const NodeProto& node) { own.insert(NodeDomain(node.domain())); });
    stripped->imports += KeepImports(own, function.mutable_opset_import());
    for (const auto& import : function.opset_import()) used.insert(NodeDomain(import.domain()));
  }
  ForEachNode(*model, [&](const NodeProto& node) { used.insert(NodeDomain(node.domain())); });
  stripped->imports += KeepImports(used, model->mutable_opset_import());
}

}  // namespace onnxc::edit
