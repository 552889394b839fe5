// The contents of small tensors.
#pragma once

#include "infer/memory.h"

namespace onnxc::infer {

/// More elements are not kept.
inline constexpr std::size_t kMostElements = 256;

/// An integer type, or bool, whose elements fit in 64 bits.
[[nodiscard]] bool IsInteger(int element_type);
[[nodiscard]] bool IsReal(int element_type);

/// The elements of the tensor; null where they are many, not numbers, incomplete or in another file.
[[nodiscard]] const Constant* ContentsOf(const onnx::TensorProto& tensor, Memory& memory);

/// A constant of integers; `shape` is copied, too.
[[nodiscard]] const Constant* NewConstant(Memory& memory, int element_type, std::span<const std::int64_t> shape,
                                          std::span<const Dim> integers);
[[nodiscard]] const Constant* NewConstant(Memory& memory, int element_type, std::span<const std::int64_t> shape,
                                          std::span<const double> reals);
/// The same elements, as many as `shape` has.
[[nodiscard]] const Constant* Reshaped(Memory& memory, const Constant& from, std::span<const std::int64_t> shape);
/// A list of int64.
[[nodiscard]] const Constant* NewList(Memory& memory, std::span<const Dim> integers);

}  // namespace onnxc::infer
