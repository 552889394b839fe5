// Messages in the old schemas of ONNX.
#pragma once

#include <google/protobuf/message.h>

#include <memory>

#include "old/schema.h"
#include "old_schemas/onnx_v1.pb.h"
#include "old_schemas/onnx_v2.pb.h"
#include "old_schemas/torch_2018.pb.h"

namespace onnxc::testing {

/// An empty message of the type that a file in this schema contains.
[[nodiscard]] inline std::unique_ptr<google::protobuf::Message> NewOldMessage(old::Schema schema) {
  switch (schema) {
    case old::Schema::kOnnx01: return std::make_unique<old::onnx_v1::GraphProto>();
    case old::Schema::kOnnx02: return std::make_unique<old::onnx_v2::ModelProto>();
    case old::Schema::kTorch: return std::make_unique<old::torch_2018::ModelProto>();
  }
  return nullptr;
}

}  // namespace onnxc::testing
