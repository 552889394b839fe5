#include "convert/convert.h"

#include <onnxc/infer.h>
#include <onnxc/parser.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "convert/fit.h"
#include "convert/omissions.h"
#include "convert/rules.h"
#include "convert/step.h"
#include "source/message_cast.h"
#include "source/message_path.h"
#include "source/names.h"
#include "source/nodes.h"
#include "source/placed_nodes.h"
#include "source/report.h"
#include "tables/ir_versions.h"
#include "tables/signatures.h"

namespace onnxc::convert {
namespace {

using google::protobuf::Message;
using onnx::AttributeProto;
using onnx::GraphProto;
using onnx::ModelProto;
using onnx::NodeProto;
using NodeList = google::protobuf::RepeatedPtrField<NodeProto>;

/// The first IR version in which an initializer need not be an input.
constexpr std::int64_t kFirstWithoutInputs = 4;

/// Calls visit(graph) for the main graph and the graphs of training steps.
template <typename Visit>
void ForEachMainGraph(ModelProto* model, const Visit& visit) {
  visit(model->mutable_graph());
  for (onnx::TrainingInfoProto& training : *model->mutable_training_info()) {
    if (training.has_initialization()) visit(training.mutable_initialization());
    if (training.has_algorithm()) visit(training.mutable_algorithm());
  }
}

/// The place in the model of a node, or of the node that it replaces.
struct Origin {
  int order = 0;
  std::string path = {};
  SourceRange range = kNowhere;
};

/// A node that was removed because the nodes that read its value do so no longer.
struct Removed {
  std::shared_ptr<const Origin> origin;
  std::string op_type;
};

class Converter {
 public:
  Converter(ModelProto* model, std::string_view domain, std::int64_t version, const SourceMap* places)
      : model_(model), domain_(domain), target_(static_cast<int>(version)), places_(places) {}

  ~Converter() {
    if (model_->GetArena() != nullptr) return;
    for (NodeProto* const node : removed_) delete node;
  }
  Converter(const Converter&) = delete;
  Converter& operator=(const Converter&) = delete;

  Conversion Run() {
    TakeSteps();
    Report();
    if (result_.found.ok()) RemoveUnread();
    ForEachMainGraph(model_, [&](GraphProto* graph) {
      if (!other_sizes_.empty()) ForgetSizes(graph);
      if (domain_.empty() && target_ < kFirstCastOfNumbers) MakeInitializers(graph);
    });
    Import(target_);
    model_->set_ir_version(std::max(model_->ir_version(), LeastIrVersion(domain_, target_)));
    return std::move(result_);
  }

  /// Returns an error for the first node of each operator that the conversion would change. Changes nothing.
  Diagnostics Look() {
    only_looks_ = true;
    TakeSteps();
    Report();
    return std::move(result_.found);
  }

 private:
  void TakeSteps() {
    const int from = ImportedVersion();
    ForEachPlacedNode(*model_, [&](const NodeProto& node, const Place& at) { AddOrigin(node, at); });
    uses_.Count(*model_);
    omissions_ = FindOmissions(*model_);
    for (const onnx::FunctionProto& function : model_->functions()) {
      if (NodeDomain(function.domain()) == domain_) local_.insert(function.name());
    }
    from_ = from;
    up_ = target_ >= from;
    if (up_) {
      for (int version = from + 1; version <= target_; ++version) TakeStep(version);
    } else {
      for (int version = from; version > target_; --version) TakeStep(version);
    }
  }

 private:
  void AddOrigin(const NodeProto& node, const Place& at) {
    Origin origin{.order = static_cast<int>(origins_.size())};
    const SourceRange* const range = places_ == nullptr ? nullptr : places_->Find(node, NodeProto::kOpTypeFieldNumber);
    if (range != nullptr) {
      origin.range = *range;
    } else {
      origin.path = PathOf(at);
    }
    origins_.emplace(&node, std::make_shared<const Origin>(std::move(origin)));
  }

  [[nodiscard]] int ImportedVersion() const {
    int version = target_;
    for (const auto& import : model_->opset_import()) {
      if (NodeDomain(import.domain()) == domain_) version = static_cast<int>(import.version());
    }
    return version;
  }

