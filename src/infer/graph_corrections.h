// Graphs in attributes with an input or an output too few or too many: the edits of their lists, where these are sure.
#pragma once

#include <vector>

#include "infer/context.h"

namespace onnxc::infer {

/// The body of a Loop gives no condition: the one value that it computes for nothing is it.
[[nodiscard]] std::vector<FixIt> AddCondition(const Host& host, const onnx::GraphProto& body);

/// The body of a Loop takes no condition: one is put there, with a name like those of the other inputs.
[[nodiscard]] std::vector<FixIt> AddConditionInput(const Host& host, const onnx::GraphProto& body);

/// A branch gives too many values: those that its own nodes read are none of its results.
[[nodiscard]] std::vector<FixIt> DropInnerOutputs(const Host& host, const onnx::GraphProto& graph, int wanted);

}  // namespace onnxc::infer
