// Which elements of two versions of a model are the same.
#pragma once

#include <onnxc/proto.h>

#include <vector>

#include "edit/outline.h"

namespace onnxc::edit {

/// For each element of the old version: its element in the new version, or -1; and whether both are equal.
struct Pairs {
  std::vector<int> after_of;
  std::vector<int> before_of;
  std::vector<bool> is_equal;
};

/// Pairs the elements of lists with the same path. Members of a list are paired if they are equal, have the same key,
/// or are at the same place between paired neighbours. The inputs, outputs and value infos of a graph are paired by
/// their names also if they are in another of these lists.
[[nodiscard]] Pairs PairElements(const Outline& before, const Outline& after);

}  // namespace onnxc::edit
