#include <fmt/format.h>
#include <onnxc/infer.h>
#include <onnxc/remove.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "edit/keep.h"
#include "edit/known_names.h"
#include "edit/names.h"
#include "edit/new_errors.h"
#include "edit/rename_plan.h"
#include "source/message_cast.h"
#include "source/message_path.h"
#include "source/names.h"
#include "source/nodes.h"
#include "source/report.h"
#include "source/source_maps.h"
#include "tables/signatures.h"
#include "wire/nesting.h"

namespace onnxc {
namespace {

using edit::kNoName;
using edit::NameId;
using edit::NameSite;
using google::protobuf::Message;
using google::protobuf::RepeatedPtrField;
using onnx::FunctionProto;
using onnx::GraphProto;
using onnx::ModelProto;
using onnx::NodeProto;

/// Returns whether values of these types are certainly not of one type.
bool CertainlyDiffer(const ValueType& a, const ValueType& b) {
  if (a.kind == ValueType::Kind::kUnknown || b.kind == ValueType::Kind::kUnknown) return false;
  if (a.kind != b.kind) return true;
  if (a.element_type != 0 && b.element_type != 0 && a.element_type != b.element_type) return true;
  if (a.element != nullptr && b.element != nullptr && CertainlyDiffer(*a.element, *b.element)) return true;
  if (!a.has_rank || !b.has_rank) return false;
  const auto contradicts = [](const Dimension& one, const Dimension& other) { return one.Contradicts(other); };
  return a.rank() != b.rank() || !std::ranges::equal(a.shape, b.shape, std::not_fn(contradicts));
}

/// Returns the operator as options and texts write it: with its domain.
std::string OperatorName(const NodeProto& node) {
  const std::string_view domain = NodeDomain(node.domain());
  return domain.empty() ? node.op_type() : fmt::format("{}.{}", domain, node.op_type());
}

std::string Label(const NodeProto& node) {
  return node.name().empty() ? fmt::format("the {} node", Quoted(node.op_type()))
                             : fmt::format("the node '{}'", Quoted(node.name()));
}

template <typename Visit>
void ForEachGraphIn(NodeProto* node, const Visit& visit) {
  for (onnx::AttributeProto& attribute : *node->mutable_attribute()) {
    if (attribute.has_g()) visit(attribute.mutable_g());
    for (GraphProto& graph : *attribute.mutable_graphs()) visit(&graph);
  }
}

class NodeRemoval {
 public:
  NodeRemoval(ModelProto* model, const RemoveOptions& options, RemovedNodes* removed)
      : model_(model), options_(options), removed_(*removed), names_(*model), inference_(InferTypes(*model)) {}

  Diagnostics Run() {
    edit::ErrorsBefore before(*model_, options_.source_map);
    ReadSites();
    Select();
    for (Removal& removal : removals_) Choose(&removal);
    if (found_.ok()) NameOutputs();
    if (found_.ok()) Apply();
    if (found_.ok()) found_.Append(before.NewIn(*model_, "the model without the nodes would be wrong"));
    return std::move(found_);
  }

 private:
  struct Removal {
    NodeProto* node;
    NameId scope;
    NameId output = kNoName;  ///< the value that is read; kNoName if none is
    NameId input = kNoName;   ///< what its readers get
    bool stays = false;       ///< as an Identity
  };
  /// How the model uses a value, except where it is computed.
  struct Uses {
    std::vector<const Message*> declarations = {};  ///< value_info and quantization annotations
    bool is_output = false;
    bool is_read = false;
  };

  // ---- what the model says

  static auto* NodesOf(const Message& scope) {
    auto* const message = const_cast<Message*>(&scope);
    if (MessageCast<FunctionProto>(scope) != nullptr) return static_cast<FunctionProto*>(message)->mutable_node();
    return static_cast<GraphProto*>(message)->mutable_node();
  }

