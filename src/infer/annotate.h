// A model with the types that were inferred, for who writes its bytes.
#pragma once

#include <onnxc/infer.h>

#include <cstddef>
#include <functional>
#include <vector>

namespace onnxc::infer {

/// AddTypes(), but the value_info that the model's graph lacks is given to `add`, in its order. (Those that graphs in
/// nodes lack are added.) Returns the positions of the graph's nodes that hold graphs: they may be others now, as may
/// all value_info, the outputs, what is trained, and, with `overwrite`, the functions. `size`: of the model in bytes.
[[nodiscard]] std::vector<int> AddTypesBut(const std::function<void(const InferredValue&)>& add, std::size_t size,
                                           onnx::ModelProto* model, const Inference& inference, bool overwrite,
                                           Diagnostics* found);

}  // namespace onnxc::infer
