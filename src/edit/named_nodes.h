// Finds the nodes that a caller names, and collects findings about nodes.
#pragma once

#include <onnxc/diagnostic.h>
#include <onnxc/diagnostic_kinds.h>
#include <onnxc/proto.h>
#include <onnxc/source_map.h>

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "edit/names.h"

namespace onnxc::edit {

/// Findings about nodes. The places of all nodes that have no range are found in one pass.
class NodeFindings {
 public:
  /// `places` may be null.
  NodeFindings(const onnx::ModelProto& model, const SourceMap* places) : model_(model), places_(places) {}

  /// Adds an error about a node of the model.
  void Add(DiagnosticKind kind, const onnx::NodeProto& node, std::string message);
  void Append(Diagnostics other) { found_.Append(std::move(other)); }
  [[nodiscard]] bool ok() const { return found_.ok(); }
  /// Returns all findings. The nodes must still exist.
  [[nodiscard]] Diagnostics Take();

 private:
  const onnx::ModelProto& model_;
  const SourceMap* places_;
  Diagnostics found_;
  std::map<std::size_t, const onnx::NodeProto*> without_place_;  // by the number of the finding
};

/// A node, and the graph or function that contains it.
struct NamedNode {
  onnx::NodeProto* node = nullptr;
  NameId scope = kNoName;
};

/// Returns the operator as options and texts write it: with its domain.
[[nodiscard]] std::string OperatorName(const onnx::NodeProto& node);

/// Returns the nodes of these names, and all nodes of these operators, in the order of the model; but not those inside
/// of another one. A node is named by its name or by one of its outputs, those of the main graph first. Reports names
/// of no node and of several.
[[nodiscard]] std::vector<NamedNode> FindNodes(const onnx::ModelProto& model, const Names& names,
                                               const std::vector<std::string>& nodes,
                                               const std::vector<std::string>& operators, NodeFindings* found);

}  // namespace onnxc::edit