  void ReadSites() {
    std::set<const Message*> outputs;
    std::set<const Message*> declared;
    for (const edit::NameScope& scope : names_.scopes()) {
      if (const auto* const graph = MessageCast<GraphProto>(*scope.message)) {
        for (const auto& output : graph->output()) outputs.insert(&output);
        for (const auto& value : graph->value_info()) declared.insert(&value);
      } else {
        const auto& function = static_cast<const FunctionProto&>(*scope.message);
        for (const auto& value : function.value_info()) declared.insert(&value);
      }
    }
    uses_.resize(names_.entities().size());
    for (const NameSite& site : names_.sites()) {
      if (site.entity == kNoName || names_.entities()[site.entity].kind != edit::EntityKind::kValue) continue;
      Uses& uses = uses_[site.entity];
      const auto* const type = site.message->GetDescriptor();
      const int field = site.field->number();
      if (declared.contains(site.message) || type == onnx::TensorAnnotation::descriptor()) {
        uses.declarations.push_back(site.message);
      } else if (outputs.contains(site.message) ||
                 (type == FunctionProto::descriptor() && field == FunctionProto::kOutputFieldNumber)) {
        uses.is_output = true;
      } else if (type == NodeProto::descriptor()) {
        uses.is_read |= field == NodeProto::kInputFieldNumber;
      } else {  // a sharding specification names a value that its node reads or computes
        uses.is_read |=
            type == onnx::AttributeProto::descriptor() || type == onnx::StringStringEntryProto::descriptor();
      }
    }
  }

  /// Returns the value that a name means in a scope, or kNoName.
  [[nodiscard]] NameId ValueOf(NameId scope, std::string_view name) const {
    for (; scope != kNoName; scope = names_.scopes()[scope].parent) {
      const NameId value = names_.Find(edit::EntityKind::kValue, scope, name);
      if (value != kNoName && names_.entities()[value].is_defined) return value;
    }
    return kNoName;
  }

  [[nodiscard]] std::string_view NameOf(NameId value) const { return names_.entities()[value].name; }

  [[nodiscard]] const ValueType* TypeOf(NameId value) {
    const edit::Entity& entity = names_.entities()[value];
    const auto [types, is_new] = types_.try_emplace(entity.owner);
    if (is_new) {
      for (const InferredValue& each : inference_.ValuesOf(*names_.scopes()[entity.owner].message)) {
        types->second.insert_or_assign(each.name, &each.type);
      }
    }
    const auto found = types->second.find(entity.name);
    return found == types->second.end() ? nullptr : found->second;
  }

  [[nodiscard]] bool AreOfOtherTypes(NameId a, NameId b) {
    const ValueType* const one = TypeOf(a);
    const ValueType* const other = TypeOf(b);
    return one != nullptr && other != nullptr && CertainlyDiffer(*one, *other);
  }

  // ---- the nodes to remove

  void Locate(const Message& message, Diagnostic* diagnostic) const {
    const SourceRange* const range = options_.source_map == nullptr ? nullptr : options_.source_map->Find(message);
    if (range != nullptr) {
      diagnostic->range = *range;
    } else {
      diagnostic->path = edit::PathTo({message}, Place{*model_});
    }
  }

  void Refuse(DiagnosticKind kind, const NodeProto& node, std::string_view why) {
    Diagnostic diagnostic =
        MakeDiagnostic(kind, Severity::kError, kNowhere, fmt::format("{} cannot be removed: {}", Label(node), why));
    Locate(node, &diagnostic);
    found_.Add(std::move(diagnostic));
  }

