#include "verdict/at_tensors.h"

#include <algorithm>
#include <utility>

#include "settings/filtered.h"
#include "source/names.h"
#include "weights/tensors.h"

namespace onnxc::verdict {
namespace {

using TensorPlaces = OwnedNameMap<SourceRange>;

TensorPlaces TensorsOf(const SourceText& source, Kind kind, ParseOptions options) {
  TensorPlaces places;
  SourceMap map;
  options.source_map_out = &map;
  options.progress = nullptr;
  WithKind(kind, [&](const auto& row) {
    typename std::decay_t<decltype(row)>::Message message;
    if (!Decode(source.text(), Format::kText, &message, options).ok()) return;
    weights::ForEachTensor(&message, [&](onnx::TensorProto* tensor, const Place& place) {
      if (const SourceRange* const range = map.Find(*tensor)) places.emplace(PathOf(place), *range);
    });
  });
  return places;
}

/// Returns the place of the tensor with this path. The path may end with one of the tensor's entries.
const SourceRange* Find(const TensorPlaces& places, const std::string& path) {
  const auto whole = places.find(path);
  if (whole != places.end()) return &whole->second;
  const auto tensor = places.find(std::string_view(path).substr(0, path.rfind(".external_data")));
  return tensor == places.end() ? nullptr : &tensor->second;
}

}  // namespace

Diagnostics AtTensors(Diagnostics found, const SourceText& source, const std::string& path, Kind kind,
                      const ParseOptions& options) {
  const bool has_path = std::ranges::any_of(found.items(), [](const Diagnostic& item) { return !item.path.empty(); });
  if (!has_path || DetectFormat(source.text(), path, kind) != Format::kText) return found;
  const TensorPlaces places = TensorsOf(source, kind, options);
  return Filtered(found, [&](Diagnostic* item) {
    const SourceRange* const range = item->path.empty() ? nullptr : Find(places, item->path);
    if (range != nullptr) {
      item->range = *range;
      item->path.clear();
    }
    return true;
  });
}

}  // namespace onnxc::verdict
