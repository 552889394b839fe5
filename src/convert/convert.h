// Converts the nodes of a model to another version of an operator set.
#pragma once

#include <onnxc/diagnostic.h>
#include <onnxc/proto.h>
#include <onnxc/source_map.h>

#include <cstdint>
#include <string_view>

namespace onnxc::convert {

struct Conversion {
  Diagnostics found = {};         ///< an error for each node that cannot be converted, and warnings
  bool sizes_may_change = false;  ///< a step changed how the sizes of a result are computed
};

/// Converts all nodes of a built-in domain: those of the main graph, of training graphs, of subgraphs and of functions.
/// A function's body has the version that the model imports, because runtimes read it so. Writes the versions of
/// imports, and raises the IR version to the least one that supports the new version.
///
/// A node is converted exactly, or it is an error, and the model must not be used. Nodes that stay keep their address,
/// so that `places` remains valid for them; `places` may be null.
[[nodiscard]] Conversion Convert(onnx::ModelProto* model, std::string_view domain, std::int64_t version,
                                 const SourceMap* places);

/// Reports each operator of a built-in domain that has a node which the conversion to the version would change: with
/// only another number, the node would have another meaning. Changes nothing. What the checker finds is not reported,
/// such as operators and attributes that do not exist in the version.
[[nodiscard]] Diagnostics FindOtherMeanings(onnx::ModelProto* model, std::string_view domain, std::int64_t version,
                                            const SourceMap* places);

}  // namespace onnxc::convert