  void Select() {
    NameMap<std::vector<Removal>> by_name;
    NameMap<std::vector<Removal>> by_output;
    std::map<std::string, std::vector<Removal>, std::less<>> by_operator;
    for (NameId scope = 0; scope < names_.scopes().size(); ++scope) {
      for (NodeProto& node : *NodesOf(*names_.scopes()[scope].message)) {
        const Removal removal{.node = &node, .scope = scope};
        if (!node.name().empty()) by_name[node.name()].push_back(removal);
        for (const std::string& output : node.output()) {
          if (!output.empty()) by_output[output].push_back(removal);
        }
        if (!options_.operators.empty()) by_operator[OperatorName(node)].push_back(removal);
      }
    }
    std::vector<std::string_view> missing;
    for (const std::string& name : options_.nodes) {
      auto found = by_name.find(name);
      if (found == by_name.end() && (found = by_output.find(name)) == by_output.end()) {
        missing.push_back(name);
      } else if (found->second.size() > 1) {
        ReportSeveral(name, found->second);
      } else {
        Add(found->second[0]);
      }
    }
    std::vector<std::string_view> known;
    for (const auto& [name, nodes] : by_name) known.push_back(name);
    for (const auto& [name, nodes] : by_output) known.push_back(name);
    found_.Append(edit::MissingNames("node", missing, std::move(known)));
    missing.clear();
    known.clear();
    for (const std::string& name : options_.operators) {
      const auto found = by_operator.find(name.starts_with("ai.onnx.") && !by_operator.contains(name)
                                              ? name.substr(std::string_view("ai.onnx.").size())
                                              : name);
      if (found == by_operator.end()) {
        missing.push_back(name);
      } else {
        for (const Removal& removal : found->second) Add(removal);
      }
    }
    for (const auto& [name, nodes] : by_operator) known.push_back(name);
    found_.Append(edit::MissingNames("node of the operator", missing, std::move(known)));
  }

  void Add(const Removal& removal) {
    if (selected_.insert(removal.node).second) removals_.push_back(removal);
  }

  void ReportSeveral(std::string_view name, const std::vector<Removal>& nodes) {
    Diagnostic diagnostic =
        MakeDiagnostic(DiagnosticKind::kDuplicateName, Severity::kError, kNowhere,
                       fmt::format("{} nodes are named '{}'; name the one that is meant by one of its outputs",
                                   nodes.size(), Quoted(name)));
    Locate(*nodes[1].node, &diagnostic);
    found_.Add(std::move(diagnostic));
  }

  // ---- what the readers of a node get

  void Choose(Removal* removal) {
    const NodeProto& node = *removal->node;
    for (const std::string& name : node.output()) {
      const NameId output = names_.Find(edit::EntityKind::kValue, removal->scope, name);
      if (name.empty() || output == kNoName || !(uses_[output].is_output || uses_[output].is_read)) continue;
      if (removal->output != kNoName && removal->output != output) {
        return Refuse(DiagnosticKind::kFieldValue, node,
                      fmt::format("several of its outputs are read, '{}' and '{}'", Quoted(NameOf(removal->output)),
                                  Quoted(name)));
      }
      removal->output = output;
    }
    if (removal->output == kNoName) return;
    const std::vector<NameId> inputs = options_.with.empty() ? Candidates(*removal) : With(removal->scope);
    if (inputs.size() != 1) {
      if (!options_.with.empty()) {
        return Refuse(DiagnosticKind::kUnknownName, node,
                      fmt::format("no value named '{}' is visible there", Quoted(options_.with)));
      }
      return Refuse(DiagnosticKind::kFieldValue, node,
                    inputs.empty() ? "it has no input that its readers can get; the option 'with' names another value"
                                   : fmt::format("its readers could get '{}' or '{}'; the option 'with' says which",
                                                 Quoted(NameOf(inputs[0])), Quoted(NameOf(inputs[1]))));
    }
    removal->input = inputs[0];
    if (AreOfOtherTypes(removal->input, removal->output)) {
      return Refuse(DiagnosticKind::kOperandTypesDiffer, node,
                    fmt::format("its output '{}' is {}, but '{}', which would replace it, is {}",
                                Quoted(NameOf(removal->output)), ToString(*TypeOf(removal->output)),
                                Quoted(NameOf(removal->input)), ToString(*TypeOf(removal->input))));
    }
    replaced_.emplace(removal->output, removal->input);
  }

