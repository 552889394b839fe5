// Helpers for several families of operators.
#pragma once

#include "infer/context.h"

namespace onnxc::infer {

/// Sets output `out` to the common shape to which the inputs broadcast. This shape is unknown if the rank of an input
/// is unknown. Returns false after an error.
bool BroadcastInputs(NodeContext& context, int first_input, int inputs, int out);

/// Broadcasts two dimensions. Returns nothing if they contradict each other.
[[nodiscard]] std::optional<Dim> BroadcastDims(Dim a, Dim b);

/// Replaces `result` by the shape to which `result` and `shape` broadcast, aligned at their last axes. Returns false if
/// the two shapes contradict each other.
[[nodiscard]] bool BroadcastInto(std::span<const Dim> shape, std::span<Dim> result);

/// Broadcasts `a` and `b` into `result`, which has the larger of their ranks. `a` is a part of the shape of input
/// `left`, and `b` a part of the shape of input `right`. Returns false after an error.
bool BroadcastShapes(NodeContext& context, int left, std::span<const Dim> a, int right, std::span<const Dim> b,
                     std::span<Dim> result);

/// Reports an error if input `i` does not broadcast to the shape of input `to`.
[[nodiscard]] bool CheckBroadcastsTo(NodeContext& context, int i, int to);

/// Returns the axis counted from 0. `value` is the input or output to which the axis belongs, and `rank` is its rank.
/// Reports an error about `blamed` and returns nothing if the axis is out of range.
[[nodiscard]] std::optional<int> CheckAxis(NodeContext& context, std::int64_t axis, int rank, const Part& blamed,
                                           const Part& value);

/// Reports an error if the rank of input `i` is known and is not `rank`.
[[nodiscard]] bool CheckRank(NodeContext& context, int i, int rank);
[[nodiscard]] bool CheckRankAtLeast(NodeContext& context, int i, int rank);

/// Combines two facts about one value, such as two types. Returns nothing if the facts contradict each other. The
/// symbols of the first fact are preferred.
[[nodiscard]] std::optional<Dim> Unify(Dim a, Dim b);
[[nodiscard]] std::optional<Type> Unify(Memory& memory, const Type& a, const Type& b);

/// Returns what is true for both `a` and `b`. This is what is known about a value that is either `a` or `b`.
[[nodiscard]] Dim Join(Dim a, Dim b);
[[nodiscard]] Type Join(Memory& memory, const Type& a, const Type& b);

/// Returns the type that the message declares. Unknown dimensions become symbols without a name.
[[nodiscard]] Type FromProto(Memory& memory, const onnx::TypeProto& type);

}  // namespace onnxc::infer
