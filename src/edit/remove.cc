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
#include "edit/named_nodes.h"
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
      : model_(model),
        options_(options),
        removed_(*removed),
        names_(*model),
        inference_(InferTypes(*model)),
        found_(*model, options.source_map) {}

  Diagnostics Run() {
    edit::ErrorsBefore before(*model_, options_.source_map);
    ReadSites();
    for (const edit::NamedNode& each : edit::FindNodes(*model_, names_, options_.nodes, options_.operators, &found_)) {
      removals_.push_back({.node = each.node, .scope = each.scope});
      selected_.insert(each.node);
    }
    for (Removal& removal : removals_) Choose(&removal);
    if (found_.ok()) NameOutputs();
    if (found_.ok()) Apply();
    if (found_.ok()) found_.Append(before.NewIn(*model_, "the model without the nodes would be wrong"));
    return found_.Take();
  }

 private:
  struct Removal {
    NodeProto* node;
    NameId scope;
    NameId output = kNoName;  ///< the value that is read; kNoName if none is
    int position = 0;         ///< of this output
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

  // ---- what the readers of a node get

  void Refuse(DiagnosticKind kind, const NodeProto& node, std::string_view why) {
    found_.Add(kind, node, fmt::format("{} cannot be removed: {}", Label(node), why));
  }

  void Choose(Removal* removal) {
    const NodeProto& node = *removal->node;
    for (int i = 0; i < node.output_size(); ++i) {
      const std::string& name = node.output(i);
      const NameId output = names_.Find(edit::EntityKind::kValue, removal->scope, name);
      if (name.empty() || output == kNoName || !(uses_[output].is_output || uses_[output].is_read)) continue;
      if (removal->output != kNoName && removal->output != output) {
        return Refuse(DiagnosticKind::kFieldValue, node,
                      fmt::format("several of its outputs are read, '{}' and '{}'", Quoted(NameOf(removal->output)),
                                  Quoted(name)));
      }
      removal->output = output;
      removal->position = i;
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

  /// Returns the inputs that the readers may get: those that may have the type of the output.
  [[nodiscard]] std::vector<NameId> Candidates(const Removal& removal) {
    std::vector<std::pair<NameId, int>> inputs;  // each value once, with its position
    std::set<NameId> seen;
    for (int i = 0; i < removal.node->input_size(); ++i) {
      const NameId input = removal.node->input(i).empty() ? kNoName : ValueOf(removal.scope, removal.node->input(i));
      if (input != kNoName && seen.insert(input).second) inputs.emplace_back(input, i);
    }
    const bool is_only = inputs.size() == 1;
    std::erase_if(inputs, [&](const auto& input) {
      if (is_only)
        return !AreOfKnownTypes(input.first, removal.output) && !MayHaveTypeOfOutput(removal, input.second, true);
      return !MayHaveTypeOfOutput(removal, input.second, false) || AreOfOtherTypes(input.first, removal.output);
    });
    std::vector<NameId> values;
    for (const auto& [input, position] : inputs) values.push_back(input);
    return values;
  }

  [[nodiscard]] bool AreOfKnownTypes(NameId a, NameId b) {
    const ValueType* const one = TypeOf(a);
    const ValueType* const other = TypeOf(b);
    return one != nullptr && other != nullptr && one->kind != ValueType::Kind::kUnknown &&
           other->kind != ValueType::Kind::kUnknown;
  }

  /// Returns whether the operator's signature gives the input and the output the same type variable; with `same_types`,
  /// variables of the same types are enough, as those of Cast.
  [[nodiscard]] bool MayHaveTypeOfOutput(const Removal& removal, int input, bool same_types) {
    const Operator* const op = SignatureOf(removal);
    if (op == nullptr) return true;
    const auto inputs = Inputs(*op);
    const auto outputs = Outputs(*op);
    if (inputs.empty() || outputs.empty()) return true;
    const Parameter& in = inputs[std::min(static_cast<std::size_t>(input), inputs.size() - 1)];
    const Parameter& out = outputs[std::min(static_cast<std::size_t>(removal.position), outputs.size() - 1)];
    return in.variable == out.variable || (same_types && in.types == out.types);
  }

  /// Returns the signature in the imported version; null if the operator is unknown.
  [[nodiscard]] const Operator* SignatureOf(const Removal& removal) {
    const std::string_view domain = NodeDomain(removal.node->domain());
    const auto versions = FindVersions(FindDomain(domain), removal.node->op_type());
    if (versions.empty()) return nullptr;
    const NameMap<std::int64_t>& imports = ImportsOf(removal.scope);
    const auto import = imports.find(domain);
    const Operator* op = nullptr;
    for (const Operator& version : versions) {
      if (op == nullptr || import == imports.end() || version.since <= import->second) op = &version;
    }
    return op;
  }

  /// Returns the value that replaces `value` in the end; the value itself if it stays. Later calls find it at once.
  [[nodiscard]] NameId Final(NameId value) {
    std::vector<NameId> passed;
    for (auto next = replaced_.find(value); next != replaced_.end() && next->second != value;
         next = replaced_.find(value)) {
      passed.push_back(value);
      value = std::exchange(next->second, value);  // so that a cycle ends where it began
    }
    for (const NameId each : passed) replaced_.find(each)->second = value;
    return value;
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
        renamed_.emplace(removal.output, value);
        replaced_.find(removal.output)->second = value;  // also if a value between them stays
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

  [[nodiscard]] bool HasStandardOperators(NameId scope) {
    return model_->ir_version() < 3 || ImportsOf(scope).contains("");
  }

  /// Returns the versions of the domains that the model, or the function around the scope, imports.
  [[nodiscard]] const NameMap<std::int64_t>& ImportsOf(NameId scope) {
    while (names_.scopes()[scope].parent != kNoName) scope = names_.scopes()[scope].parent;
    const auto* const function = MessageCast<FunctionProto>(*names_.scopes()[scope].message);
    const auto [imports, is_new] = imports_.try_emplace(function);
    if (is_new) {
      for (const auto& each : function == nullptr ? model_->opset_import() : function->opset_import()) {
        imports->second.insert_or_assign(NodeDomain(each.domain()), each.version());
      }
    }
    return imports->second;
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
    for (const auto& [output, value] : renamed_) DropDeclarationsFor(output, value, &gone);
    for (const Removal& removal : removals_) {
      for (const std::string& name : removal.node->output()) {
        const NameId output = names_.Find(edit::EntityKind::kValue, removal.scope, name);
        if (output == kNoName || (removal.stays && output == removal.output) || renamed_.contains(output)) continue;
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

  /// The declarations of an output stay when another value gets its name, and those of this value that say the same
  /// go. So does its declared type in a graph, because an output has a type of its own.
  void DropDeclarationsFor(NameId output, NameId value, std::set<const Message*>* gone) const {
    const bool is_in_graph =
        MessageCast<GraphProto>(*names_.scopes()[names_.entities()[output].owner].message) != nullptr;
    std::set<const google::protobuf::Descriptor*> kept;
    for (const Message* const declaration : uses_[output].declarations) kept.insert(declaration->GetDescriptor());
    for (const Message* const declaration : uses_[value].declarations) {
      const bool is_type = MessageCast<onnx::ValueInfoProto>(*declaration) != nullptr;
      if ((is_type && is_in_graph) || kept.contains(declaration->GetDescriptor())) gone->insert(declaration);
    }
  }

  /// Makes the node an Identity. What does not depend on the operator stays: its name, documentation, metadata and
  /// devices.
  static void MakeIdentity(const std::string& input, const std::string& output, NodeProto* node) {
    if (edit::OperatorName(*node) == "Identity") {
      node->set_input(0, input);
      return;
    }
    node->clear_input();
    node->add_input(input);
    node->clear_output();
    node->add_output(output);
    node->set_op_type("Identity");
    node->clear_domain();
    node->clear_overload();
    node->clear_attribute();
    for (auto& device : *node->mutable_device_configurations()) {
      edit::Keep(device.mutable_sharding_spec(), [&](const onnx::ShardingSpecProto& spec, int) {
        return spec.tensor_name() == input || spec.tensor_name() == output;
      });
    }
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

  void Locate(const Message& message, Diagnostic* diagnostic) const {
    const SourceRange* const range = options_.source_map == nullptr ? nullptr : options_.source_map->Find(message);
    if (range != nullptr) {
      diagnostic->range = *range;
    } else {
      diagnostic->path = edit::PathTo({message}, Place{*model_});
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
      Diagnostics changed;
      changed.Add(std::move(diagnostic));
      return found_.Append(std::move(changed));
    }
  }

  ModelProto* model_;
  const RemoveOptions& options_;
  RemovedNodes& removed_;
  const edit::Names names_;
  const Inference inference_;
  edit::NodeFindings found_;
  std::vector<Uses> uses_;                             // by value
  std::map<NameId, NameMap<const ValueType*>> types_;  // by scope
  std::vector<Removal> removals_;
  std::set<const NodeProto*> selected_;  // the nodes of `removals_`
  std::map<NameId, NameId> replaced_;    // values that are no more, and what their readers get
  edit::NewNames new_names_;             // of values that become outputs of graphs
  std::map<NameId, NameId> renamed_;     // the values whose names these were, and those that get them
  std::map<const FunctionProto*, NameMap<std::int64_t>> imports_;
  std::set<const NodeProto*> stays_;                                            // the nodes that stay as an Identity
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