  [[nodiscard]] std::vector<NameId> With(NameId scope) const {
    const NameId value = ValueOf(scope, options_.with);
    return value == kNoName ? std::vector<NameId>() : std::vector<NameId>{value};
  }

  /// Returns the inputs that the readers may get: the only one, or those that may have the type of the output.
  [[nodiscard]] std::vector<NameId> Candidates(const Removal& removal) {
    std::vector<std::pair<NameId, int>> inputs;  // each value once, with its position
    for (int i = 0; i < removal.node->input_size(); ++i) {
      const NameId input = removal.node->input(i).empty() ? kNoName : ValueOf(removal.scope, removal.node->input(i));
      const auto is_same = [&](const auto& other) { return other.first == input; };
      if (input != kNoName && std::ranges::none_of(inputs, is_same)) inputs.emplace_back(input, i);
    }
    if (inputs.size() > 1) {
      std::erase_if(inputs, [&](const auto& input) {
        return !MayHaveTypeOfOutput(*removal.node, input.second) || AreOfOtherTypes(input.first, removal.output);
      });
    }
    std::vector<NameId> values;
    for (const auto& [input, position] : inputs) values.push_back(input);
    return values;
  }

  /// Returns whether the operator's signature gives the input and the first output the same type variable.
  static bool MayHaveTypeOfOutput(const NodeProto& node, int input) {
    const auto versions = FindVersions(FindDomain(NodeDomain(node.domain())), node.op_type());
    if (versions.empty()) return true;
    const auto inputs = Inputs(versions.back());
    const auto outputs = Outputs(versions.back());
    if (inputs.empty() || outputs.empty()) return true;
    const auto position = std::min(static_cast<std::size_t>(input), inputs.size() - 1);
    return inputs[position].variable == outputs[0].variable;
  }

  /// Returns the value that replaces `value` in the end; the value itself if it stays. Later calls find it at once.
  [[nodiscard]] NameId Final(NameId value) {
    NameId last = value;
    std::size_t steps = 0;  // nodes may form a cycle
    for (auto next = replaced_.find(last); next != replaced_.end() && next->second != last && steps <= replaced_.size();
         ++steps) {
      last = next->second;
      next = replaced_.find(last);
    }
    while (value != last) value = std::exchange(replaced_.find(value)->second, last);
    return last;
  }

  // ---- outputs of graphs and functions

  void NameOutputs() {
    for (Removal& removal : removals_) {
      if (removal.output == kNoName) continue;
      const NameId value = Final(removal.input);
      const NodeProto* const giver = GiverOf(value);
      if (giver != nullptr && selected_.contains(giver) && !stays_.contains(giver)) {
        Refuse(DiagnosticKind::kFieldValue, *removal.node,
               fmt::format("'{}', which would replace its output, is computed by a node that is removed",
                           Quoted(NameOf(value))));
        continue;
      }
      if (!uses_[removal.output].is_output) continue;
      const bool is_here = names_.entities()[value].owner == names_.entities()[removal.output].owner;
      if (is_here && giver != nullptr && !selected_.contains(giver) && !uses_[value].is_output &&
          new_names_.try_emplace(value, NameOf(removal.output)).second) {
        renamed_.insert(removal.output);
        continue;
      }
      replaced_.erase(removal.output);
      removal.input = value;
      removal.stays = true;
      stays_.insert(removal.node);
      if (!HasStandardOperators(removal.scope)) {
        Refuse(DiagnosticKind::kOpsetVersionMissing, *removal.node,
               fmt::format("an Identity must compute '{}', but the standard operators are not imported",
                           Quoted(NameOf(removal.output))));
      }
    }
  }

  [[nodiscard]] const NodeProto* GiverOf(NameId value) const {
    const edit::Entity& entity = names_.entities()[value];
    return entity.is_defined ? MessageCast<NodeProto>(*names_.sites()[entity.site].message) : nullptr;
  }

