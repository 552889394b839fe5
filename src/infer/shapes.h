// What the families of operators share.
#pragma once

#include "infer/context.h"

namespace onnxc::infer {

/// The shape that the inputs broadcast to, written to output `out`; unknown where a rank is. False after a clash.
bool BroadcastInputs(NodeContext& context, int first_input, int inputs, int out);

/// Broadcasts two dimensions; nothing where they clash.
[[nodiscard]] std::optional<Dim> BroadcastDims(Dim a, Dim b);

/// Broadcasts `result` with `shape`, whose last axes are the same. False where they clash.
[[nodiscard]] bool BroadcastInto(std::span<const Dim> shape, std::span<Dim> result);

/// Broadcasts `a` and `b`, parts of the shapes of inputs `left` and `right`, into `result`, which has the longer one's
/// rank.
bool BroadcastShapes(NodeContext& context, int left, std::span<const Dim> a, int right, std::span<const Dim> b,
                     std::span<Dim> result);

/// Fails if input `i` does not broadcast to the shape of input `to`, which keeps its shape.
[[nodiscard]] bool CheckBroadcastsTo(NodeContext& context, int i, int to);

/// The axis, counted from 0, of a value of known rank; fails where it is out of range.
[[nodiscard]] std::optional<int> CheckAxis(NodeContext& context, std::int64_t axis, int rank, const Part& blamed,
                                           const Part& value);

/// Fails if the rank of input `i` is known and is not `rank`.
[[nodiscard]] bool CheckRank(NodeContext& context, int i, int rank);
[[nodiscard]] bool CheckRankAtLeast(NodeContext& context, int i, int rank);

/// What two facts about one value say together; nothing where they contradict each other. The first one's symbols win.
[[nodiscard]] std::optional<Dim> Unify(Dim a, Dim b);
[[nodiscard]] std::optional<Type> Unify(Memory& memory, const Type& a, const Type& b);

/// What holds for both of two values, one of which it will be.
[[nodiscard]] Dim Join(Dim a, Dim b);
[[nodiscard]] Type Join(Memory& memory, const Type& a, const Type& b);

/// The type that the message declares; unknown dimensions are symbols without a name.
[[nodiscard]] Type FromProto(Memory& memory, const onnx::TypeProto& type);

}  // namespace onnxc::infer
