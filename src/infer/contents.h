// The contents of small tensors.
#pragma once

#include "infer/memory.h"

namespace onnxc::infer {

/// Constants with more elements are not kept.
inline constexpr std::size_t kMostElements = 256;

/// Returns whether this is an integer type or bool, with elements of at most 64 bits.
[[nodiscard]] bool IsInteger(int element_type);
[[nodiscard]] bool IsReal(int element_type);

/// Returns the elements of the tensor. Returns null if they are too many, not numbers, incomplete or in an external
/// file.
[[nodiscard]] const Constant* ContentsOf(const onnx::TensorProto& tensor, Memory& memory);

/// Returns a constant. `shape` and the elements are copied. An integer outside of the range of the type becomes
/// unknown; a real is rounded to the type, and null is returned if the type has no such number.
[[nodiscard]] const Constant* NewConstant(Memory& memory, int element_type, std::span<const std::int64_t> shape,
                                          std::span<const Dim> integers);
[[nodiscard]] const Constant* NewConstant(Memory& memory, int element_type, std::span<const std::int64_t> shape,
                                          std::span<const double> reals);
/// Returns a constant with the same elements and another shape, which must have the same number of elements.
[[nodiscard]] const Constant* Reshaped(Memory& memory, const Constant& from, std::span<const std::int64_t> shape);
/// Returns a list of int64.
[[nodiscard]] const Constant* NewList(Memory& memory, std::span<const Dim> integers);

}  // namespace onnxc::infer