  [[nodiscard]] bool HasStandardOperators(NameId scope) const {
    while (names_.scopes()[scope].parent != kNoName) scope = names_.scopes()[scope].parent;
    const auto* const function = MessageCast<FunctionProto>(*names_.scopes()[scope].message);
    const auto& imports = function == nullptr ? model_->opset_import() : function->opset_import();
    return model_->ir_version() < 3 ||
           std::ranges::any_of(imports, [](const auto& each) { return NodeDomain(each.domain()).empty(); });
  }

  // ---- the change

  [[nodiscard]] std::string FinalName(NameId value) const {
    const auto renamed = new_names_.find(value);
    return renamed == new_names_.end() ? std::string(NameOf(value)) : renamed->second;
  }

  void Apply() {
    std::set<const Message*> gone;  // declarations of values that are no more
    edit::NewNames new_names = new_names_;
    for (const auto& [output, input] : replaced_) {
      if (!renamed_.contains(output)) new_names.emplace(output, FinalName(Final(output)));
    }
    for (const auto& [value, name] : new_names_) DropTypes(value, &gone);
    for (const Removal& removal : removals_) {
      for (const std::string& name : removal.node->output()) {
        const NameId output = names_.Find(edit::EntityKind::kValue, removal.scope, name);
        if (output == kNoName || (removal.stays && output == removal.output)) continue;
        gone.insert(uses_[output].declarations.begin(), uses_[output].declarations.end());
      }
      if (removal.stays) {
        identities_.try_emplace(removal.node, FinalName(removal.input), NameOf(removal.output));
      }
    }
    ExpectMeanings(new_names);
    edit::Rename(names_, new_names);
    for (const edit::NameScope& scope : names_.scopes()) DropDeclarations(gone, const_cast<Message*>(scope.message));
    RemoveFromModel();
    removed_ = {.removed = std::ssize(removals_) - std::ssize(identities_), .kept = std::ssize(identities_)};
    CheckMeanings();
  }

  /// The output of a graph has a type; so the declared type of the value that gets its name goes.
  void DropTypes(NameId value, std::set<const Message*>* gone) const {
    if (MessageCast<GraphProto>(*names_.scopes()[names_.entities()[value].owner].message) == nullptr) return;
    for (const Message* const declaration : uses_[value].declarations) {
      if (MessageCast<onnx::ValueInfoProto>(*declaration) != nullptr) gone->insert(declaration);
    }
  }

  static void MakeIdentity(const std::string& input, const std::string& output, NodeProto* node) {
    if (OperatorName(*node) == "Identity") {
      node->set_input(0, input);
      return;
    }
    NodeProto identity;
    identity.add_input(input);
    identity.add_output(output);
    if (node->has_name()) identity.set_name(node->name());
    identity.set_op_type("Identity");
    *node = std::move(identity);
  }

  static void DropDeclarations(const std::set<const Message*>& gone, Message* scope) {
    const auto stays = [&](const auto& each, int) { return !gone.contains(&each); };
    if (MessageCast<FunctionProto>(*scope) != nullptr) {
      return edit::Keep(static_cast<FunctionProto*>(scope)->mutable_value_info(), stays);
    }
    auto* const graph = static_cast<GraphProto*>(scope);
    edit::Keep(graph->mutable_value_info(), stays);
    edit::Keep(graph->mutable_quantization_annotation(), stays);
  }

  void RemoveFromModel() {
    if (model_->has_graph()) RemoveFrom(model_->mutable_graph());
    for (onnx::TrainingInfoProto& training : *model_->mutable_training_info()) {
      if (training.has_initialization()) RemoveFrom(training.mutable_initialization());
      if (training.has_algorithm()) RemoveFrom(training.mutable_algorithm());
    }
    for (FunctionProto& function : *model_->mutable_functions()) {
      for (onnx::AttributeProto& attribute : *function.mutable_attribute_proto()) {
        if (attribute.has_g()) RemoveFrom(attribute.mutable_g());
        for (GraphProto& graph : *attribute.mutable_graphs()) RemoveFrom(&graph);
      }
      RemoveFrom(&function);
    }
  }

