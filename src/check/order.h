// The dependencies between nodes of a list that is not in topological order.
#pragma once

#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "check/context.h"

namespace onnxc::check {

/// Which node of a list computes what, and which nodes wait for each other. Found out at the first question, so that
/// lists in order cost nothing.
class Order {
 public:
  explicit Order(const Nodes& nodes) : nodes_(nodes) {}

  /// The node that computes `name`, or -1.
  [[nodiscard]] int Definer(std::string_view name);

  /// An output between others that has no name.
  struct Omitted {
    int node = 0;
    int output = 0;
  };
  /// All of them, in the order of the nodes.
  [[nodiscard]] const std::vector<Omitted>& AllOmitted();

  /// The shortest cycle from `user` through `definer` back to `user`, which stands at both ends. Empty if there is
  /// none, or if a cycle of the same strongly connected component was returned before.
  [[nodiscard]] std::vector<int> Cycle(int user, int definer);

 private:
  void FindDependencies();
  void FindComponents();

  const Nodes& nodes_;
  bool is_ready_ = false;
  NameMap<int> definers_;
  std::vector<std::vector<int>> waits_for_;
  std::vector<int> component_;  // of each node: nodes that wait for each other share it
  std::set<int> told_;
  std::optional<std::vector<Omitted>> omitted_;
};

}  // namespace onnxc::check
