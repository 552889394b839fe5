// Rules for lists of nodes: the names that they read and define.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "check/corrections.h"
#include "check/order.h"
#include "source/clean.h"
#include "tables/foreign_words.h"

namespace onnxc::check {
namespace {

using onnx::NodeProto;

/// Reports a name that is computed later, by the node `definer` of an enclosing list.
void ReportLater(std::string_view name, const Spot& spot, const NodeList& list, int definer, Context& context) {
  // The node of this list that reads the name: the node itself, or the one that contains its subgraph.
  const Place* user = &spot.place;
  while (user != nullptr && (user->index >= list.nodes.size() || &list.nodes[user->index] != &user->message)) {
    user = user->parent;
  }
  const std::vector<int> cycle = user == nullptr ? std::vector<int>() : list.order->Cycle(user->index, definer);
  if (cycle.empty()) {
    Diagnostic* const finding = context.Report(diag::kNotSorted, spot, Quoted(name), Label(list.nodes[definer]));
    context.run.findings.Explain(finding, list.nodes[definer], 0, 0, "computed here");
    return;
  }
  context.Report(diag::kCycle, spot, DescribeCycle(list.nodes, cycle, name));
}

/// Looks up the inputs of the node, and appends their types to Run::types.
void ReadInputs(const NodeProto& node, const Place& place, Context& context) {
  for (int i = 0; i < node.input_size(); ++i) {
    const std::string& name = node.input(i);
    TypeId type = kNoType;
    if (!name.empty()) {
      if (Value* const value = context.scope.Find(name); value != nullptr) {
        context.scope.Use(*value);
        type = value->type;
      } else {
        ReportUnknownName(name, {place, NodeProto::kInputFieldNumber, i}, context);
      }
    }
    context.run.types.push_back(type);
  }
}

std::string_view KindOf(const Value& value) {
  switch (value.kind) {
    case ValueKind::kInput: return "an input";
    case ValueKind::kInitializer: return "an initializer";
    case ValueKind::kOutput: return "another node's output";
  }
  return "a value";
}

/// Defines the outputs of the node, whose names are `names`, and appends their types to Run::types.
void DefineOutputs(const NodeProto& node, std::span<const HashedName> names, const Place& place, Context& context,
                   const DeclaredTypes& declared) {
  for (int i = 0; i < node.output_size(); ++i) {
    const HashedName& hashed = names[static_cast<std::size_t>(i)];
    const std::string_view name = hashed.text;
    TypeId type = kNoType;
    if (!name.empty()) {
      CheckIdentifier(Named::kValue, name, {place, NodeProto::kOutputFieldNumber, i}, context.run);
      if (const DeclaredType* const found = declared.Find(hashed)) type = found->type;
      const TypeId known = type == kNoType ? ConstantType(node) : type;
      const Value* const other = context.scope.DefineNew(hashed, {.owner = &node,
                                                                  .field = NodeProto::kOutputFieldNumber,
                                                                  .index = i,
                                                                  .kind = ValueKind::kOutput,
                                                                  .type = known});
      if (other != nullptr) {
        Diagnostic* const finding = context.Report(diag::kDuplicateName, {place, NodeProto::kOutputFieldNumber, i},
                                                   Quoted(name), KindOf(*other));
        context.run.findings.Explain(finding, *other->owner, other->field, other->index, "the other one");
        context.run.taken_names.insert(name);
        if (finding != nullptr && finding->path.empty())
          context.run.findings.NoteMisnamed(place, {finding->range, "{}"}, name);
      }
    }
    context.run.types.push_back(type);
  }
}

void CheckNodeName(const NodeProto& node, const Place& place, Context& context) {
  const Spot name(place, NodeProto::kNameFieldNumber);
  CheckIdentifier(Named::kNode, node.name(), name, context.run);
  const HashedName hashed(node.name());
  if (context.run.node_names.Find(hashed) == nullptr) {
    context.run.node_names.Add(hashed, {});
  } else {
    context.Report(diag::kDuplicateNodeName, name, Quoted(node.name()));
  }
}

}  // namespace

// The Constant node itself is not checked against this type: the first versions of the operator declare only floats,
// but models used them for all types.
TypeId ConstantType(const NodeProto& node) {
  if (node.op_type() != "Constant" || node.attribute_size() != 1 || !NodeDomain(node.domain()).empty()) return kNoType;
  const onnx::AttributeProto& value = node.attribute(0);
  if (value.has_t()) return TensorType(value.t().data_type());
  if (value.has_sparse_tensor()) return TensorType(value.sparse_tensor().values().data_type());
  return kNoType;
}

bool LooksForUnused(const Context& context) {
  return context.run.options.source_map != nullptr && context.run.unknown_names.empty() &&
         context.run.taken_names.empty();
}

void ReportUnusedValues(const Nodes& nodes, int field, const Place& place, Context& context) {
  if (!LooksForUnused(context)) return;
  struct Unread {
    const NodeProto* node;
    int output;  // the first output that has a name
    bool is_read;
  };
  std::vector<Unread> found;  // the last entry may be removed, because a later output of the same node may be read
  const auto drop_read = [&] {
    if (!found.empty() && found.back().is_read) found.pop_back();
  };
  for (const Value& value : context.scope.Here()) {  // the outputs of one node are next to each other in this list
    if (value.kind != ValueKind::kOutput) continue;
    const bool is_read = value.is_used || value.name.starts_with('_');
    if (!found.empty() && found.back().node == value.owner) {
      found.back().is_read |= is_read;
    } else {
      drop_read();
      found.push_back({static_cast<const NodeProto*>(value.owner), value.index, is_read});
    }
  }
  drop_read();
  // An unknown operator may have side effects, so a node that calls such an operator is not reported.
  std::erase_if(found, [&](const Unread& unread) {
    const NodeProto& node = *unread.node;
    return context.run.table.FindVersions(NodeDomain(node.domain()), node.op_type()).empty() &&
           context.run.functions.Find(node) < 0;
  });
  // If there are more unread values, a single finding reports all of them: nobody reads so many findings, and each
  // finding takes time.
  const std::size_t told = found.size() > kMostUnusedTold ? 1 : found.size();
  int i = 0;
  for (const auto& [node, output, is_read] : std::span(found).first(told)) {
    while (i < nodes.size() && &nodes[i] != node) ++i;
    Diagnostic* const finding =
        context.Report(diag::kUnusedValue, {place.Child(*node, field, i), NodeProto::kOutputFieldNumber, output},
                       Quoted(node->output(output)), Label(*node));
    if (finding != nullptr && told < found.size()) {
      finding->message += fmt::format("; the same applies to {} other nodes here", found.size() - told);
    }
  }
}

std::string Label(const NodeProto& node) {
  if (!node.name().empty()) return "the node '" + Quoted(node.name()) + "'";
  if (node.op_type().empty()) return "the node";
  return "the " + Quoted(node.op_type()) + " node";
}

void ReportUnknownName(std::string_view name, const Spot& spot, Context& context) {
  if (!context.knows_names || !context.run.unknown_names.insert(name).second) return;
  for (const NodeList* list = context.nodes; list != nullptr; list = list->parent) {
    const int definer = list->order->Definer(name);
    if (definer >= 0) return ReportLater(name, spot, *list, definer, context);
  }
  Diagnostic* const finding = context.Report(diag::kUnknownName, spot, Quoted(name));
  if (const auto constant = ConstantOf(name); constant && constant->empty()) {
    return CorrectWord(finding, name, "an input that is left out is \"\"", "\"\"");
  }
  SuggestValue(name, spot, finding, context);
  if (finding != nullptr && finding->fix_its.empty()) context.run.findings.NoteUndefined(spot.place, name);
}

void CheckNodes(const Nodes& nodes, const Place& place, int field, Context& context, const DeclaredTypes& declared) {
  Order order(nodes);
  const NodeList list{nodes, context.nodes, &order};
  context.nodes = &list;
  if (list.parent == nullptr) context.run.node_names = {};
  const IsClean is_clean = IsCleanOf(*NodeProto::descriptor());
  bool are_clean = is_clean != nullptr;
  std::vector<HashedName> outputs;
  for (int i = 0; i < nodes.size(); ++i) {
    const NodeProto& node = nodes[i];
    const Place at = place.Child(node, field, i);
    std::vector<TypeId>& types = context.run.types;
    const std::size_t first = types.size();
    outputs.clear();
    for (const std::string& name : node.output()) {
      context.scope.Fetch(outputs.emplace_back(name));
      declared.Fetch(outputs.back());
    }
    if (!node.name().empty()) CheckNodeName(node, at, context);
    ReadInputs(node, at, context);
    const Operator* const op = CheckNodeRules(node, at, context);
    DefineOutputs(node, outputs, at, context, declared);
    if (op != nullptr) CheckOperands(node, *op, std::span(types).subspan(first), at, context);
    types.resize(first);
    are_clean = are_clean && is_clean(node);
  }
  if (are_clean) context.run.clean.insert(&place.message);
  context.nodes = list.parent;
}

}  // namespace onnxc::check