  template <typename Graph>
  void RemoveFrom(Graph* graph) const {
    edit::Keep(graph->mutable_node(),
               [&](const NodeProto& node, int) { return !selected_.contains(&node) || identities_.contains(&node); });
    for (NodeProto& node : *graph->mutable_node()) {
      const auto identity = identities_.find(&node);
      if (identity != identities_.end()) {
        MakeIdentity(identity->second.first, identity->second.second, &node);
      } else {
        ForEachGraphIn(&node, [&](GraphProto* inner) { RemoveFrom(inner); });
      }
    }
  }

  // ---- the result

  using SiteKey = std::tuple<const Message*, int, int>;
  static SiteKey KeyOf(const NameSite& site) { return {site.message, site.field->number(), site.index}; }

  [[nodiscard]] static const Message* DefinitionOf(const edit::Names& names, NameId value) {
    const edit::Entity& entity = names.entities()[value];
    return entity.is_defined ? names.sites()[entity.site].message : nullptr;
  }

  /// Notes what each changed name should mean: a graph inside may have another value of the new name.
  void ExpectMeanings(const edit::NewNames& new_names) {
    for (const NameSite& site : names_.sites()) {
      if (site.entity == kNoName || !(new_names.contains(site.entity) || renamed_.contains(site.entity))) continue;
      meant_.emplace(KeyOf(site), DefinitionOf(names_, Final(site.entity)));
    }
  }

  void CheckMeanings() {
    const edit::Names names(*model_);
    for (const NameSite& site : names.sites()) {
      const auto found = meant_.find(KeyOf(site));
      if (found == meant_.end() || site.entity == kNoName) continue;
      if (DefinitionOf(names, site.entity) == found->second) continue;
      const std::string name(names.entities()[site.entity].name);
      Diagnostic diagnostic = MakeDiagnostic(
          DiagnosticKind::kDuplicateName, Severity::kError, kNowhere,
          fmt::format("after the removal, '{}' would mean another value here; rename one of them", Quoted(name)));
      Locate(*site.message, &diagnostic);
      found_.Add(std::move(diagnostic));
      return;
    }
  }

  ModelProto* model_;
  const RemoveOptions& options_;
  RemovedNodes& removed_;
  const edit::Names names_;
  const Inference inference_;
  Diagnostics found_;
  std::vector<Uses> uses_;                             // by value
  std::map<NameId, NameMap<const ValueType*>> types_;  // by scope
  std::vector<Removal> removals_;
  std::set<const NodeProto*> selected_;  // the nodes of `removals_`
  std::map<NameId, NameId> replaced_;    // values that are no more, and what their readers get
  edit::NewNames new_names_;             // of values that become outputs of graphs
  std::set<NameId> renamed_;             // the values whose names these were
  std::set<const NodeProto*> stays_;     // the nodes that stay as an Identity
  std::map<const NodeProto*, std::pair<std::string, std::string>> identities_;  // input and output of those that stay
  std::map<SiteKey, const Message*> meant_;  // what computes the value that a name should mean
};

}  // namespace

Diagnostics RemoveNodes(ModelProto* model, const RemoveOptions& options, RemovedNodes* removed) {
  if (IsOfOther(options.source_map, *model)) {
    return Only(MakeDiagnostic(diag::kOtherMessage, kNowhere, "the source map"));
  }
  Diagnostics found = wire::CheckNesting(*model);
  if (!found.ok()) return found;
  RemovedNodes unasked;
  found.Append(NodeRemoval(model, options, removed == nullptr ? &unasked : removed).Run());
  return found;
}

}  // namespace onnxc
