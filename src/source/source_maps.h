// Checks whether a source map belongs to a message.
#pragma once

#include <onnxc/proto.h>
#include <onnxc/source_map.h>

#include "source/message_cast.h"

namespace onnxc {

/// Returns whether the map belongs to another message, for example to the original of a copy. Each graph, function and
/// node that was parsed from a text has a range, and so has each model with a header; a part with errors may have none.
/// An empty map fits every message.
[[nodiscard]] inline bool IsOfOther(const SourceMap* map, const google::protobuf::Message& message) {
  if (map == nullptr || map->size() == 0 || map->Find(message) != nullptr) return false;
  const auto* const model = MessageCast<onnx::ModelProto>(message);
  if (model == nullptr) return true;
  const auto* const node = model->graph().node().empty() ? nullptr : &model->graph().node(0);
  const auto* const function = model->functions().empty() ? nullptr : &model->functions(0);
  if (node == nullptr && function == nullptr) return false;  // the model has no part whose place could be compared
  const auto has_place = [&](const google::protobuf::Message* part) {
    return part != nullptr && map->Find(*part) != nullptr;
  };
  return !has_place(&model->graph()) && !has_place(node) && !has_place(function);
}

}  // namespace onnxc
