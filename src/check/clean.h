// Messages of the types that most of a model is made of, looked at without reflection.
#pragma once

#include <google/protobuf/message.h>
#include <onnxc/proto.h>

namespace onnxc::check {

/// True only where CheckFields() finds nothing in the message and in those in it: no unknown field, no text that is not
/// UTF-8. False also where there are messages in it that are not looked at here.
using IsClean = bool (*)(const google::protobuf::Message&);

/// For messages of that type; null where there is none. Reflection takes five times as long.
[[nodiscard]] IsClean IsCleanOf(const google::protobuf::Descriptor& type);

/// The same of a model but for the nodes of its graph, which are not looked at.
[[nodiscard]] bool IsCleanBesideNodes(const onnx::ModelProto& model);

}  // namespace onnxc::check
