#include <fmt/format.h>
#include <onnxc/inline.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "check/context.h"
#include "check/functions.h"
#include "edit/copies.h"
#include "edit/graph.h"
#include "edit/keep.h"
#include "edit/known_names.h"
#include "edit/true_types.h"
#include "source/called_function.h"
#include "source/message_path.h"
#include "source/nodes.h"
#include "source/placed_nodes.h"
#include "source/report.h"
#include "source/source_maps.h"
#include "tables/signatures.h"

namespace onnxc {
namespace {

using edit::Call;
using edit::Keep;
using onnx::AttributeProto;
using onnx::FunctionProto;
using onnx::GraphProto;
using onnx::ModelProto;
using onnx::NodeProto;
using NodeList = google::protobuf::RepeatedPtrField<NodeProto>;
using Opsets = google::protobuf::RepeatedPtrField<onnx::OperatorSetIdProto>;
using Values = google::protobuf::RepeatedPtrField<onnx::ValueInfoProto>;

constexpr std::size_t kDeepestCall = 100;  // as in the checker

/// The bytes that copies may need: enough for any model that people make. Without a limit, thirty functions that call
/// each other twice would become a billion nodes.
constexpr std::size_t kSomeBytes = std::size_t{32} << 20;
constexpr std::size_t kBytesForEachByte = 64;
constexpr std::size_t kMostBytes = std::size_t{1} << 31;  // more do not fit a protobuf file
constexpr std::size_t kBytesOfCall = 64;

/// The graph or function whose calls are replaced.
struct Target {
  Opsets* opsets;
  const FunctionProto* function;  ///< that contains it; null if it is a part of the model's graphs
  const GraphProto* graph;        ///< null if it is a function
  Values* values;                 ///< its value_info
  std::optional<OwnedNameSet> declared = std::nullopt;  ///< the values that have declarations
};

class Inlining {
 public:
  Inlining(ModelProto* model, const InlineOptions& options) : model_(model), options_(options) {}

  ~Inlining() {
    for (NodeProto* const node : removed_) {
      if (node->GetArena() == nullptr) delete node;
    }
  }
  Inlining(const Inlining&) = delete;
  Inlining& operator=(const Inlining&) = delete;

  Diagnostics Run() {
    found_ = edit::CheckGraph(*model_);
    if (found_.ok()) Choose();
    if (!found_.ok() || std::ranges::find(is_chosen_, true) == is_chosen_.end()) return std::move(found_);
    ForEachPlacedNode(*model_, [&](const NodeProto& node, const Place& place) { FindPlace(node, place); });
    copies_.emplace(*model_, &left_);
    most_ = std::min(kMostBytes, kSomeBytes + kBytesForEachByte * model_->ByteSizeLong());
    left_ = most_;
    const edit::Declared authors = edit::DeclaredBy(model_);
    InlineModel();
    if (found_.ok()) CheckIdentities();
    if (found_.ok()) found_.Append(wire::CheckNesting(*model_));
    if (!found_.ok()) return std::move(found_);
    RemoveFunctions();
    edit::RemoveUntrueTypes(model_, declared_, authors);
    return std::move(found_);
  }

 private:
  /// Where a call is in the model, and what was already reported about it.
  struct Origin {
    SourceRange range = kNowhere;
    std::string path = {};
    bool is_refused = false;
    bool is_warned = false;
  };

  // ---- the functions whose calls are replaced

  void Choose() {
    std::vector<std::string> known;
    for (const FunctionProto& function : model_->functions()) {
      table_.Add(function);
      known.push_back(function.domain() + (function.domain().empty() ? "" : ".") + function.name());
    }
    std::vector<std::string_view> missing;
    const auto find = [&](const std::vector<std::string>& names) {
      std::vector<bool> is_named(static_cast<std::size_t>(model_->functions_size()));
      for (const std::string& name : names) {
        bool is_known = false;
        for (int i = 0; i < model_->functions_size(); ++i) {
          if (!IsNamed(model_->functions(i), name)) continue;
          is_named[static_cast<std::size_t>(i)] = is_known = true;
        }
        if (!is_known) missing.push_back(name);
      }
      return is_named;
    };
    const std::vector<bool> is_listed = find(options_.functions);
    const std::vector<bool> is_excepted = find(options_.except);
    for (std::size_t i = 0; i < is_listed.size(); ++i) {
      is_chosen_.push_back((options_.functions.empty() || is_listed[i]) && !is_excepted[i]);
    }
    found_.Append(edit::MissingNames("function", missing, {known.begin(), known.end()}));
  }

  /// Returns the position of the function that the node calls if the call is replaced, otherwise -1.
  [[nodiscard]] int FindChosen(const NodeProto& node) const {
    const int position = table_.Find(node);
    return position >= 0 && is_chosen_[static_cast<std::size_t>(position)] ? position : -1;
  }

