#include "check/order.h"

#include <algorithm>
#include <map>
#include <queue>

#include "tables/limits.h"

namespace onnxc::check {
namespace {

/// Calls `use` with each name that the node, or a node in its subgraphs, reads.
template <typename Function>
void ForEachUse(const onnx::NodeProto& node, const Function& use, int depth = 0) {
  for (const std::string& input : node.input()) use(input);
  if (depth == kMaxGraphDepth) return;
  for (const onnx::AttributeProto& attribute : node.attribute()) {
    const auto in_graph = [&](const onnx::GraphProto& graph) {
      for (const onnx::NodeProto& inner : graph.node()) ForEachUse(inner, use, depth + 1);
    };
    if (attribute.has_g()) in_graph(attribute.g());
    for (const onnx::GraphProto& graph : attribute.graphs()) in_graph(graph);
  }
}

}  // namespace

int Order::Definer(std::string_view name) {
  if (!is_ready_) {
    is_ready_ = true;
    FindDependencies();
    FindComponents();
  }
  const Definition* const found = definers_.Find(HashedName(name));
  return found == nullptr ? -1 : found->node;
}

const std::vector<Order::Omitted>& Order::AllOmitted() {
  if (omitted_) return *omitted_;
  omitted_.emplace();
  for (int i = 0; i < static_cast<int>(nodes_.size()); ++i) {
    const onnx::NodeProto& node = nodes_[i];
    for (int j = 1; j + 1 < node.output_size(); ++j) {
      if (!node.output(j).empty() || node.output(j - 1).empty() || node.output(j + 1).empty()) continue;
      omitted_->push_back({.node = i, .output = j});
    }
  }
  return *omitted_;
}

void Order::FindDependencies() {
  for (int i = 0; i < nodes_.size(); ++i) {
    for (const std::string& output : nodes_[i].output()) {
      const HashedName name(output);
      if (!output.empty() && definers_.Find(name) == nullptr) definers_.Add(name, {.node = i});
    }
  }
  waits_begin_.reserve(static_cast<std::size_t>(nodes_.size()) + 1);
  waits_begin_.push_back(0);
  for (const onnx::NodeProto& node : nodes_) {
    ForEachUse(node, [&](const std::string& name) {
      if (const Definition* const found = definers_.Find(HashedName(name))) waits_for_.push_back(found->node);
    });
    waits_begin_.push_back(waits_for_.size());
  }
}

/// Finds the strongly connected components by Tarjan's algorithm, with an explicit stack.
void Order::FindComponents() {
  const auto count = static_cast<std::size_t>(nodes_.size());
  constexpr int kNew = -1;
  std::vector<int> number(count, kNew);
  std::vector<int> lowest(count, 0);
  component_.assign(count, kNew);
  struct Step {
    std::size_t node;
    std::size_t next;
  };
  std::vector<Step> path;
  std::vector<std::size_t> open;
  int numbers = 0;
  int components = 0;
  for (std::size_t root = 0; root < count; ++root) {
    if (number[root] != kNew) continue;
    path.push_back({root, 0});
    while (!path.empty()) {
      const std::size_t node = path.back().node;
      if (path.back().next == 0) {
        number[node] = lowest[node] = numbers++;
        open.push_back(node);
      }
      const std::span<const int> others = WaitsFor(node);
      if (path.back().next < others.size()) {
        const auto other = static_cast<std::size_t>(others[path.back().next++]);
        if (number[other] == kNew) {
          path.push_back({other, 0});
        } else if (component_[other] == kNew) {
          lowest[node] = std::min(lowest[node], number[other]);
        }
        continue;
      }
      path.pop_back();
      if (!path.empty()) lowest[path.back().node] = std::min(lowest[path.back().node], lowest[node]);
      if (lowest[node] != number[node]) continue;
      for (std::size_t member = count; member != node; open.pop_back()) {
        member = open.back();
        component_[member] = components;
      }
      ++components;
    }
  }
}

std::vector<int> Order::Cycle(int user, int definer) {
  const auto component_of = [&](int node) { return component_[static_cast<std::size_t>(node)]; };
  if (component_of(user) != component_of(definer) || !told_.insert(component_of(user)).second) return {};
  std::map<int, int> came_from = {{definer, -1}};
  std::queue<int> next;
  next.push(definer);
  while (!next.empty() && !came_from.contains(user)) {  // a breadth-first search finds the shortest cycle
    const int node = next.front();
    next.pop();
    for (const int other : WaitsFor(static_cast<std::size_t>(node))) {
      if (component_of(other) == component_of(user) && came_from.try_emplace(other, node).second) next.push(other);
    }
  }
  std::vector<int> cycle = {user};
  for (int node = came_from.at(user); node != -1; node = came_from.at(node)) cycle.push_back(node);
  cycle.push_back(user);
  std::reverse(cycle.begin(), cycle.end());  // then each node depends on the node after it
  return cycle;
}

}  // namespace onnxc::check
