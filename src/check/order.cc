#include "check/order.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <queue>
#include <utility>

#include "source/free_names.h"

namespace onnxc::check {

int Order::Definer(std::string_view name) {
  FindDependencies();
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
  if (std::exchange(is_ready_, true)) return;
  for (int i = 0; i < nodes_.size(); ++i) {
    for (const std::string& output : nodes_[i].output()) {
      if (output.empty() || (given_ != nullptr && given_->contains(output))) continue;
      const HashedName name(output);
      if (definers_.Find(name) == nullptr) definers_.Add(name, {.node = i});
    }
  }
  waits_begin_.reserve(static_cast<std::size_t>(nodes_.size()) + 1);
  waits_begin_.push_back(0);
  for (const onnx::NodeProto& node : nodes_) {
    ForEachNeededName(node, [&](const std::string& name, const auto&...) {
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
  FindDependencies();
  if (component_.empty()) FindComponents();
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

std::vector<int> Order::Sorted() {
  FindDependencies();
  const auto count = static_cast<std::size_t>(nodes_.size());
  std::vector<std::vector<int>> readers(count);  // for each node: those that wait for it
  std::vector<std::size_t> missing(count);       // for each node: how many of its inputs are not computed yet
  std::priority_queue<int, std::vector<int>, std::greater<>> ready;
  for (std::size_t node = 0; node < count; ++node) {
    missing[node] = WaitsFor(node).size();
    for (const int other : WaitsFor(node)) readers[static_cast<std::size_t>(other)].push_back(static_cast<int>(node));
    if (missing[node] == 0) ready.push(static_cast<int>(node));
  }
  std::vector<int> sorted;
  sorted.reserve(count);
  while (!ready.empty()) {
    const int node = ready.top();
    ready.pop();
    sorted.push_back(node);
    for (const int reader : readers[static_cast<std::size_t>(node)]) {
      if (--missing[static_cast<std::size_t>(reader)] == 0) ready.push(reader);
    }
  }
  return sorted;
}

std::string DescribeCycle(const Nodes& nodes, std::span<const int> cycle, std::string_view name) {
  if (cycle.size() == 2) return fmt::format("{} reads its own output '{}'", Label(nodes[cycle[0]]), Quoted(name));
  constexpr std::size_t kShown = 8;
  std::string path;
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    if (i == kShown && cycle.size() > kShown + 1) {
      path += fmt::format(" -> ({} more)", cycle.size() - kShown - 1);
      i = cycle.size() - 1;
    }
    if (!path.empty()) path += " -> ";
    path += Label(nodes[cycle[i]]);
  }
  return fmt::format("'{}' depends on itself: {}", Quoted(name), path);
}

}  // namespace onnxc::check
