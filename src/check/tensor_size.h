// How many elements and bytes a tensor has.
#pragma once

#include <onnxc/proto.h>

#include <cstdint>
#include <optional>

#include "check/context.h"
#include "tables/element_types.h"

namespace onnxc {

/// The product, if it fits.
[[nodiscard]] std::optional<std::int64_t> Multiply(std::int64_t a, std::int64_t b);

/// The bytes that elements of the type take in raw_data, if they can be counted. 0 for strings.
[[nodiscard]] std::optional<std::int64_t> ByteSize(const ElementType& type, std::int64_t elements);

/// The elements that the dimensions make; reported where they make none that can be counted.
[[nodiscard]] std::optional<std::int64_t> CountElements(const onnx::TensorProto& tensor, const Place& place, Run& run);

/// Reports an element type that the model's IR version does not have.
void CheckElementTypeSince(int element_type, const Spot& spot, Run& run);

}  // namespace onnxc