  void Import(int version) {
    const auto set = [&](auto* imports) {
      for (onnx::OperatorSetIdProto& import : *imports) {
        if (NodeDomain(import.domain()) == domain_) import.set_version(version);
      }
    };
    set(model_->mutable_opset_import());
    for (onnx::FunctionProto& function : *model_->mutable_functions()) set(function.mutable_opset_import());
  }

  [[nodiscard]] bool IsConcerned(const NodeProto& node) const {
    if (NodeDomain(node.domain()) != domain_) return false;
    const Operator* const op = FindOperator(domain_, node.op_type(), version_);
    return op != nullptr && op->since == version_ && !IsLocal(node);
  }

  /// Whether the node calls a function of the model, which may have the name of an operator.
  [[nodiscard]] bool IsLocal(const NodeProto& node) const { return local_.contains(node.op_type()); }

  [[nodiscard]] bool IsConcerned(const NodeList& nodes) const {
    return std::ranges::any_of(nodes, [&](const NodeProto& node) {
      if (IsConcerned(node)) return true;
      return std::ranges::any_of(node.attribute(), [&](const AttributeProto& attribute) {
        return (attribute.has_g() && IsConcerned(attribute.g().node())) ||
               std::ranges::any_of(attribute.graphs(), [&](const GraphProto& g) { return IsConcerned(g.node()); });
      });
    });
  }

  // ---- a step of the whole model

  void TakeStep(int version) {
    version_ = version;
    if (types_are_old_ && IsConcernedModel()) {
      if (refused_.empty()) types_ = InferTypes(*model_, {.all_constants = true});
      types_are_old_ = false;
    }
    in_ = nullptr;
    const Scope main = ScopeOf(model_->graph(), nullptr);  // the algorithms of training steps read its values
    ForEachMainGraph(model_, [&](GraphProto* graph) { Graph(graph, graph == &model_->graph() ? nullptr : &main); });
    for (onnx::FunctionProto& function : *model_->mutable_functions()) {
      in_ = &omissions_[&function];
      Visit(function.mutable_node(), function, nullptr);
    }
    if (!only_looks_) Import(up_ ? version : version - 1);
  }

  [[nodiscard]] Scope ScopeOf(const Message& owner, const Scope* outer) const {
    Scope scope{.outer = outer};
    for (const InferredValue& value : types_.ValuesOf(owner)) scope.values.emplace(value.name, &value);
    return scope;
  }

  [[nodiscard]] bool IsConcernedModel() const {
    const auto is_concerned = [&](const auto& each) { return IsConcerned(each.node()); };
    return is_concerned(model_->graph()) || std::ranges::any_of(model_->functions(), is_concerned) ||
           std::ranges::any_of(model_->training_info(), [&](const onnx::TrainingInfoProto& training) {
             return is_concerned(training.initialization()) || is_concerned(training.algorithm());
           });
  }

  void Graph(GraphProto* graph, const Scope* outer) { Visit(graph->mutable_node(), *graph, outer); }

  void Visit(NodeList* nodes, const Message& owner, const Scope* outer) {
    if (!IsConcerned(*nodes)) return;
    const Scope scope = ScopeOf(owner, outer);
    std::vector<NodeProto*> list;
    std::map<std::string, Removed> removed;
    for (NodeProto& node : *nodes) {
      for (AttributeProto& attribute : *node.mutable_attribute()) {
        if (attribute.has_g()) Graph(attribute.mutable_g(), &scope);
        for (GraphProto& inner : *attribute.mutable_graphs()) Graph(&inner, &scope);
      }
      only_looks_ ? Look(&node, scope) : Convert(&node, scope, &list, &removed);
    }
    if (only_looks_) return;
    if (!removed.empty()) RefuseReaders(removed, list, owner);
    const bool is_same =
        std::ranges::equal(list, *nodes, [](const NodeProto* one, const NodeProto& other) { return one == &other; });
    if (is_same) return;
    types_are_old_ = true;
    std::vector<NodeProto*> before(static_cast<std::size_t>(nodes->size()));
    nodes->UnsafeArenaExtractSubrange(0, nodes->size(), before.data());
    const std::set<const NodeProto*> kept(list.begin(), list.end());
    std::ranges::copy_if(before, std::back_inserter(removed_), [&](NodeProto* node) { return !kept.contains(node); });
    for (NodeProto* const node : list) nodes->UnsafeArenaAddAllocated(node);
  }

