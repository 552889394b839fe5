// The versions to write into the header of a model that lacks them.
#pragma once

#include <onnxc/proto.h>

#include <cstdint>

namespace onnxc::check {

/// Returns the version of the standard operators for a model that does not import them. It is kUsualOpset, or the
/// newest version before it that the model's IR version supports. The result is newer if the nodes, the element types
/// or the functions of the model need a newer version. The time is linear in the model.
[[nodiscard]] int OpsetFor(const onnx::ModelProto& model);

/// Returns the oldest IR version that released runtimes accept and that has all parts of the model. The time is linear
/// in the model.
[[nodiscard]] std::int64_t IrVersionFor(const onnx::ModelProto& model);

}  // namespace onnxc::check
