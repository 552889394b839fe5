#include "check/graph_names.h"

#include <onnxc/arena.h>

#include <algorithm>

#include "check/context.h"

namespace onnxc::check {
namespace {

using onnx::GraphProto;
using onnx::NodeProto;

constexpr int kMostNested = 100;

bool HasGraphs(const NodeProto& node) {
  return std::ranges::any_of(node.attribute(),
                             [](const auto& attribute) { return attribute.has_g() || attribute.graphs_size() > 0; });
}

bool NamesFile(const onnx::TensorProto& tensor) {
  return tensor.data_location() == onnx::TensorProto::EXTERNAL || tensor.external_data_size() > 0;
}

bool NamesFile(const onnx::SparseTensorProto& tensor) {
  return NamesFile(tensor.values()) || NamesFile(tensor.indices());
}

bool NamesFile(const GraphProto& graph, int nested);
bool NamesFile(const onnx::AttributeProto& attribute, int nested) {
  const auto any = [](const auto& tensors) {
    return std::ranges::any_of(tensors, [](const auto& tensor) { return NamesFile(tensor); });
  };
  if (NamesFile(attribute.t()) || NamesFile(attribute.sparse_tensor())) return true;
  if (any(attribute.tensors()) || any(attribute.sparse_tensors())) return true;
  if (attribute.has_g() && NamesFile(attribute.g(), nested + 1)) return true;
  return std::ranges::any_of(attribute.graphs(), [&](const auto& graph) { return NamesFile(graph, nested + 1); });
}
bool NamesFile(const NodeProto& node, int nested) {
  return std::ranges::any_of(node.attribute(), [&](const auto& attribute) { return NamesFile(attribute, nested); });
}
bool NamesFile(const GraphProto& graph, int nested) {
  return nested > kMostNested ||
         std::ranges::any_of(graph.initializer(), [](const auto& tensor) { return NamesFile(tensor); }) ||
         std::ranges::any_of(graph.sparse_initializer(), [](const auto& tensor) { return NamesFile(tensor); }) ||
         std::ranges::any_of(graph.node(), [&](const NodeProto& node) { return NamesFile(node, nested); });
}

int CountIn(const NameMap<int>& counts, std::string_view name) {
  const auto found = counts.find(name);
  return found == counts.end() ? 0 : found->second;
}

/// How the uses of names change if nodes replace others.
struct Changes {
  NameMap<int> reads = {};
  NameMap<int> labels = {};
  NameMap<int> domains = {};
  NameMap<int> gone = {};   // outputs of the old nodes
  NameMap<int> given = {};  // outputs of the new nodes
  NameSet read = {};        // inputs of the new nodes

