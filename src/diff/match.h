// Finds the counterparts among the inputs, nodes and initializers of two bodies.
#pragma once

#include <vector>

#include "diff/body.h"
#include "diff/counterparts.h"

namespace onnxc::diff {

/// A one-to-one relation between the elements of two lists; -1 means none.
class Matching {
 public:
  Matching(std::size_t before, std::size_t after) : after_of_(before, -1), before_of_(after, -1) {}

  void Pair(int before, int after) {
    after_of_[static_cast<std::size_t>(before)] = after;
    before_of_[static_cast<std::size_t>(after)] = before;
  }
  [[nodiscard]] int AfterOf(int before) const { return after_of_[static_cast<std::size_t>(before)]; }
  [[nodiscard]] int BeforeOf(int after) const { return before_of_[static_cast<std::size_t>(after)]; }
  [[nodiscard]] bool AreFree(int before, int after) const { return AfterOf(before) < 0 && BeforeOf(after) < 0; }
  [[nodiscard]] int before_size() const { return static_cast<int>(after_of_.size()); }
  [[nodiscard]] int after_size() const { return static_cast<int>(before_of_.size()); }

  /// Returns for each element of the new list whether it belongs to the longest sequence of pairs that are in the same
  /// order in both lists. The other pairs were moved.
  [[nodiscard]] std::vector<bool> FindStaying() const;

  /// The smallest number of pairs that must be moved so that all pairs are in the same order in both lists, and the
  /// first of these pairs in the new list.
  struct Disorder {
    int count = 0;
    int first = -1;
  };
  [[nodiscard]] Disorder FindDisorder() const;

 private:
  std::vector<int> after_of_;
  std::vector<int> before_of_;
};

struct BodyMatch {
  Matching inputs;
  Matching nodes;
  Matching initializers;
};

/// Finds the counterparts of the elements of two bodies. `outer` has the counterparts in the scope that encloses the
/// old body. If `use_names` is false, names are ignored.
[[nodiscard]] BodyMatch MatchBodies(const Body& before, const Body& after, const Counterparts& outer, bool use_names);

}  // namespace onnxc::diff
