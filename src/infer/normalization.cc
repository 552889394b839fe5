// Normalization: the output has the shape of the input, and some operators also produce statistics.
#include <fmt/format.h>

#include "infer/operands.h"
#include "infer/registry.h"

namespace onnxc::infer {

/// Scale, bias, mean and variance have one number for each channel.
void BatchNormalization(NodeContext& context) {
  context.CopyShape(0, 0);
  const bool by_channel = context.Int("spatial", 1) == 1;  // until version 9
  Size channels;
  if (context.Rank(0) == 1) channels.dim = 1;
  if (!Match(context, 0, 1, channels)) return;
  for (int i = 1; by_channel && i < 5; ++i) {
    if (!MatchShape(context, i, {&channels})) return;
  }
  if (context.op().since >= 14) {
    const int wanted = context.Int("training_mode", 0) != 0 ? 3 : 1;
    if (context.outputs() != wanted) {
      FailAttribute(context, "training_mode", context.Int("training_mode", 0),
                    wanted == 3 ? "0, or the node must have three outputs" : "1, or the node must have one output");
      return;
    }
  }
  for (int i = 1; by_channel && i < context.outputs(); ++i) context.SetShape(i, {channels.dim});
}

void InstanceNormalization(NodeContext& context) {
  context.CopyShape(0, 0);
  Size channels;
  if (Match(context, 0, 1, channels) && MatchShape(context, 1, {&channels})) {
    (void)MatchShape(context, 2, {&channels});
  }
}

/// Scale and bias have one number for each channel. Before version 21, they have one number for each group.
void GroupNormalization(NodeContext& context) {
  context.CopyShape(0, 0);
  const std::int64_t groups = context.Int("num_groups", 1);
  if (groups < 1) {
    FailAttribute(context, "num_groups", groups, "positive");
    return;
  }
  Size channels;
  if (!Match(context, 0, 1, channels)) return;
  if (channels.dim.IsNumber() && channels.dim.number() % groups != 0) {
    FailDimension(context, 0, 1, fmt::format("a multiple of 'num_groups', {}", groups));
    return;
  }
  Size each = context.op().since < 21 ? Size{.dim = groups} : channels;
  for (const int input : {1, 2}) {  // runtimes also accept one number for all channels
    if (!MayBeSingle(context, input) && !MatchCount(context, input, each)) return;
  }
}

/// The outputs for the mean and the inverse deviation have size 1 on the normalized axes.
void LayerNormalization(NodeContext& context) {
  context.CopyShape(0, 0);
  // Existing models use 0 (UNDEFINED), which ONNX Runtime accepts.
  const bool has_stash = context.Int("stash_type", onnx::TensorProto::FLOAT) != onnx::TensorProto::UNDEFINED;
  const auto stash = has_stash ? ElementOf(context, "stash_type", onnx::TensorProto::FLOAT) : std::nullopt;
  if (has_stash && !stash) return;
  for (int i = 1; i < context.outputs() && stash; ++i) context.SetElement(i, *stash);
  if (!context.HasRank(0)) return;
  const auto axis = AxisOf(context, "axis", -1, context.Rank(0), In(0));
  if (!axis) return;
  const std::span<Dim> result = context.NewShape(context.Rank(0));
  std::fill(result.begin(), result.end(), Dim(1));
  std::copy_n(context.Shape(0).begin(), *axis, result.begin());
  if (!CheckBroadcastsTo(context, 1, 0) || !CheckBroadcastsTo(context, 2, 0)) return;
  for (int i = 1; i < context.outputs(); ++i) context.SetShape(i, result);
}

/// Infers Softmax and similar operators, which have an attribute with an axis. The output has the shape of the first
/// input.
void AlongAxis(NodeContext& context) {
  context.CopyShape(0, 0);
  if (!context.HasRank(0) || context.op().since < 11) return;
  (void)AxisOf(context, "axis", context.op().since < 13 ? 1 : -1, context.Rank(0), In(0));
}

void RmsNormalization(NodeContext& context) {
  context.CopyShape(0, 0);
  if (context.HasRank(0) && AxisOf(context, "axis", -1, context.Rank(0), In(0))) (void)CheckBroadcastsTo(context, 1, 0);
}

/// Each output, including the mask of Dropout, has the shape of the first input.
void Dropout(NodeContext& context) {
  for (int i = 0; i < context.outputs(); ++i) context.CopyShape(0, i);
  if (CheckRank(context, 1, 0)) (void)CheckRank(context, 2, 0);
}

/// Works along an axis, like Softmax.
void QuantizedSoftmax(NodeContext& context) {
  context.CopyShape(0, 0);
  if (context.HasRank(0)) (void)AxisOf(context, "axis", -1, context.Rank(0), In(0));
}

/// Two inputs are added and normalized along the last axis. The lists that follow have one number for each element of
/// that axis. The last output is the sum.
void SkipNormalization(NodeContext& context) {
  constexpr int kSum = 3;
  if (context.Float("epsilon", 0) < 0) {
    FailAttribute(context, "epsilon", "negative", "at least 0");
    return;
  }
  context.CopyShape(0, 0);
  context.CopyShape(0, kSum);
  if (!context.HasRank(0) || !CheckRankAtLeast(context, 0, 1)) return;
  Size hidden;
  if (!Match(context, 0, context.Rank(0) - 1, hidden)) return;
  if (context.Rank(1) > 0 && !Match(context, 1, context.Rank(1) - 1, hidden)) return;
  for (int i = 2; i < context.inputs(); ++i) {
    if (context.HasInput(i) && !MatchShape(context, i, {&hidden})) return;
  }
}

namespace {

/// The inputs are the ids of words and of segments, [batch, sequence], followed by three tables. The tables have a row
/// for each word, each position and each segment.
void Embed(NodeContext& context, std::initializer_list<int> lists, bool has_sum) {
  Size batch, sequence, hidden;
  if (!MatchShape(context, 0, {&batch, &sequence}) || !MatchShape(context, 1, {&batch, &sequence})) return;
  for (const int table : {2, 3, 4}) {
    Size rows;
    if (!MatchShape(context, table, {&rows, &hidden})) return;
  }
  for (const int list : lists) {
    if (!MatchShape(context, list, {&hidden})) return;
  }
  if (!MatchShape(context, 7, {&batch, &sequence})) return;
  context.SetShape(0, {batch.dim, sequence.dim, hidden.dim});
  context.SetShape(1, {batch.dim});
  if (has_sum) context.SetShape(2, {batch.dim, sequence.dim, hidden.dim});
}

}  // namespace

void EmbedLayerNormalization(NodeContext& context) { Embed(context, {5, 6}, true); }

void QuantizedEmbedLayerNormalization(NodeContext& context) { Embed(context, {5, 6}, false); }

}  // namespace onnxc::infer
