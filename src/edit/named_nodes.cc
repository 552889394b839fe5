#include "edit/named_nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string_view>

#include "edit/known_names.h"
#include "source/message_cast.h"
#include "source/message_path.h"
#include "source/names.h"
#include "source/placed_nodes.h"
#include "source/report.h"
#include "tables/signatures.h"

namespace onnxc::edit {
namespace {

using google::protobuf::Message;
using onnx::FunctionProto;
using onnx::GraphProto;
using onnx::ModelProto;
using onnx::NodeProto;

auto* NodesOf(const Message& scope) {
  auto* const message = const_cast<Message*>(&scope);
  if (MessageCast<FunctionProto>(scope) != nullptr) return static_cast<FunctionProto*>(message)->mutable_node();
  return static_cast<GraphProto*>(message)->mutable_node();
}

class NodeSearch {
 public:
  NodeSearch(const ModelProto& model, const Names& names, NodeFindings* found) : model_(model), found_(*found) {
    for (NameId scope = 0; scope < names.scopes().size(); ++scope) {
      for (NodeProto& node : *NodesOf(*names.scopes()[scope].message)) {
        const NamedNode named = {&node, scope};
        if (!node.name().empty()) by_name_[node.name()].push_back(named);
        for (const std::string& output : node.output()) {
          if (output.empty()) continue;
          std::vector<NamedNode>& givers = by_output_[output];
          if (givers.empty() || givers.back().node != &node) givers.push_back(named);
        }
      }
    }
  }

  void FindByNames(const std::vector<std::string>& nodes) {
    std::vector<std::string_view> missing;
    for (const std::string& name : nodes) {
      if (const auto named = by_name_.find(name); named != by_name_.end()) {
        AddOne(named->second, "{} nodes are named '{}'; name the one that is meant by one of its outputs", name);
      } else if (const auto giver = by_output_.find(name); giver != by_output_.end()) {
        std::vector<NamedNode> givers = giver->second;
        const auto is_inner = [](const NamedNode& each) { return each.scope != 0; };
        if (std::ranges::count_if(givers, std::not_fn(is_inner)) == 1) std::erase_if(givers, is_inner);
        AddOne(givers, "{} nodes compute a value '{}'; give the one that is meant a name", name);
      } else {
        missing.push_back(name);
      }
    }
    std::vector<std::string_view> known;
    for (const auto& [name, named] : by_name_) known.push_back(name);
    for (const auto& [name, named] : by_output_) known.push_back(name);
    found_.Append(MissingNames("node", missing, std::move(known)));
  }

  void FindByOperators(const Names& names, const std::vector<std::string>& operators) {
    if (operators.empty()) return;
    std::map<std::string, std::vector<NamedNode>, std::less<>> by_operator;
    for (NameId scope = 0; scope < names.scopes().size(); ++scope) {
      for (NodeProto& node : *NodesOf(*names.scopes()[scope].message)) {
        by_operator[OperatorName(node)].push_back({&node, scope});
      }
    }
    std::vector<std::string_view> missing;
    for (const std::string& name : operators) {
      const auto found = by_operator.find(name.starts_with("ai.onnx.") && !by_operator.contains(name)
                                              ? name.substr(std::string_view("ai.onnx.").size())
                                              : name);
      if (found == by_operator.end()) {
        missing.push_back(name);
      } else {
        for (const NamedNode& named : found->second) selected_.emplace(named.node, named);
      }
    }
    std::vector<std::string_view> known;
    for (const auto& [name, named] : by_operator) known.push_back(name);
    found_.Append(MissingNames("node of the operator", missing, std::move(known)));
  }

  /// Returns the selected nodes in the order of the model, without those inside of others.
  [[nodiscard]] std::vector<NamedNode> InOrder() const {
    std::vector<NamedNode> nodes;
    ForEachPlacedNode(model_, [&](const NodeProto& node, const Place& place) {
      const auto found = selected_.find(&node);
      if (found == selected_.end()) return;
      for (const Place* outer = place.parent; outer != nullptr; outer = outer->parent) {
        if (selected_.contains(&outer->message)) return;
      }
      nodes.push_back(found->second);
    });
    return nodes;
  }

 private:
  void AddOne(const std::vector<NamedNode>& nodes, fmt::format_string<std::size_t, std::string> message,
              const std::string& name) {
    if (nodes.size() == 1) {
      selected_.emplace(nodes[0].node, nodes[0]);
    } else {
      found_.Add(DiagnosticKind::kDuplicateName, *nodes[1].node, fmt::format(message, nodes.size(), Quoted(name)));
    }
  }

  const ModelProto& model_;
  NodeFindings& found_;
  NameMap<std::vector<NamedNode>> by_name_;
  NameMap<std::vector<NamedNode>> by_output_;
  std::map<const Message*, NamedNode> selected_;
};

}  // namespace

void NodeFindings::Add(DiagnosticKind kind, const NodeProto& node, std::string message) {
  const SourceRange* const range = places_ == nullptr ? nullptr : places_->Find(node);
  if (range == nullptr) without_place_.emplace(found_.items().size(), &node);
  found_.Add(MakeDiagnostic(kind, Severity::kError, range == nullptr ? kNowhere : *range, std::move(message)));
}

Diagnostics NodeFindings::Take() {
  if (without_place_.empty()) return std::move(found_);
  std::map<const NodeProto*, std::string> paths;
  for (const auto& [number, node] : without_place_) paths.try_emplace(node);
  ForEachPlacedNode(model_, [&](const NodeProto& node, const Place& place) {
    if (const auto found = paths.find(&node); found != paths.end()) found->second = PathOf(place);
  });
  Diagnostics placed;
  for (std::size_t i = 0; i < found_.items().size(); ++i) {
    Diagnostic finding = found_.items()[i];
    const auto node = without_place_.find(i);
    if (node != without_place_.end()) finding.path = paths.find(node->second)->second;
    placed.Add(std::move(finding));
  }
  return placed;
}

std::string OperatorName(const NodeProto& node) {
  const std::string_view domain = NodeDomain(node.domain());
  return domain.empty() ? node.op_type() : fmt::format("{}.{}", domain, node.op_type());
}

std::vector<NamedNode> FindNodes(const ModelProto& model, const Names& names, const std::vector<std::string>& nodes,
                                 const std::vector<std::string>& operators, NodeFindings* found) {
  NodeSearch search(model, names, found);
  search.FindByNames(nodes);
  search.FindByOperators(names, operators);
  return search.InOrder();
}

}  // namespace onnxc::edit
