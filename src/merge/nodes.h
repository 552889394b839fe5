// Matches the nodes of versions of a body, and compares what the names in the versions mean.
#pragma once

#include <string_view>
#include <vector>

#include "diff/body.h"
#include "diff/match.h"
#include "merge/list.h"

namespace onnxc::merge {

/// Returns the name of the node's first output, the node's name, or "" if it has neither.
[[nodiscard]] std::string_view NameOf(const onnx::NodeProto& node);

struct ThreeBodies {
  const diff::Body& base;
  const diff::Body& ours;
  const diff::Body& theirs;
};

/// Finds the nodes that are the same: by their names, and as in a comparison by what they compute. If both ways
/// contradict each other, a pair is doubtful.
[[nodiscard]] Pairs MatchNodes(const ThreeBodies& versions);

/// The nodes of three versions of a body, and of the merged body.
struct MergedNodes {
  std::vector<Entry> entries;
  std::vector<int> kept;  ///< the entries of the merged nodes, in their order
};

/// A name in the merged body that has another meaning than in the version from which it comes.
struct OtherValue {
  Side side;   ///< the version from which the name comes
  int merged;  ///< the index of the merged node that reads the value, or -1 if an output of the body has its name
  int index;   ///< the index of the node or output in this version
  std::string_view name;
};

/// Returns each name that one version has begun to read, and that means another value or nothing in the merged body.
[[nodiscard]] std::vector<OtherValue> FindOtherValues(const ThreeBodies& versions, const diff::Body& merged,
                                                      const MergedNodes& nodes);

}  // namespace onnxc::merge
