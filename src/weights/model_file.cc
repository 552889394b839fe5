// Reads and writes models in files of any format. Models in old schemas are refused.
#include <onnxc/file.h>
#include <onnxc/model_file.h>

#include "weights/weight_files.h"

namespace onnxc {

LoadResult LoadModel(const std::string& path, const ParseOptions& options) {
  LoadResult result;
  result.model = std::make_unique<onnx::ModelProto>();
  result.diagnostics = ReadFile(path, &result.source, options.max_bytes);
  if (!result.ok()) return result;
  const std::string_view bytes = result.source.text();
  result.diagnostics = RefuseOldSchema(bytes, Kind::kModel);
  if (!result.ok()) return result;
  ParseOptions with_places = options;
  if (with_places.source_map_out == nullptr) with_places.source_map_out = &result.source_map;
  result.diagnostics = Decode(bytes, DetectFormat(bytes, path, Kind::kModel), result.model.get(), with_places);
  return result;
}

Diagnostics SaveModel(const onnx::ModelProto& model, const std::string& path) {
  const Format format = FormatOfSuffix(path).value_or(Format::kBinary);
  std::string bytes;
  Diagnostics found = Encode(model, format, &bytes);
  if (!found.ok()) return found;
  if (format != Format::kBinary && !bytes.ends_with('\n')) bytes.push_back('\n');
  WeightFiles weights;
  AddWeightFiles(model, path, &weights);
  const std::string_view all = bytes;
  found.Append(WriteFile(path, {&all, 1}, nullptr, &weights));
  return found;
}

}  // namespace onnxc