  void Add(const NodeProto& node, int by) {
    const auto count = [](const auto& names, int each, NameMap<int>* counts) {
      for (const std::string& name : names) {
        if (!name.empty()) (*counts)[name] += each;
      }
    };
    count(node.input(), by, &reads);
    count(node.output(), 1, by > 0 ? &given : &gone);
    if (!node.name().empty()) labels[node.name()] += by;
    domains[node.domain()] += by;
    if (by > 0) read.insert(node.input().begin(), node.input().end());
  }
};

}  // namespace

bool NamesFile(const onnx::ModelProto& model) {
  const auto in_training = [](const onnx::TrainingInfoProto& training) {
    return NamesFile(training.initialization(), 0) || NamesFile(training.algorithm(), 0);
  };
  const auto in_function = [](const onnx::FunctionProto& function) {
    const auto names_file = [](const auto& part) { return NamesFile(part, 0); };
    return std::ranges::any_of(function.node(), names_file) ||
           std::ranges::any_of(function.attribute_proto(), names_file);
  };
  return NamesFile(model.graph(), 0) || std::ranges::any_of(model.training_info(), in_training) ||
         std::ranges::any_of(model.functions(), in_function);
}

GraphNames::GraphNames(const onnx::ModelProto& model) : model_(model), names_file_(NamesFile(model)) {
  const GraphProto& graph = model.graph();
  names_.Reserve(static_cast<std::size_t>(graph.node_size()) + static_cast<std::size_t>(graph.initializer_size()));
  for (const auto& input : graph.input()) NameOf(input.name()).given = {.owner = &input, .type = TypeOf(input.type())};
  const auto add_initializer = [&](const std::string& name, const google::protobuf::Message& tensor, TypeId type) {
    Value& value = NameOf(name).given;
    if (value.type != kNoType) type = value.type;  // an input of that name
    value = {.owner = &tensor, .kind = ValueKind::kInitializer, .type = type};
  };
  for (const auto& tensor : graph.initializer()) {
    add_initializer(tensor.name(), tensor, TensorType(tensor.data_type()));
  }
  for (const auto& tensor : graph.sparse_initializer()) {
    add_initializer(tensor.values().name(), tensor, TensorType(tensor.values().data_type()));
  }
  const DeclaredTypes declared = TypesDeclaredIn(graph);
  for (int i = 0; i < graph.node_size(); ++i) AddNode(graph.node(i), i);
  for (const DeclaredType& type : declared.elements()) {
    if (GraphName* const name = names_.Find(HashedName(type.name)); name != nullptr && name->node >= 0) {
      if (type.type != kNoType) name->given.type = type.type;
    }
    elsewhere_.insert(type.name);
  }
  for (const auto& output : graph.output()) ++NameOf(output.name()).reads;
  for (const auto& annotation : graph.quantization_annotation()) {
    elsewhere_.insert(annotation.tensor_name());
    for (const auto& entry : annotation.quant_parameter_tensor_names()) elsewhere_.insert(entry.value());
  }
  for (const auto& training : model.training_info()) {
    AddElsewhere(training.initialization(), 0);
    AddElsewhere(training.algorithm(), 0);
    for (const auto& binding : training.initialization_binding()) elsewhere_.insert(binding.value());
    for (const auto& binding : training.update_binding()) elsewhere_.insert(binding.value());
  }
  for (const auto& function : model.functions()) {
    functions_.insert(function.name());
    function_domains_.insert(NodeDomain(function.domain()));
  }
  unread_ = static_cast<std::size_t>(
      std::ranges::count_if(graph.node(), [this](const NodeProto& node) { return IsUnread(node); }));
}

GraphName& GraphNames::NameOf(std::string_view text) {
  const HashedName name(text);
  GraphName* const known = names_.Find(name);
  return known != nullptr ? *known : names_.Add(name, {});
}

bool GraphNames::IsUnread(const NodeProto& node) const {
  return std::ranges::none_of(node.output(), [this](const std::string& name) {
    const GraphName* const known = name.empty() ? nullptr : Find(name);
    return known != nullptr && known->reads > 0;
  });
}

void GraphNames::AddLabel(const NodeProto& node) {
  if (node.name().empty()) return;
  const HashedName name(node.name());
  Count* const known = labels_.Find(name);
  ++(known != nullptr ? *known : labels_.Add(name, {})).count;
}

void GraphNames::AddNode(const NodeProto& node, int index) {
  AddLabel(node);
  ++domains_[node.domain()];
  for (const std::string& input : node.input()) {
    if (!input.empty()) ++NameOf(input).reads;
  }
  for (int i = 0; i < node.output_size(); ++i) {
    if (node.output(i).empty()) continue;
    GraphName& name = NameOf(node.output(i));
    name.node = index;
    name.given = {.owner = &node,
                  .field = NodeProto::kOutputFieldNumber,
                  .index = i,
                  .kind = ValueKind::kOutput,
                  .type = ConstantType(node)};
  }
  for (const auto& attribute : node.attribute()) {
    if (attribute.has_g()) AddElsewhere(attribute.g(), 0);
    for (const GraphProto& inner : attribute.graphs()) AddElsewhere(inner, 0);
  }
}

void GraphNames::AddElsewhere(const GraphProto& graph, int nested) {
  if (nested > kMostNested) return;
  for (const auto& input : graph.input()) elsewhere_.insert(input.name());
  for (const auto& tensor : graph.initializer()) elsewhere_.insert(tensor.name());
  for (const auto& tensor : graph.sparse_initializer()) elsewhere_.insert(tensor.values().name());
  for (const auto& output : graph.output()) elsewhere_.insert(output.name());
  for (const auto& value : graph.value_info()) elsewhere_.insert(value.name());
  for (const NodeProto& node : graph.node()) {
    elsewhere_.insert(node.input().begin(), node.input().end());
    elsewhere_.insert(node.output().begin(), node.output().end());
    AddLabel(node);
    ++domains_[node.domain()];
    for (const auto& attribute : node.attribute()) {
      if (attribute.has_g()) AddElsewhere(attribute.g(), nested + 1);
      for (const GraphProto& inner : attribute.graphs()) AddElsewhere(inner, nested + 1);
    }
  }
}

std::optional<std::vector<std::size_t>> GraphNames::Exchange(int begin, int end, NodePointers nodes) const {
  Changes changes;
  if (names_file_) return std::nullopt;
  const auto is_alone = [this](const NodeProto& node) {
    // A call of an unknown function may be a misspelt call of any function of its domain. It then changes the findings
    // about that function.
    const bool may_call = functions_.contains(node.op_type()) || function_domains_.contains(NodeDomain(node.domain()));
    return !HasGraphs(node) && !may_call && !NamesFile(node, 0);
  };
  for (int i = begin; i < end; ++i) {
    if (!is_alone(model_.graph().node(i))) return std::nullopt;
    changes.Add(model_.graph().node(i), -1);
  }
  for (const NodeProto* const node : nodes) {
    if (!is_alone(*node)) return std::nullopt;
    changes.Add(*node, 1);
  }
  // A repeated node name, and a domain that becomes used or unused, change findings about other parts.
  for (const auto& [label, by] : changes.labels) {
    const Count* const known = labels_.Find(HashedName(label));
    const int before = known == nullptr ? 0 : known->count;
    if (before > 1 || before + by > 1) return std::nullopt;
  }
  for (const auto& [domain, by] : changes.domains) {
    const int before = CountIn(domains_, domain);
    if ((before > 0) != (before + by > 0)) return std::nullopt;
  }
  const auto is_rest = [&](const GraphName* name) {
    return name != nullptr && name->given.owner != nullptr && (name->node < begin || name->node >= end);
  };
  std::vector<std::size_t> read;
  for (const auto& [name, by] : changes.reads) {
    const GraphName* const known = Find(name);
    const int before = known == nullptr ? 0 : known->reads;
    if (by != 0 && elsewhere_.contains(name)) return std::nullopt;
    if (!is_rest(known)) {
      if (!changes.given.contains(name) && before + by > 0) return std::nullopt;  // the name is no longer defined
      continue;
    }
    if ((before > 0) != (before + by > 0)) return std::nullopt;
    if (!changes.read.contains(name)) continue;
    if (known->node >= end) return std::nullopt;
    read.push_back(static_cast<std::size_t>(known - names_.elements().data()));
  }
  for (const auto& [name, count] : changes.gone) {
    const GraphName* const known = Find(name);
    const int reads = (known == nullptr ? 0 : known->reads) + CountIn(changes.reads, name);
    if (elsewhere_.contains(name) || (!changes.given.contains(name) && reads > 0)) return std::nullopt;
  }
  for (const auto& [name, count] : changes.given) {
    if (elsewhere_.contains(name) || count > 1 || is_rest(Find(name))) return std::nullopt;
  }
  return read;
}

std::optional<Diagnostics> GraphNames::Check(int begin, int end, NodePointers nodes, std::span<const std::size_t> read,
                                             const CheckOptions& options) const {
  google::protobuf::Arena arena;
  auto* const part = NewIn<GraphProto>(&arena);  // refers to the nodes, but does not own them
  for (const NodeProto* const node : nodes) {
    part->mutable_node()->UnsafeArenaAddAllocated(const_cast<NodeProto*>(node));  // nobody changes them
  }
  Findings findings(options);
  Run run{options, findings, model_.ir_version()};
  run.infers = options.infer;
  run.domain = model_.domain();
  for (const auto& configuration : model_.configuration()) run.configurations.insert(configuration.name());
  for (const auto& function : model_.functions()) run.functions.Add(function);
  Imports imports;
  for (int i = 0; i < model_.opset_import_size(); ++i) {
    const auto& opset = model_.opset_import(i);
    imports.insert_or_assign(opset.domain(), Import{.version = VersionFor(opset.version()), .index = i});
  }
  Scope scope;
  scope.Enter();
  for (const std::size_t at : read) {
    scope.Define(names()[at].name, names()[at].given);
    scope.Use(*scope.Find(names()[at].name));  // the nodes read this name: see Exchange()
  }
  Context context{run, imports, scope};
  const Place root{model_};
  const Place graph = root.Child(model_.graph(), onnx::ModelProto::kGraphFieldNumber);
  CheckNodes(part->node(), graph, GraphProto::kNodeFieldNumber, context, {});
  for (int i = 0; i < part->node_size(); ++i)
    CheckFields(graph.Child(part->node(i), GraphProto::kNodeFieldNumber, i), run);
  // Outputs that other nodes read are used.
  NameMap<int> reads;
  const auto count = [&reads](const NodeProto& node) {
    for (const std::string& input : node.input()) ++reads[input];
  };
  for (int i = begin; i < end; ++i) count(model_.graph().node(i));
  std::size_t unread = unread_;
  for (int i = begin; i < end; ++i) unread -= IsUnread(model_.graph().node(i)) ? 1 : 0;
  for (const NodeProto* const node : nodes) {
    bool is_read = false;
    for (const std::string& output : node->output()) {
      Value* const value = output.empty() ? nullptr : scope.Find(output);
      if (value == nullptr) continue;
      const GraphName* const known = Find(output);
      if (known != nullptr && known->reads > CountIn(reads, output)) scope.Use(*value);
      is_read = is_read || value->is_used;
    }
    unread += is_read ? 0 : 1;
  }
  // If there are many unused values, one finding reports all of them.
  if (std::max(unread, unread_) > kMostUnusedTold) return std::nullopt;
  ReportUnusedValues(part->node(), GraphProto::kNodeFieldNumber, graph, context);
  Diagnostics found = std::move(findings).Finish();
  const auto is_unused = [](const Diagnostic& finding) { return finding.kind == DiagnosticKind::kUnusedValue; };
  if (!std::ranges::all_of(found.items(), is_unused)) return std::nullopt;
  return found;
}

}  // namespace onnxc::check
