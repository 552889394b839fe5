// The names of a graph. They are kept so that a later version of the model, in which only a few nodes have changed, can
// be checked without collecting all names again.
#pragma once

#include <onnxc/checker.h>

#include <cstddef>
#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

#include "check/scope.h"
#include "check/uses.h"
#include "source/named_list.h"
#include "source/names.h"

namespace onnxc::check {

/// A name in a graph, not in the graphs inside of its nodes.
struct GraphName {
  std::string_view name = {};
  Value given = {};  ///< the definition of the name; it has no owner if the name is not defined
  int node = -1;     ///< the node that defines the name; -1 for an input or initializer
  int part = 0;      ///< for an input or initializer: its index in its list
  int reads = 0;     ///< how often nodes, and the outputs of the graph, read the name
};

/// How often each name occurs. It does not own the names.
class NameCounts {
 public:
  void Add(std::string_view name, int by = 1);
  [[nodiscard]] int Of(std::string_view name) const;

  struct Count {
    std::string_view name = {};
    int count = 0;
  };
  [[nodiscard]] const std::vector<Count>& all() const { return counts_.elements(); }

 private:
  NamedList<Count> counts_;
};

/// Returns whether data of the model are in other files, which may change at any time.
[[nodiscard]] bool NamesFile(const onnx::ModelProto& model);

/// Nodes that replace the nodes [begin, end) of a model's graph.
struct Replacement {
  const onnx::ModelProto* model = nullptr;  ///< the new model, which contains `nodes`; its other parts are those of the
                                            ///< old model
  int begin = 0;
  int end = 0;
  std::vector<const onnx::NodeProto*> nodes = {};
};

/// What the nodes of a replacement read.
struct ReadNames {
  std::vector<std::size_t> of_others = {};  ///< names of other nodes' values, as positions in GraphNames::names()
  NameCounts before = {};                   ///< how often the replaced nodes read each name
  NameSet unknown = {};                     ///< names that nothing defines; only the new nodes read them
};

/// The names of a model's graph, in the order of their definitions. The model must outlive this object and have no
/// errors.
class GraphNames {
 public:
  explicit GraphNames(const onnx::ModelProto& model);

  /// Returns what the new nodes read. Returns nothing if they may change a finding about other parts of the model, or
  /// if the types in other parts depend on more than the types of these nodes' outputs.
  [[nodiscard]] std::optional<ReadNames> ReadBy(const Replacement& replacement) const;

  /// Returns whether the graph's outputs, or nodes that are not replaced, read the value.
  [[nodiscard]] static bool IsReadElsewhere(const GraphName& name, const ReadNames& read) {
    return name.reads > read.before.Of(name.name);
  }

  /// Checks only the new nodes, as far as types need not be inferred. Returns nothing if the findings may depend on
  /// other nodes.
  [[nodiscard]] std::optional<Diagnostics> Check(const Replacement& replacement, const ReadNames& read,
                                                 const CheckOptions& options) const;

  /// The nodes that hold graphs, as positions in the graph.
  [[nodiscard]] const std::vector<int>& nodes_with_graphs() const { return nodes_with_graphs_; }

  [[nodiscard]] const GraphName* Find(std::string_view name) const { return names_.Find(HashedName(name)); }
  [[nodiscard]] const std::vector<GraphName>& names() const { return names_.elements(); }

 private:
  void Define(const Replacement& replacement, const ReadNames& read, Scope* scope) const;
  GraphName& NameOf(std::string_view name);
  void AddNode(const onnx::NodeProto& node, int index);
  void AddElsewhere(const onnx::GraphProto& graph, int nested);
  [[nodiscard]] bool IsUnread(const onnx::NodeProto& node) const;
  [[nodiscard]] bool GivesOtherConstant(const onnx::NodeProto& node, const ReadNames& read) const;

  const onnx::ModelProto& model_;
  bool names_file_;  // some data of the model are in other files
  NamedList<GraphName> names_;
  NameCounts labels_;   // the names of nodes
  NameCounts domains_;  // the domains of nodes
  NameSet elsewhere_;   // names that occur in other graphs, value_info, outputs or annotations
  NameSet functions_;   // names of functions
  NameSet function_domains_;
  std::vector<int> nodes_with_graphs_;
  bool has_omitted_ = false;  // some node has an unnamed output before a named one
  std::size_t unread_ = 0;    // number of nodes whose outputs no node of this graph reads
  mutable std::once_flag uses_once_;
  mutable Uses uses_;  // read when first needed
};

}  // namespace onnxc::check
