// Other types of inputs, sizes and operator sets of a model.
#pragma once

#include <onnxc/diagnostic.h>
#include <onnxc/proto.h>
#include <onnxc/source_map.h>

#include <cstdint>
#include <string>
#include <vector>

namespace onnxc {

struct NewInput {
  std::string name;
  onnx::TypeProto type;
};

/// A symbol in declared shapes, and what takes its place: a number or another symbol.
struct NewDimension {
  std::string symbol;
  onnx::TensorShapeProto::Dimension size;
};

struct NewOpset {
  std::string domain;  ///< "" for the standard operators
  std::int64_t version = 0;
};

struct SetOptions {
  std::vector<NewInput> inputs = {};
  std::vector<NewDimension> dimensions = {};
  std::vector<NewOpset> opsets = {};
  /// Change the version also where operators of the model have another meaning in it. The nodes stay as they are.
  bool allow_other_meaning = false;
  /// The source map that Parse() filled for this very model; may be null. With it, findings have ranges, not paths.
  const SourceMap* source_map = nullptr;
};

/// Sets them. The declared types of outputs and of values follow by inference: they become what is computed, sizes that
/// are not known any more go, and so does a value_info of which nothing is known.
///
/// Errors: there is no such input, dimension or domain; an operator of the model has another meaning in the new
/// version; what is computed contradicts the new types, such as a Reshape to a fixed size. Where there is an error the
/// model must not be used. Time and memory are linear in the model; weights are not copied.
[[nodiscard]] Diagnostics SetInModel(onnx::ModelProto* model, const SetOptions& options);

}  // namespace onnxc
