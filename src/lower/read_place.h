// An entry of a SourceMap.
#pragma once

#include <google/protobuf/message.h>
#include <onnxc/source.h>

namespace onnxc::lower {

struct ReadPlace {
  const google::protobuf::Message* message;
  SourceRange range;
  int field;
  int index;
};

}  // namespace onnxc::lower
