#include "check/graph_names.h"

#include <onnxc/arena.h>

#include <algorithm>

#include "check/context.h"
#include "source/plain_node.h"
#include "tables/limits.h"

namespace onnxc::check {
namespace {

using onnx::GraphProto;
using onnx::NodeProto;

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
  return nested > kMaxGraphDepth ||
         std::ranges::any_of(graph.initializer(), [](const auto& tensor) { return NamesFile(tensor); }) ||
         std::ranges::any_of(graph.sparse_initializer(), [](const auto& tensor) { return NamesFile(tensor); }) ||
         std::ranges::any_of(graph.node(), [&](const NodeProto& node) { return NamesFile(node, nested); });
}

/// How the uses of names change if nodes replace others.
struct Changes {
  NameCounts reads = {};
  NameCounts labels = {};
  NameCounts domains = {};
  NameCounts gone = {};   // outputs of the old nodes
  NameCounts given = {};  // outputs of the new nodes
  NameSet read = {};      // inputs of the new nodes

  void Add(const NodeProto& node, int by) {
    for (const std::string& input : node.input()) AddName(input, by, &reads);
    for (const std::string& output : node.output()) AddName(output, 1, by > 0 ? &given : &gone);
    AddName(node.name(), by, &labels);
    domains.Add(node.domain(), by);
    if (by > 0) read.insert(node.input().begin(), node.input().end());
  }