  /// Appends the nodes that replace the node to the list.
  void Convert(NodeProto* node, const Scope& scope, std::vector<NodeProto*>* list,
               std::map<std::string, Removed>* removed) {
    const std::shared_ptr<const Origin> origin = origins_.at(node);
    if (!IsConcerned(*node) || refused_.contains(origin->order)) return list->push_back(node);
    const std::string op_type = node->op_type();
    Step step = StepOf(node, scope);
    if (const Rule rule = RuleOf(*node)) rule(step);
    Fit(&step, domain_);
    const std::vector<NodeProto*> nodes = step.TakeNodes();
    if (!step.ok()) {
      std::ranges::copy_if(nodes, std::back_inserter(removed_), [&](NodeProto* each) { return each != node; });
      list->push_back(node);
      if (step.lacks_type && !refused_.empty()) return;  // the types are those of an earlier version
      refused_.insert(origin->order);
      return Tell(*origin, Severity::kError, op_type, step.refusal(), step.incomplete_call);
    }
    if (nodes.empty()) removed->emplace(node->output(0), Removed{origin, op_type});
    if (!step.warning().empty()) Tell(*origin, Severity::kWarning, op_type, step.warning());
    if (step.sizes_may_change) result_.sizes_may_change = true;
    if (step.other_sizes) other_sizes_.insert(step.node().output().begin(), step.node().output().end());
    dropped_.insert(step.dropped.begin(), step.dropped.end());
    for (NodeProto* const each : nodes) {
      ForEachNode(*each, [&](const NodeProto& inner) { origins_.emplace(&inner, origin); });
      if (each != node && node->has_domain()) each->set_domain(node->domain());
    }
    list->insert(list->end(), nodes.begin(), nodes.end());
  }

  [[nodiscard]] Step StepOf(NodeProto* node, const Scope& scope) {
    Step step(node, scope, &uses_);
    step.up = up_;
    step.version = version_;
    step.target = target_;
    step.omissions = in_;
    return step;
  }

  [[nodiscard]] Rule RuleOf(const NodeProto& node) const {
    const StepRow* const row = FindRow(domain_, node.op_type(), version_);
    if (row == nullptr) return nullptr;
    const auto has = [&](const AttributeProto& attribute) { return attribute.name() == row->attribute; };
    if (!row->attribute.empty() && std::ranges::none_of(node.attribute(), has)) return nullptr;
    return up_ ? row->up : row->down;
  }

  /// Reports the node if the rule of this step changes it. Operators that the version lacks are left to the checker.
  void Look(NodeProto* node, const Scope& scope) {
    const std::string& op_type = node->op_type();
    const Rule rule = IsConcerned(*node) ? RuleOf(*node) : nullptr;
    if (rule == nullptr || FindOperator(domain_, op_type, up_ ? version_ : version_ - 1) == nullptr) return;
    if (!looked_.insert(op_type).second) return;
    auto* const copy = google::protobuf::Arena::CreateMessage<NodeProto>(model_->GetArena());
    removed_.push_back(copy);
    copy->CopyFrom(*node);
    Step step = StepOf(copy, scope);
    rule(step);
    const std::vector<NodeProto*> nodes = step.TakeNodes();
    const bool stays = step.ok() && step.warning().empty() && !step.sizes_may_change && !step.other_sizes &&
                       nodes == std::vector{copy} && copy->SerializeAsString() == node->SerializeAsString();
    std::ranges::copy_if(nodes, std::back_inserter(removed_), [&](const NodeProto* each) { return each != copy; });
    if (stays) {
      looked_.erase(op_type);
      return;
    }
    Diagnostic diagnostic =
        MakeDiagnostic(DiagnosticKind::kOpsetConflict, Severity::kError, kNowhere,
                       fmt::format("the operator {} has different meanings in versions {} and {}; the option "
                                   "allow-other-meaning sets the version anyway",
                                   Quoted(op_type), target_, from_));
    Tell(*origins_.at(node), std::move(diagnostic));
  }

