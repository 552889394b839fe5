// The names of a graph. They are kept so that a later version of the model, in which only a few nodes have changed, is
// checked without collecting all names again.
#pragma once

#include <onnxc/checker.h>

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "check/scope.h"
#include "source/named_list.h"
#include "source/names.h"

namespace onnxc::check {

/// A name in a graph, not in the graphs inside of its nodes.
struct GraphName {
  std::string_view name = {};
  Value given = {};  ///< its definition; without an owner if it is not defined
  int node = -1;     ///< the node that defines it; -1 for an input or initializer
  int reads = 0;     ///< how often nodes, and the outputs of the graph, read it
};

/// Returns whether data of the model are in other files, which may change at any time.
[[nodiscard]] bool NamesFile(const onnx::ModelProto& model);

using NodePointers = std::span<const onnx::NodeProto* const>;

/// The names of a model's graph, in the order of their definitions. The model must outlive this object and have no
/// errors.
class GraphNames {
 public:
  explicit GraphNames(const onnx::ModelProto& model);

  /// Assumes that `nodes` replace the nodes [begin, end). Returns the names that `nodes` read from other nodes, as
  /// positions in names(). Returns nothing if the replacement may change a finding about other parts of the model, or
  /// if the types in other parts depend on more than the types of the outputs of `nodes`.
  [[nodiscard]] std::optional<std::vector<std::size_t>> Exchange(int begin, int end, NodePointers nodes) const;

  /// Checks only `nodes`, which replace the nodes [begin, end). Returns nothing if there are findings other than unused
  /// values, or if the findings depend on other nodes.
  [[nodiscard]] std::optional<Diagnostics> Check(int begin, int end, NodePointers nodes,
                                                 std::span<const std::size_t> read, const CheckOptions& options) const;

  [[nodiscard]] const GraphName* Find(std::string_view name) const { return names_.Find(HashedName(name)); }
  [[nodiscard]] const std::vector<GraphName>& names() const { return names_.elements(); }

 private:
  struct Count {
    std::string_view name = {};
    int count = 0;
  };

  GraphName& NameOf(std::string_view name);
  void AddNode(const onnx::NodeProto& node, int index);
  void AddElsewhere(const onnx::GraphProto& graph, int nested);
  void AddLabel(const onnx::NodeProto& node);
  [[nodiscard]] bool IsUnread(const onnx::NodeProto& node) const;

  const onnx::ModelProto& model_;
  bool names_file_;  // data are in other files
  NamedList<GraphName> names_;
  NamedList<Count> labels_;  // the key is a name, the value the number of nodes with this name
  NameSet elsewhere_;        // names that occur in other graphs, value_info, outputs or annotations
  NameMap<int> domains_;     // the key is a domain, the value the number of nodes with this domain
  NameSet functions_;        // names of functions
  NameSet function_domains_;
  std::size_t unread_ = 0;  // nodes whose outputs no node of this graph reads
};

}  // namespace onnxc::check