 private:
  static void AddName(const std::string& name, int by, NameCounts* counts) {
    if (!name.empty()) counts->Add(name, by);
  }
};

/// Returns whether several nodes have or get the same name, because this changes findings about other nodes.
bool RepeatsLabel(const NameCounts& labels, const NameCounts& changes) {
  return std::ranges::any_of(changes.all(), [&](const auto& label) {
    const int before = labels.Of(label.name);
    return before > 1 || before + label.count > 1;
  });
}

/// Returns whether a domain becomes used or unused, because this changes findings about its import.
bool ChangesUse(const NameCounts& domains, const NameCounts& changes) {
  return std::ranges::any_of(changes.all(), [&](const auto& domain) {
    const int before = domains.Of(domain.name);
    return (before > 0) != (before + domain.count > 0);
  });
}

/// Returns the definition of a name in `graph`, another version of the graph. The index of the defining node, input or
/// initializer is the same in both versions.
Value GivenIn(const GraphProto& graph, const GraphName& name) {
  Value given = name.given;
  if (name.node >= 0) {
    given.owner = &graph.node(name.node);
  } else if (given.kind == ValueKind::kInput) {
    given.owner = &graph.input(name.part);
  } else if (given.owner->GetDescriptor() == onnx::TensorProto::descriptor()) {
    given.owner = &graph.initializer(name.part);
  } else {
    given.owner = &graph.sparse_initializer(name.part);
  }
  return given;
}

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

void NameCounts::Add(std::string_view name, int by) {
  const HashedName hashed(name);
  Count* const known = counts_.Find(hashed);
  (known != nullptr ? *known : counts_.Add(hashed, {})).count += by;
}

int NameCounts::Of(std::string_view name) const {
  const Count* const known = counts_.Find(HashedName(name));
  return known == nullptr ? 0 : known->count;
}

GraphNames::GraphNames(const onnx::ModelProto& model) : model_(model), names_file_(NamesFile(model)) {
  const GraphProto& graph = model.graph();
  names_.Reserve(static_cast<std::size_t>(graph.node_size()) + static_cast<std::size_t>(graph.initializer_size()));
  const auto add = [this](const std::string& name, int index, Value given) {
    GraphName& known = NameOf(name);
    if (known.given.type != kNoType) given.type = known.given.type;  // an input and an initializer have this name
    known.given = given;
    known.part = index;
  };
  for (int i = 0; i < graph.input_size(); ++i) {
    add(graph.input(i).name(), i, {.owner = &graph.input(i), .type = TypeOf(graph.input(i).type())});
  }
  const auto add_initializer = [&](const auto& owner, const onnx::TensorProto& tensor, int index) {
    const TypeId type = TensorType(tensor.data_type());
    add(tensor.name(), index, {.owner = &owner, .kind = ValueKind::kInitializer, .type = type});
  };
  for (int i = 0; i < graph.initializer_size(); ++i) add_initializer(graph.initializer(i), graph.initializer(i), i);
  for (int i = 0; i < graph.sparse_initializer_size(); ++i) {
    add_initializer(graph.sparse_initializer(i), graph.sparse_initializer(i).values(), i);
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

void GraphNames::AddNode(const NodeProto& node, int index) {
  if (!node.name().empty()) labels_.Add(node.name());
  domains_.Add(node.domain());
  for (const std::string& input : node.input()) {
    if (!input.empty()) ++NameOf(input).reads;
  }
  for (int i = 0; i < node.output_size(); ++i) {
    if (node.output(i).empty()) {
      has_omitted_ = has_omitted_ || i + 1 < node.output_size();
      continue;
    }
    GraphName& name = NameOf(node.output(i));
    name.node = index;
    name.given = {.owner = &node,
                  .field = NodeProto::kOutputFieldNumber,
                  .index = i,
                  .kind = ValueKind::kOutput,
                  .type = ConstantType(node)};
  }
  if (std::ranges::any_of(node.attribute(), HoldsGraphs)) nodes_with_graphs_.push_back(index);
  for (const auto& attribute : node.attribute()) {
    if (attribute.has_g()) AddElsewhere(attribute.g(), 0);
    for (const GraphProto& inner : attribute.graphs()) AddElsewhere(inner, 0);
  }
}

void GraphNames::AddElsewhere(const GraphProto& graph, int nested) {
  if (nested > kMaxGraphDepth) return;
  for (const auto& input : graph.input()) elsewhere_.insert(input.name());
  for (const auto& tensor : graph.initializer()) elsewhere_.insert(tensor.name());
  for (const auto& tensor : graph.sparse_initializer()) elsewhere_.insert(tensor.values().name());
  for (const auto& output : graph.output()) elsewhere_.insert(output.name());
  for (const auto& value : graph.value_info()) elsewhere_.insert(value.name());
  for (const NodeProto& node : graph.node()) {
    elsewhere_.insert(node.input().begin(), node.input().end());
    elsewhere_.insert(node.output().begin(), node.output().end());
    if (!node.name().empty()) labels_.Add(node.name());
    domains_.Add(node.domain());
    for (const auto& attribute : node.attribute()) {
      if (attribute.has_g()) AddElsewhere(attribute.g(), nested + 1);
      for (const GraphProto& inner : attribute.graphs()) AddElsewhere(inner, nested + 1);
    }
  }
}

/// Returns whether other nodes read an output of the node whose type as a constant has changed. The other nodes are
/// checked against this type even if no types are inferred.
bool GraphNames::GivesOtherConstant(const NodeProto& node, const ReadNames& read) const {
  return std::ranges::any_of(node.output(), [&](const std::string& output) {
    const GraphName* const known = output.empty() ? nullptr : Find(output);
    return known != nullptr && known->given.type != ConstantType(node) && IsReadElsewhere(*known, read);
  });
}

std::optional<ReadNames> GraphNames::ReadBy(const Replacement& replacement) const {
  const auto& [model, begin, end, nodes] = replacement;
  Changes changes;
  ReadNames read;
  if (names_file_) return std::nullopt;
  const auto is_alone = [this](const NodeProto& node) {
    // A call of an unknown function may be a misspelt call of any function of its domain. It then changes the findings
    // about that function.
    return std::ranges::none_of(node.attribute(), HoldsGraphs) && !functions_.contains(node.op_type()) &&
           !function_domains_.contains(NodeDomain(node.domain())) && !NamesFile(node, 0);
  };
  for (int i = begin; i < end; ++i) {
    const NodeProto& node = model_.graph().node(i);
    if (!is_alone(node)) return std::nullopt;
    changes.Add(node, -1);
    for (const std::string& input : node.input()) read.before.Add(input);
  }
  for (const NodeProto* const node : nodes) {
    if (!is_alone(*node)) return std::nullopt;
    changes.Add(*node, 1);
  }
  if (RepeatsLabel(labels_, changes.labels) || ChangesUse(domains_, changes.domains)) return std::nullopt;
  const auto is_rest = [first = begin, last = end](const GraphName* name) {
    return name != nullptr && name->given.owner != nullptr && (name->node < first || name->node >= last);
  };
  for (const auto& [name, by] : changes.reads.all()) {
    const GraphName* const known = Find(name);
    const int before = known == nullptr ? 0 : known->reads;
    if (by != 0 && elsewhere_.contains(name)) return std::nullopt;
    if (!is_rest(known)) {
      if (changes.given.Of(name) > 0 || before + by == 0) continue;
      if (known != nullptr && IsReadElsewhere(*known, read)) return std::nullopt;  // the name is no longer defined
      read.unknown.insert(name);
      continue;
    }
    if ((before > 0) != (before + by > 0)) return std::nullopt;
    if (!changes.read.contains(name)) continue;
    if (known->node >= end) return std::nullopt;
    read.of_others.push_back(static_cast<std::size_t>(known - names_.elements().data()));
  }
  for (const auto& [name, count] : changes.gone.all()) {
    const bool is_lost = changes.given.Of(name) == 0 && IsReadElsewhere(*Find(name), read);
    if (is_lost || elsewhere_.contains(name)) return std::nullopt;
  }
  for (const auto& [name, count] : changes.given.all()) {
    if (elsewhere_.contains(name) || count > 1 || is_rest(Find(name))) return std::nullopt;
  }
  if (std::ranges::any_of(nodes, [&](const NodeProto* node) { return GivesOtherConstant(*node, read); })) {
    return std::nullopt;
  }
  // A node that reads an unknown name may have been meant to read an unnamed output. An unknown name also changes
  // warnings about training.
  if (!read.unknown.empty() && (has_omitted_ || model_.training_info_size() > 0)) return std::nullopt;
  return read;
}

/// Defines the names that the new nodes read. If one of these names is unknown, defines all names before the new nodes,
/// because each of them may be the name that was meant.
void GraphNames::Define(const Replacement& replacement, const ReadNames& read, Scope* scope) const {
  const GraphProto& graph = replacement.model->graph();
  const auto define = [&](const GraphName& name) { scope->Define(name.name, GivenIn(graph, name)); };
  if (!read.unknown.empty()) {
    scope->Reserve(names().size());
    for (const GraphName& name : names()) {
      if (name.node < replacement.begin) define(name);
    }
  }
  for (const std::size_t at : read.of_others) {
    if (read.unknown.empty()) define(names()[at]);
    scope->Use(*scope->Find(names()[at].name));  // ReadBy() has checked that the nodes read this name
  }
}

std::optional<Diagnostics> GraphNames::Check(const Replacement& replacement, const ReadNames& read,
                                             const CheckOptions& options) const {
  const auto& [model, begin, end, nodes] = replacement;
  google::protobuf::Arena arena;
  auto* const part = NewIn<GraphProto>(&arena);  // refers to the nodes, but does not own them
  for (const NodeProto* const node : nodes) {
    part->mutable_node()->UnsafeArenaAddAllocated(const_cast<NodeProto*>(node));  // nobody changes them
  }
  Findings findings(options);
  Run run(options, findings);
  SetUp(*model, &run);
  Imports imports = ImportsIn(model->opset_import());
  Scope scope;
  scope.Enter();
  Define(replacement, read, &scope);
  Context context{run, imports, scope};
  const Place root{*model};
  if (!read.unknown.empty()) {
    std::call_once(uses_once_, [this] { uses_.ReadAround(Place{model_}); });
    std::vector<const NodeProto*> replaced;
    for (int i = begin; i < end; ++i) replaced.push_back(&model_.graph().node(i));
    run.uses.BeginAt(uses_, *model, replaced, nodes);
  }
  const Place graph = root.Child(model->graph(), onnx::ModelProto::kGraphFieldNumber);
  CheckNodes(part->node(), graph, GraphProto::kNodeFieldNumber, context, {});
  for (int i = 0; i < part->node_size(); ++i)
    CheckFields(graph.Child(part->node(i), GraphProto::kNodeFieldNumber, i), run);
  // An output that nodes outside of this part read counts as used.
  std::size_t unread = unread_;
  for (int i = begin; i < end; ++i) unread -= IsUnread(model_.graph().node(i)) ? 1 : 0;
  for (const NodeProto* const node : nodes) {
    bool is_read = false;
    for (const std::string& output : node->output()) {
      Value* const value = output.empty() ? nullptr : scope.Find(output);
      if (value == nullptr) continue;
      const GraphName* const known = Find(output);
      if (known != nullptr && IsReadElsewhere(*known, read)) scope.Use(*value);
      is_read = is_read || value->is_used;
    }
    unread += is_read ? 0 : 1;
  }
  // If there are many unused values, one finding reports all of them.
  if (std::max(unread, unread_) > kMostUnusedTold) return std::nullopt;
  ReportUnusedValues(part->node(), GraphProto::kNodeFieldNumber, graph, context);
  // If no name was unknown at first, the scope has only some of the names, so findings about undefined names are
  // unreliable. Other findings depend on the rest of the model, because they are reported only once in a model.
  const bool is_whole = options.source_map != nullptr && (!read.unknown.empty() || !findings.HasMarks());
  const bool is_alone = is_whole && run.taken_names.empty() && run.made_up.empty();
  const auto is_sure = [](const Diagnostic& finding) {
    const bool is_of_order = finding.kind == DiagnosticKind::kNotSorted || finding.kind == DiagnosticKind::kCycle;
    const bool is_error = finding.severity == Severity::kError && !is_of_order;
    return finding.path.empty() && (is_error || finding.kind == DiagnosticKind::kUnusedValue);
  };
  Diagnostics found = std::move(findings).Finish();
  if (!is_alone || !std::ranges::all_of(found.items(), is_sure)) return std::nullopt;
  return found;
}

}  // namespace onnxc::check
