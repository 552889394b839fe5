// The dependencies between the nodes of a list, and their topological order.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "check/context.h"

namespace onnxc::check {

/// Finds which node of a list computes a name, and which nodes depend on each other. The work is done at the first
/// query, so a sorted list takes no extra time.
class Order {
 public:
  /// `given` are names of values that exist before the nodes; it may be null.
  explicit Order(const Nodes& nodes, const NameSet* given = nullptr) : nodes_(nodes), given_(given) {}

  /// Returns the index of the node that computes `name`, or -1 if there is none. Names that are given have no node.
  [[nodiscard]] int Definer(std::string_view name);

  /// An output with an empty name between two named outputs.
  struct Omitted {
    int node = 0;
    int output = 0;
  };
  /// Returns all omitted outputs, in the order of the nodes.
  [[nodiscard]] const std::vector<Omitted>& AllOmitted();

  /// Returns the shortest cycle from `user` through `definer` back to `user`, which is both the first and the last
  /// element. Returns an empty list if there is no cycle, or if a cycle of the same strongly connected component was
  /// returned before.
  [[nodiscard]] std::vector<int> Cycle(int user, int definer);

  /// Returns the nodes in topological order. Of the nodes whose inputs are all computed, the first one of the list
  /// comes next. Nodes of cycles, and nodes that depend on them, are left out.
  [[nodiscard]] std::vector<int> Sorted();

 private:
  struct Definition {
    std::string_view name = {};
    int node = 0;
  };

  void FindDependencies();
  void FindComponents();

  const Nodes& nodes_;
  const NameSet* given_;
  bool is_ready_ = false;
  /// Returns the nodes that compute the inputs of the node.
  [[nodiscard]] std::span<const int> WaitsFor(std::size_t node) const {
    return std::span(waits_for_).subspan(waits_begin_[node], waits_begin_[node + 1] - waits_begin_[node]);
  }

  NamedList<Definition> definers_;
  std::vector<int> waits_for_;  // the definers of all nodes' inputs, node by node
  std::vector<std::size_t>
      waits_begin_;  // for each node: where its definers begin in waits_for_; the last entry is the end of waits_for_
  std::vector<int> component_;  // for each node: the number of its component; nodes of a cycle have the same number.
                                // Empty until a cycle is searched for
  std::set<int> told_;
  std::optional<std::vector<Omitted>> omitted_;
};

/// Returns the message about a cycle that Order::Cycle() returned. Its first node reads `name`.
[[nodiscard]] std::string DescribeCycle(const Nodes& nodes, std::span<const int> cycle, std::string_view name);

}  // namespace onnxc::check