  // ---- findings

  void FindPlace(const NodeProto& node, const Place& place) {
    if (FindChosen(node) < 0) return;
    const SourceMap* const map = options_.source_map;
    const SourceRange* const range = map == nullptr ? nullptr : map->Find(node, NodeProto::kOpTypeFieldNumber);
    origins_.emplace(&node, range == nullptr ? Origin{.path = PathOf(place)} : Origin{.range = *range});
  }

  void Add(Diagnostic finding, const Origin& origin) {
    constexpr std::size_t kMost = 100;
    if (found_.items().size() >= kMost) return Suppress(finding.severity, &found_);
    finding.path = origin.path;
    found_.Add(std::move(finding));
  }

  void Refuse(const NodeProto& origin, const FunctionProto& function, std::string_view reason) {
    Origin& at = origins_.at(&origin);
    if (std::exchange(at.is_refused, true)) return;
    Add(MakeDiagnostic(diag::kCannotInline, at.range, check::ShownId(function), reason), at);
  }

  // ---- graphs

  void InlineModel() {
    Target target{.opsets = model_->mutable_opset_import(), .function = nullptr, .graph = nullptr, .values = nullptr};
    InlineGraph(model_->mutable_graph(), target, 0);
    for (onnx::TrainingInfoProto& training : *model_->mutable_training_info()) {
      if (training.has_initialization()) InlineGraph(training.mutable_initialization(), target, 0);
      if (training.has_algorithm()) InlineGraph(training.mutable_algorithm(), target, 0);
    }
    for (int i = 0; i < model_->functions_size(); ++i) {
      if (is_chosen_[static_cast<std::size_t>(i)]) continue;
      FunctionProto* const function = model_->mutable_functions(i);
      Target body{.opsets = function->mutable_opset_import(),
                  .function = function,
                  .graph = nullptr,
                  .values = function->mutable_value_info()};
      for (AttributeProto& attribute : *function->mutable_attribute_proto()) InlineAttribute(&attribute, body, 0);
      InlineNodes(function->mutable_node(), &body, 0);
    }
  }

  void InlineGraph(GraphProto* graph, const Target& around, std::size_t depth) {
    if (depth > edit::kDeepestGraph || is_over_) {
      if (!std::exchange(is_over_, true)) found_.Add(MakeDiagnostic(diag::kNestingTooDeep, kNowhere));
      return;
    }
    Target target{
        .opsets = around.opsets, .function = around.function, .graph = graph, .values = graph->mutable_value_info()};
    InlineNodes(graph->mutable_node(), &target, depth);
  }

  void InlineAttribute(AttributeProto* attribute, const Target& target, std::size_t depth) {
    if (attribute->has_g()) InlineGraph(attribute->mutable_g(), target, depth + 1);
    for (GraphProto& graph : *attribute->mutable_graphs()) InlineGraph(&graph, target, depth + 1);
  }

  void InlineInside(NodeProto* node, const Target& target, std::size_t depth) {
    for (AttributeProto& attribute : *node->mutable_attribute()) InlineAttribute(&attribute, target, depth);
  }

  void InlineNodes(NodeList* nodes, Target* target, std::size_t depth) {
    for (NodeProto& node : *nodes) InlineInside(&node, *target, depth);
    if (std::ranges::none_of(*nodes, [&](const NodeProto& node) { return FindChosen(node) >= 0; })) return;
    std::vector<NodeProto*> before(static_cast<std::size_t>(nodes->size()));
    nodes->UnsafeArenaExtractSubrange(0, nodes->size(), before.data());
    for (NodeProto* const node : before) {
      const int position = FindChosen(*node);
      if (position < 0) {
        nodes->UnsafeArenaAddAllocated(node);
      } else {
        removed_.push_back(node);
        Replace(*node, *copies_->OriginOf(node), position, target, depth, nodes);
      }
    }
  }

  // ---- a call

