// Changes a model's input types, sizes of dimensions, outputs, and versions of operator sets and of the IR.
#pragma once

#include <onnxc/diagnostic.h>
#include <onnxc/proto.h>
#include <onnxc/source_map.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace onnxc {

struct NewInput {
  std::string name;
  onnx::TypeProto type;
};

/// A symbol in declared shapes, and its replacement: a size, another symbol, or an unknown size.
struct NewDimension {
  std::string symbol;
  onnx::TensorShapeProto::Dimension size;
};

/// Returns the dimension that the text specifies in the syntax of shapes: a size, a symbol, or `?` for an unknown size.
/// Returns nothing if the text is something else.
[[nodiscard]] std::optional<onnx::TensorShapeProto::Dimension> ReadDimension(std::string_view text);

struct NewOpset {
  std::string domain;  ///< "" means the standard operators
  std::int64_t version = 0;
};

struct SetOptions {
  std::vector<NewInput> inputs = {};
  std::vector<NewDimension> dimensions = {};
  std::vector<NewOpset> opsets = {};
  /// Change only the number of an operator set's version, and do not convert the nodes. It is an error if an operator
  /// of the model has another meaning in the new version.
  bool number_only = false;
  /// Like `number_only`, but change the number even if operators of the model have another meaning in the new version.
  bool allow_other_meaning = false;
  /// The names of outputs that are removed. The nodes that compute them stay; ExtractPart() removes nodes.
  std::vector<std::string> removed_outputs = {};
  /// The names of values of the main graph that become outputs, after the outputs that the model has.
  std::vector<std::string> added_outputs = {};
  /// All values that nodes of the main graph compute become outputs, in the order of the nodes. A value whose type is
  /// not completely known is left out, with a warning.
  bool all_outputs = false;
  /// The new IR version; 0 leaves it as it is.
  std::int64_t ir_version = 0;
  /// The source map that Parse() filled for this very model; may be null. With it, findings have ranges instead of
  /// paths.
  const SourceMap* source_map = nullptr;
};

/// Applies the changes. Then the declared types of outputs and other values are replaced by inferred types. Sizes that
/// are no longer known are removed. If inputs get new types, value_info entries whose types are completely unknown are
/// removed, too; if only symbols are replaced, such entries stay as declared.
///
/// If an operator set gets another version, all nodes of the model and of its functions are converted: the result
/// computes the same. A node that has no equal form in the version is an error, and so is a result that breaks a rule
/// that the model followed. The IR version is raised to the least one that supports the new version.
///
/// A new output has its declared type, with its documentation, completed by the inferred type. It is an error if its
/// type is not completely known, because the checker requires the types of outputs; if it is a value inside a subgraph
/// or a function; or if a model has no output left.
///
/// The IR version is set last. It is an error if it is too old for an operator set or for something else in the model;
/// all such things are reported.
///
/// It is an error if the model lacks an input, output, value, dimension or domain that the options name; or if the
/// inferred types contradict the new types, as with a Reshape to a fixed size. The model must not be used after an
/// error. Time and memory are linear in the model; weights are not copied.
[[nodiscard]] Diagnostics SetInModel(onnx::ModelProto* model, const SetOptions& options);

}  // namespace onnxc
