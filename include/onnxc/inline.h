// Replaces calls of a model's functions by the nodes of the functions.
#pragma once

#include <onnxc/diagnostic.h>
#include <onnxc/proto.h>
#include <onnxc/source_map.h>

#include <string>
#include <vector>

namespace onnxc {

struct InlineOptions {
  /// The functions whose calls are replaced; empty: all. A name such as "gelu" stands for the functions with this name
  /// in all domains, and "act.gelu" or "act:gelu" for the one of the domain "act". Without an overload
  /// ("act.gelu:overload"), it stands for all overloads.
  std::vector<std::string> functions = {};
  /// The functions whose calls stay, in the same form.
  std::vector<std::string> except = {};
  /// The source map that Parse() filled for this very model; may be null. With it, findings have ranges instead of
  /// paths.
  const SourceMap* source_map = nullptr;
};

/// Replaces each call of a function by copies of the function's nodes, in all graphs and in the functions that remain,
/// and removes the functions. The result computes the same. Values and nodes inside of a function get new names, which
/// begin with the name of the calling node, or with that of the function, and which no other value or node of the model
/// has. A graph in an attribute to which the function refers twice has the same names in both places. An output of the
/// function that is one of its inputs becomes a node Identity. The copies have the metadata of the call. The types that
/// the function declares become value_info, unless they contradict the types at this call.
///
/// It is an error if a call cannot be replaced by nodes that compute the same: for example, if an operator has another
/// meaning in the version that the caller imports, or if functions call each other in a circle. It is also an error if
/// the model has none of the functions that the options name. The model must not be used after an error.
///
/// Time and memory are linear in the size of the result. Nested calls can multiply this size. Therefore it is an error
/// if the copies need more than 32 MiB and 64 times the size of the model. Weights outside of functions are not copied.
[[nodiscard]] Diagnostics InlineFunctions(onnx::ModelProto* model, const InlineOptions& options = {});

}  // namespace onnxc