  /// Refuses nodes that were removed because later nodes no longer read their values, if something still reads them. A
  /// node that reads them and was refused itself says why.
  void RefuseReaders(const std::map<std::string, Removed>& removed, const std::vector<NodeProto*>& list,
                     const Message& owner) {
    const auto refuse = [&](const std::string& name, std::string_view reader) {
      const auto found = removed.find(name);
      if (found == removed.end() || !refused_.insert(found->second.origin->order).second) return;
      const std::string& op_type = found->second.op_type;
      Tell(*found->second.origin, Severity::kError, op_type,
           fmt::format("before version {} there are no {}, and its result '{}' is {}", version_,
                       op_type == "Optional" ? "optional values" : "sequences", Quoted(name), reader));
    };
    for (const NodeProto* const node : list) {
      ForEachNode(*node, [&](const NodeProto& each) {
        const auto origin = origins_.find(&each);
        if (origin != origins_.end() && refused_.contains(origin->second->order)) return;
        for (const std::string& input : each.input()) refuse(input, fmt::format("read by {}", Quoted(each.op_type())));
      });
    }
    if (const auto* const graph = MessageCast<GraphProto>(owner)) {
      for (const auto& output : graph->output()) refuse(output.name(), "an output of the graph");
    } else if (const auto* const function = MessageCast<onnx::FunctionProto>(owner)) {
      for (const std::string& output : function->output()) refuse(output, "an output of the function");
    }
  }

  void Tell(const Origin& origin, Severity severity, std::string_view op_type, std::string_view reason,
            const NodeProto* call = nullptr) {
    const std::string_view form = severity == Severity::kError ? "{} cannot be converted to version {}{}: {}"
                                                               : "{} was converted to version {}{}: {}";
    Diagnostic diagnostic =
        MakeDiagnostic(DiagnosticKind::kOpsetConflict, severity, kNowhere,
                       fmt::format(fmt::runtime(form), Quoted(op_type), target_,
                                   domain_.empty() ? "" : fmt::format(" of '{}'", Quoted(domain_)), reason));
    const SourceRange at = call == nullptr ? kNowhere : origins_.at(call)->range;
    if (at != kNowhere) diagnostic.notes.push_back({at, "this is the call"});
    Tell(origin, std::move(diagnostic));
  }

  void Tell(const Origin& origin, Diagnostic diagnostic) {
    diagnostic.range = origin.range;
    diagnostic.path = origin.path;
    told_.emplace(origin.order, std::move(diagnostic));
  }

  void Report() {
    for (auto& [order, diagnostic] : told_) result_.found.Add(std::move(diagnostic));
  }

  /// Removes the numbers from the declared types of pooled values, after the axes of the batch and of the channels.
  void ForgetSizes(GraphProto* graph) {
    const auto forget = [&](auto* values) {
      for (onnx::ValueInfoProto& value : *values) {
        if (!other_sizes_.contains(value.name()) || !value.type().tensor_type().has_shape()) continue;
        auto& shape = *value.mutable_type()->mutable_tensor_type()->mutable_shape();
        for (int i = 2; i < shape.dim_size(); ++i) shape.mutable_dim(i)->clear_value();
      }
    };
    forget(graph->mutable_output());
    forget(graph->mutable_value_info());
    for (NodeProto& node : *graph->mutable_node()) {
      for (AttributeProto& attribute : *node.mutable_attribute()) {
        if (attribute.has_g()) ForgetSizes(attribute.mutable_g());
      }
    }
  }

  // ---- constants of types that Constant does not take in the oldest versions

  void MakeInitializers(GraphProto* graph) {
    NodeList* const nodes = graph->mutable_node();
    std::vector<NodeProto*> before(static_cast<std::size_t>(nodes->size()));
    nodes->UnsafeArenaExtractSubrange(0, nodes->size(), before.data());
    for (NodeProto* const node : before) {
      for (AttributeProto& attribute : *node->mutable_attribute()) {
        if (attribute.has_g()) MakeInitializers(attribute.mutable_g());
      }
      const bool is_constant = node->op_type() == "Constant" && node->attribute_size() == 1;
      const onnx::TensorProto* const tensor = is_constant ? &node->attribute(0).t() : nullptr;
      if (tensor == nullptr || IsOldConstant(tensor->data_type())) {
        nodes->UnsafeArenaAddAllocated(node);
        continue;
      }
      removed_.push_back(node);
      onnx::TensorProto& initializer = *graph->add_initializer();
      initializer = *tensor;
      initializer.set_name(node->output(0));
      if (model_->ir_version() >= kFirstWithoutInputs) continue;
      onnx::ValueInfoProto& input = *graph->add_input();
      input.set_name(initializer.name());
      auto& type = *input.mutable_type()->mutable_tensor_type();
      type.set_elem_type(initializer.data_type());
      for (const std::int64_t size : initializer.dims()) type.mutable_shape()->add_dim()->set_dim_value(size);
    }
  }

