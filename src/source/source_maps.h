// Whether a source map fits a message.
#pragma once

#include <onnxc/proto.h>
#include <onnxc/source_map.h>

#include "source/message_cast.h"

namespace onnxc {

/// Whether the map is of another message than this one, such as of the one that this is a copy of. Each graph, function
/// and node that was parsed from a text has a range, and each model that has a header, of which the text may lack any
/// that have mistakes. An empty map is of any message.
[[nodiscard]] inline bool IsOfOther(const SourceMap* map, const google::protobuf::Message& message) {
  if (map == nullptr || map->size() == 0 || map->Find(message) != nullptr) return false;
  const auto* const model = MessageCast<onnx::ModelProto>(message);
  if (model == nullptr) return true;
  const auto* const node = model->graph().node().empty() ? nullptr : &model->graph().node(0);
  const auto* const function = model->functions().empty() ? nullptr : &model->functions(0);
  if (node == nullptr && function == nullptr) return false;  // nothing in it has a place that a finding could have
  const auto has_place = [&](const google::protobuf::Message* part) {
    return part != nullptr && map->Find(*part) != nullptr;
  };
  return !has_place(&model->graph()) && !has_place(node) && !has_place(function);
}

}  // namespace onnxc