  /// Appends the nodes that replace a call. `origin` is the node of the model from which the call was copied.
  void Replace(const NodeProto& node, const NodeProto& origin, int position, Target* target, std::size_t depth,
               NodeList* nodes) {
    const FunctionProto& function = table_[position];
    if (is_over_ || !Pay(kBytesOfCall, origin, function)) return;
    if (std::string reason = ReasonAgainst(node, position, target); !reason.empty()) {
      return Refuse(origin, function, reason);
    }
    if (node.device_configurations_size() > 0 && !std::exchange(origins_.at(&origin).is_warned, true)) {
      const Origin& at = origins_.at(&origin);
      Add(MakeDiagnostic(diag::kOldDropped, at.range, "the device configuration of a call",
                         "it applies to the call as a whole"),
          at);
    }
    Call call = copies_->Bind(node, function);
    if (call.problem.empty() && !call.aliases.empty()) RequireIdentity(&call, target);
    if (!call.problem.empty()) return Refuse(origin, function, call.problem);
    active_.push_back(position);
    for (const NodeProto& each : function.node()) {
      const int callee = FindChosen(each);
      NodeProto inner;  // a call that is replaced, too
      NodeProto* const copy = callee < 0 ? nodes->Add() : &inner;
      copies_->Copy(each, copy, &call);
      if (!Pay(copy->ByteSizeLong(), origin, function)) break;
      InlineInside(copy, *target, depth);
      if (callee >= 0) Replace(inner, each, callee, target, depth, nodes);
    }
    edit::Copies::AddAliases(call, nodes);
    for (const auto& alias : call.aliases) {
      identities_.try_emplace(alias.first, edit::AddedIdentity{&origin, &function, ImportsOf(target->opsets).at("")});
    }
    if (!is_over_) Declare(&call, target, origin);
    active_.pop_back();
    if (!call.problem.empty()) Refuse(origin, function, call.problem);
  }

  bool Pay(std::size_t bytes, const NodeProto& origin, const FunctionProto& function) {
    if (bytes > left_ && !std::exchange(is_over_, true)) {
      Refuse(origin, function, fmt::format("the nodes of all calls would need more than {} bytes", most_));
    }
    left_ -= std::min(left_, bytes);
    return !is_over_;
  }

  /// Returns why the call cannot be replaced, or "".
  [[nodiscard]] std::string ReasonAgainst(const NodeProto& node, int position, Target* target) {
    const FunctionProto& function = table_[position];
    if (std::ranges::find(active_, position) != active_.end()) return "the function calls itself";
    if (active_.size() >= kDeepestCall) return fmt::format("calls are nested more than {} levels deep", kDeepestCall);
    if (node.input_size() > function.input_size()) return "it has more inputs than the function";
    if (node.output_size() > function.output_size()) return "it has more outputs than the function";
    for (const AttributeProto& attribute : node.attribute()) {
      const bool is_certain =
          attribute.ref_attr_name().empty() || HasDefault(target->function, attribute.ref_attr_name());
      if (is_certain || !HasDefault(&function, attribute.name())) continue;
      return fmt::format("if the attribute '{}' of the function around it is omitted, '{}' has its default value",
                         Quoted(attribute.ref_attr_name()), Quoted(attribute.name()));
    }
    const auto [conflict, is_new] = conflicts_.try_emplace({position, target->opsets});
    if (is_new) conflict->second = ConflictWith(function, target);
    return conflict->second;
  }

  bool HasDefault(const FunctionProto* function, std::string_view attribute) {
    return function == nullptr || copies_->SignatureOf(*function).defaults.contains(attribute);
  }

  NameMap<std::int64_t>& ImportsOf(const Opsets* opsets) {
    const auto [found, is_new] = imports_.try_emplace(opsets);
    if (is_new) {
      for (const auto& each : *opsets) found->second.try_emplace(NodeDomain(each.domain()), each.version());
    }
    return found->second;
  }

  /// Returns the version that the nodes import. If there is none, adds the import.
  std::int64_t Import(std::string_view domain, std::int64_t version, Opsets* opsets) {
    NameMap<std::int64_t>& imports = ImportsOf(opsets);
    if (const auto found = imports.find(domain); found != imports.end()) return found->second;
    onnx::OperatorSetIdProto* const import = opsets->Add();
    import->set_domain(std::string(domain));
    import->set_version(version);
    imports.emplace(import->domain(), version);
    return version;
  }

  /// Returns why nodes of the function have another meaning among the nodes of the target, or "". Adds the imports that
  /// the nodes need.
  [[nodiscard]] std::string ConflictWith(const FunctionProto& function, Target* target) {
    const NameMap<std::int64_t>& imports = copies_->SignatureOf(function).imports;
    std::string conflict;
    ForEachNode(function, [&](const NodeProto& node) {
      if (!conflict.empty() || FindChosen(node) >= 0) return;
      const std::string_view domain = NodeDomain(node.domain());
      const auto found = imports.find(domain);
      if (table_.Find(node) >= 0) {
        Import(domain, found == imports.end() ? 1 : found->second, target->opsets);
        return;
      }
      if (found == imports.end()) {
        conflict = fmt::format("the function does not import the domain '{}' of its operator {}", Quoted(domain),
                               Quoted(node.op_type()));
        return;
      }
      const std::int64_t ours = found->second;
      const std::int64_t theirs = Import(domain, ours, target->opsets);
      const auto find = [&](std::int64_t version) {
        return FindOperator(domain, node.op_type(), check::VersionFor(version));
      };
      const Operator* const op = find(ours);
      if (ours == theirs || (op != nullptr && op == find(theirs))) return;
      conflict = fmt::format(
          "{} may differ between version {} of the domain '{}', which the function imports, and version "
          "{}, which {} imports",
          Quoted(node.op_type()), ours, Quoted(domain), theirs,
          target->function == nullptr ? "the model" : "the function around it");
    });
    return conflict;
  }

