// Rules for the size of a tensor.
#pragma once

#include <onnxc/proto.h>

#include <cstdint>
#include <optional>

#include "check/context.h"
#include "tables/element_count.h"

namespace onnxc::check {

/// Returns the number of elements. Reports an error and returns nothing if the dimensions are invalid or the number is
/// too large.
[[nodiscard]] std::optional<std::int64_t> CountElements(const onnx::TensorProto& tensor, const Place& place, Run& run);

/// Reports an element type that the model's IR version does not have yet.
void CheckElementTypeSince(int element_type, const Spot& spot, Run& run);

}  // namespace onnxc::check
