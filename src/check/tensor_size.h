// What the rules say about the size of a tensor.
#pragma once

#include <onnxc/proto.h>

#include <cstdint>
#include <optional>

#include "check/context.h"
#include "tables/element_count.h"

namespace onnxc::check {

/// The elements that the dimensions make; reported where they make none that can be counted.
[[nodiscard]] std::optional<std::int64_t> CountElements(const onnx::TensorProto& tensor, const Place& place, Run& run);

/// Reports an element type that the model's IR version does not have.
void CheckElementTypeSince(int element_type, const Spot& spot, Run& run);

}  // namespace onnxc::check