  void RequireIdentity(Call* call, const Target* target) {
    const NameMap<std::int64_t>& imports = call->signature.imports;
    if (const auto ours = imports.find(""); ours != imports.end()) Import("", ours->second, target->opsets);
    const bool is_function = table_.Find("", "Identity") >= 0;
    if (!is_function && ImportsOf(target->opsets).contains("")) return;
    call->problem =
        fmt::format("its output '{}' needs an Identity, but {}", Quoted(call->aliases[0].first),
                    is_function ? "the model has a function of this name" : "nothing imports the standard operators");
  }

  void CheckIdentities() {
    for (const auto& [output, type] : edit::WrongIdentities(model_, identities_)) {
      const edit::AddedIdentity& added = identities_.find(output)->second;
      Refuse(*added.call, *added.function,
             fmt::format("its output '{}' needs an Identity, which does not accept {} in version {} of the domain ''",
                         Quoted(output), type, added.version));
    }
  }

  /// Adds the types that the function declares for the copied values.
  void Declare(Call* call, Target* target, const NodeProto& origin) {
    for (const auto& [id, value] : call->signature.declarations) {
      const auto name = call->names.find(id);
      if (name == call->names.end() || name->second.empty() || !DeclaredIn(target).insert(name->second).second)
        continue;
      if (!Pay(value->ByteSizeLong(), origin, call->function)) return;
      copies_->Copy(*value, target->values->Add(), call);
      declared_.insert(name->second);
    }
  }

  static OwnedNameSet& DeclaredIn(Target* target) {
    if (!target->declared) {
      target->declared.emplace();
      const auto add = [&](const Values& values) {
        for (const auto& value : values) target->declared->insert(value.name());
      };
      add(*target->values);
      if (target->graph != nullptr) add(target->graph->input());
      if (target->graph != nullptr) add(target->graph->output());
    }
    return *target->declared;
  }

  // ---- what is no longer needed

  void RemoveFunctions() {
    OwnedNameSet domains;
    for (int i = 0; i < model_->functions_size(); ++i) {
      const std::string_view domain = NodeDomain(model_->functions(i).domain());
      if (is_chosen_[static_cast<std::size_t>(i)] && FindDomain(domain) < 0) domains.emplace(domain);
    }
    Keep(model_->mutable_functions(), [&](const auto&, int i) { return !is_chosen_[static_cast<std::size_t>(i)]; });
    for (const FunctionProto& function : model_->functions()) domains.erase(std::string(NodeDomain(function.domain())));
    const auto remove = [&](const auto& nodes, Opsets* opsets) {
      NameSet used;
      ForEachNode(nodes, [&](const NodeProto& node) { used.insert(NodeDomain(node.domain())); });
      Keep(opsets, [&](const auto& import, int) {
        const std::string_view domain = NodeDomain(import.domain());
        return used.contains(domain) || !domains.contains(domain);
      });
    };
    for (FunctionProto& function : *model_->mutable_functions()) remove(function, function.mutable_opset_import());
    remove(*model_, model_->mutable_opset_import());
  }

  ModelProto* model_;
  const InlineOptions& options_;
  Diagnostics found_;
  check::FunctionTable table_;
  std::vector<bool> is_chosen_;  // indexed by function
  std::unordered_map<const NodeProto*, Origin> origins_;
  std::optional<edit::Copies> copies_;
  std::vector<int> active_;                                         // the functions whose calls are being replaced
  std::map<std::pair<int, const Opsets*>, std::string> conflicts_;  // by function and target
  std::unordered_map<const Opsets*, NameMap<std::int64_t>> imports_;
  OwnedNameMap<edit::AddedIdentity> identities_;  // by output
  std::vector<NodeProto*> removed_;
  OwnedNameSet declared_;  // values whose declared types come from functions
  std::size_t most_ = 0;   // bytes
  std::size_t left_ = 0;
  bool is_over_ = false;  // a limit is reached
};

}  // namespace

Diagnostics InlineFunctions(ModelProto* model, const InlineOptions& options) {
  if (IsOfOther(options.source_map, *model)) {
    return Only(MakeDiagnostic(diag::kOtherMessage, kNowhere, "the source map"));
  }
  return Inlining(model, options).Run();
}

}  // namespace onnxc
