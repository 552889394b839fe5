// The tensors of PyTorch's fork.
#pragma once

#include <onnxc/proto.h>

#include "old/conversion.h"
#include "old_schemas/torch_2018.pb.h"

namespace onnxc::old {

/// The tensor whose data this alias has, among the initializers of the graphs around it. Null where there is none, or
/// where more than a few aliases follow one another (`*is_too_long`), as where they go round in a circle.
[[nodiscard]] const torch_2018::TensorProto* FindAliased(Conversion& conversion, const Place& alias,
                                                         bool* is_too_long = nullptr);

/// The alias says nothing else of the data: neither another type, nor another shape, nor strides.
[[nodiscard]] bool IsSameTensor(const torch_2018::TensorProto& alias, const torch_2018::TensorProto& aliased);

/// The tensor is a part of one that is stored in several, which have one name.
[[nodiscard]] bool IsChunk(const torch_2018::TensorProto& tensor);

}  // namespace onnxc::old
