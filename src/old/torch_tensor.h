// Converts the tensors of PyTorch's fork.
#pragma once

#include <onnxc/proto.h>

#include "old/conversion.h"
#include "old_schemas/torch_2018.pb.h"

namespace onnxc::old {

/// Searches the initializers of the enclosing graphs for the tensor whose data this alias shares. Returns null if there
/// is none. Also returns null, and sets `*is_too_long`, if too many aliases refer to each other, as in a cycle.
[[nodiscard]] const torch_2018::TensorProto* FindAliased(Conversion& conversion, const Place& alias,
                                                         bool* is_too_long = nullptr);

/// Returns whether the alias stands for the whole tensor `aliased`, so that an Identity node can replace the alias: its
/// type and shape are equal to those of `aliased` or not specified, and it has no data, strides, segment or external
/// data.
[[nodiscard]] bool IsSameTensor(const torch_2018::TensorProto& alias, const torch_2018::TensorProto& aliased);

/// Returns whether the tensor is a chunk of a tensor that is stored in several parts with the same name.
[[nodiscard]] bool IsChunk(const torch_2018::TensorProto& tensor);

}  // namespace onnxc::old
