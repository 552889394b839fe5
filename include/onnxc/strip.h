// Removes parts of a model that do not change what it computes, and its weights, for example for a bug report. The
// model stays valid.
#pragma once

#include <onnxc/diagnostic.h>
#include <onnxc/proto.h>

#include <cstdint>

namespace onnxc {

/// Turns the weights of the main graph into inputs. Weights are the initializers and Constant nodes with a tensor of
/// more than one element, except lists of up to 16 int64, which are shapes, axes and indices; and all sparse tensors.
/// The result has the structure and the shapes of the original model, but no data. Weights inside of functions and
/// subgraphs stay; a warning reports their number. Time and memory are linear.
[[nodiscard]] Diagnostics StripWeights(onnx::ModelProto* model);

/// What Strip() removes, in all graphs, subgraphs and functions.
struct StripOptions {
  bool docs = false;        ///< all documentation strings
  bool metadata = false;    ///< all metadata, except those that declare the parameters of a library's functions
  bool names = false;       ///< the names of nodes, except those that metadata or an attribute's strings repeat
  bool weights = false;     ///< the same as StripWeights()
  bool value_info = false;  ///< value_info: declared types, except those of the parameters of a library's functions
  bool unused = false;      ///< nodes, initializers, functions and imported operator sets that nothing uses
  bool training = false;    ///< training_info
};

/// How many things Strip() removed.
struct Stripped {
  std::int64_t docs = 0;
  std::int64_t metadata = 0;    ///< entries
  std::int64_t names = 0;       ///< of nodes
  std::int64_t kept_names = 0;  ///< names of nodes that stayed, because something else may refer to them
  std::int64_t weights = 0;     ///< initializers and Constant nodes that became inputs
  std::int64_t value_info = 0;
  std::int64_t nodes = 0;
  std::int64_t initializers = 0;
  std::int64_t functions = 0;
  std::int64_t imports = 0;
  std::int64_t training = 0;  ///< training steps
};

/// Removes the parts that the options name. The inputs and outputs stay, and the result computes the same (with
/// `weights`: if the weights are passed to it).
///
/// A node is unused if nothing reads its outputs, and if its operator is known or a function, because other operators
/// may have an effect. An initializer is unused if nothing reads it and it is not the default value of an input. The
/// declared types and the quantization annotations of unused values are removed, too. All functions of a library are
/// used. At least one operator set stays imported.
///
/// Weights that stay are neither read nor copied. Time and memory are linear. The model must not be used after an
/// error, which messages that are nested too deeply cause. `stripped` may be null.
[[nodiscard]] Diagnostics Strip(onnx::ModelProto* model, const StripOptions& options, Stripped* stripped = nullptr);

}  // namespace onnxc
