// The elements of a list in three versions, and their order in the merged list.
#pragma once

#include <string>
#include <vector>

#include "diff/match.h"

namespace onnxc::merge {

enum class Side : bool { kOurs, kTheirs };

/// The places of an element in the lists of the three versions; -1 means none.
struct Entry {
  int base = -1;
  int ours = -1;
  int theirs = -1;
  bool is_doubtful = false;  ///< it is uncertain whether the elements are the same

  [[nodiscard]] int In(Side side) const { return side == Side::kOurs ? ours : theirs; }
};

/// Which elements of three lists are the same.
struct Pairs {
  diff::Matching to_ours;           ///< from the base
  diff::Matching to_theirs;         ///< from the base
  diff::Matching added;             ///< from ours to theirs: elements that both have added
  std::vector<bool> doubtful = {};  ///< for each element of the base, whether its pairs are uncertain; empty: none is
};

/// Pairs the elements of two lists that have the same key. Each element has at most one pair.
[[nodiscard]] diff::Matching MatchKeys(const std::vector<std::string>& before, const std::vector<std::string>& after);

/// Returns the entries of three lists. Those of the base come first, in their order.
[[nodiscard]] std::vector<Entry> EntriesOf(const Pairs& pairs);

/// Returns the indices of all entries in the order of the merged list, in which an element stays behind the element
/// that it follows in the version that added or moved it. If both have added elements at the same place, ours come
/// first.
[[nodiscard]] std::vector<int> OrderOf(const std::vector<Entry>& entries, const Pairs& pairs);

/// Returns whether both versions have added or moved elements, and their lists differ, so that the order of the merged
/// list is uncertain.
[[nodiscard]] bool IsOrderUncertain(const std::vector<Entry>& entries, const Pairs& pairs);

}  // namespace onnxc::merge
