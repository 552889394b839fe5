// Corrects subgraphs with a missing or superfluous input or output. Each function returns edits only if the correction
// is certain.
#pragma once

#include <vector>

#include "infer/context.h"

namespace onnxc::infer {

/// Adds the missing condition to the outputs of a Loop's body. It must be the only value that the body computes and
/// nothing reads.
[[nodiscard]] std::vector<FixIt> AddCondition(const Host& host, const onnx::GraphProto& body);

/// Adds the missing condition to the inputs of a Loop's body, with a name in the style of the other inputs.
[[nodiscard]] std::vector<FixIt> AddConditionInput(const Host& host, const onnx::GraphProto& body);

/// Removes superfluous outputs of a branch: the outputs that nodes of the branch read, because such outputs are
/// intermediate values. `wanted` is the number of outputs that must be left.
[[nodiscard]] std::vector<FixIt> DropInnerOutputs(const Host& host, const onnx::GraphProto& graph, int wanted);

}  // namespace onnxc::infer
