// Reads and writes model files in any format.
#pragma once

#include <onnxc/model_io.h>
#include <onnxc/source_map.h>

#include <memory>
#include <string>

namespace onnxc {

/// A model that was read from a file.
struct [[nodiscard]] LoadResult {
  std::unique_ptr<onnx::ModelProto> model;  ///< never null; an empty model if there are errors
  SourceText source{"", ""};                ///< the file's name and bytes
  SourceMap source_map;                     ///< for a text: the places of the parts of the model
  Diagnostics diagnostics;

  [[nodiscard]] bool ok() const { return diagnostics.ok(); }
  /// Returns all findings as text for people, with the file's name and lines.
  [[nodiscard]] std::string Report() const { return RenderText(diagnostics, source); }
};

/// Reads a model from a file in any format, or from standard input if `path` is "-". A model in an old schema is an
/// error. The model is not checked: pass it to CheckModel(), with the source map, so that findings about a text show
/// its lines.
LoadResult LoadModel(const std::string& path, const ParseOptions& options = {});

/// Writes a model. The suffix of the file name determines the format; for an unknown suffix it is protobuf's wire
/// format. A text ends with a line break. The file is written completely or not at all.
[[nodiscard]] Diagnostics SaveModel(const onnx::ModelProto& model, const std::string& path);

}  // namespace onnxc