  // ---- constants that became attributes

  void RemoveUnread() {
    if (dropped_.empty()) return;
    uses_ = Uses();
    uses_.Count(*model_);
    ForEachMainGraph(model_, [&](GraphProto* graph) { RemoveUnread(graph); });
    for (onnx::FunctionProto& function : *model_->mutable_functions()) RemoveUnread(function.mutable_node());
  }

  void RemoveUnread(GraphProto* graph) {
    RemoveUnread(graph->mutable_node());
    NameSet inputs;
    for (const auto& input : graph->input()) inputs.insert(input.name());
    auto& tensors = *graph->mutable_initializer();
    const auto end = std::remove_if(tensors.begin(), tensors.end(), [&](const onnx::TensorProto& tensor) {
      return dropped_.contains(tensor.name()) && !uses_.IsRead(tensor.name()) && !inputs.contains(tensor.name());
    });
    tensors.erase(end, tensors.end());
  }

  /// Begins with the last node: what only removed nodes read is removed, too.
  void RemoveUnread(NodeList* nodes) {
    std::vector<NodeProto*> before(static_cast<std::size_t>(nodes->size()));
    nodes->UnsafeArenaExtractSubrange(0, nodes->size(), before.data());
    std::vector<NodeProto*> kept;
    for (auto node = before.rbegin(); node != before.rend(); ++node) {
      for (AttributeProto& attribute : *(*node)->mutable_attribute()) {
        if (attribute.has_g()) RemoveUnread(attribute.mutable_g());
      }
      if (IsUnreadConstant(**node)) {
        for (const std::string& input : (*node)->input()) uses_.Forget(input);
        dropped_.insert((*node)->input().begin(), (*node)->input().end());
        removed_.push_back(*node);
      } else {
        kept.push_back(*node);
      }
    }
    for (auto node = kept.rbegin(); node != kept.rend(); ++node) nodes->UnsafeArenaAddAllocated(*node);
  }

  [[nodiscard]] bool IsUnreadConstant(const NodeProto& node) const {
    return (node.op_type() == "Constant" || node.op_type() == "Cast") && node.output_size() == 1 &&
           NodeDomain(node.domain()).empty() && dropped_.contains(node.output(0)) && !uses_.IsRead(node.output(0));
  }

  ModelProto* model_;
  std::string_view domain_;
  int target_;
  const SourceMap* places_;
  bool up_ = true;
  bool only_looks_ = false;
  int from_ = 0;
  int version_ = 0;
  const Omissions* in_ = nullptr;  // of the function whose nodes are converted; null in graphs
  std::unordered_map<const onnx::FunctionProto*, Omissions> omissions_;
  std::set<std::string> local_;  // the functions of the model in the domain
  Uses uses_;
  Inference types_;
  bool types_are_old_ = true;
  std::unordered_map<const NodeProto*, std::shared_ptr<const Origin>> origins_;
  std::set<int> refused_;
  OwnedNameSet looked_;  // operators that have another meaning
  std::multimap<int, Diagnostic> told_;
  std::set<std::string> dropped_;
  std::set<std::string> other_sizes_;
  std::vector<NodeProto*> removed_;  // inference refers to them
  Conversion result_;
};

}  // namespace

Diagnostics FindOtherMeanings(ModelProto* model, std::string_view domain, std::int64_t version,
                              const SourceMap* places) {
  const std::int64_t known = std::clamp<std::int64_t>(version, 0, NewestVersion(FindDomain(NodeDomain(domain))));
  return Converter(model, NodeDomain(domain), known, places).Look();
}

Conversion Convert(ModelProto* model, std::string_view domain, std::int64_t version, const SourceMap* places) {
  return Converter(model, NodeDomain(domain), version, places).Run();
}

}  // namespace onnxc::convert
