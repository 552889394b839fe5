// Attention.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "convert/rules.h"

namespace onnxc::convert {

void MaskOfWindow(Step& step) {
  const std::int64_t left = step.Int("left_window_size", -1);
  const std::int64_t right = step.Int("right_window_size", -1);
  if (!step.ok()) return;
  step.Remove("left_window_size");
  step.Remove("right_window_size");
  if (left < 0 && right < 0) return;
  for (const int i : {3, 4, 5, 6}) {
    if (step.HasInput(i))
      return step.Refuse("before version 25, a window would be a mask, and the node has a mask or earlier keys");
  }
  const auto query = step.NeedSizes(0);
  const auto key = step.NeedSizes(1);
  if (!step.ok() || query->size() < 3 || key->size() < 3) return;
  const std::int64_t rows = (*query)[query->size() - 2];
  const std::int64_t columns = (*key)[key->size() - 2];
  Reals mask;
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < columns; ++j)
      mask.push_back((left < 0 || j >= i - left) && (right < 0 || j <= i + right) ? 1 : 0);
  }
  step.SetInput(3, step.NewConstant("window", TensorText(onnx::TensorProto::BOOL, {rows, columns}, mask)));
}

void AttentionBySoftmax(Step& step) {
  const int type = step.NeedElementType(0);
  const auto query = step.Shape(0);
  const auto key = step.Shape(1);
  const auto value = step.Shape(2);
  if (!query || !key || !value) return step.RefuseUnknown("shape", !query ? 0 : !key ? 1 : 2);
  const auto unknown = [&](std::int64_t size) { return size < 0; };
  const bool is_3d = query->size() == 3;
  const std::int64_t heads = is_3d ? step.Int("q_num_heads", 0) : (*query)[1];
  const std::int64_t kv_heads = is_3d ? step.Int("kv_num_heads", heads) : (*key)[1];
  if (unknown(heads) || unknown(kv_heads) || heads <= 0 || kv_heads <= 0 || unknown(query->back()))
    return step.RefuseUnknown("number of heads and their size", 0);
  const std::int64_t head_size = is_3d ? query->back() / heads : query->back();
  if (step.HasOutput(3)) return step.Refuse("the output qk_matmul_output has no equal before version 23");
  const float softcap = step.Float("softcap", 0);
  const bool is_causal = step.Int("is_causal", 0) != 0;
  const int softmax_type =
      static_cast<int>(step.HasAttribute("softmax_precision") ? step.Int("softmax_precision", 0) : 0);
  const double scale =
      step.HasAttribute("scale") ? step.Float("scale", 1) : 1 / std::sqrt(static_cast<double>(head_size));
  if (!step.ok()) return;
  std::string text;
  std::string names[] = {"in0", "in1", "in2"};
  for (int i = 0; is_3d && i < 3; ++i) {  // [batch, length, heads * size] to [batch, heads, length, size]
    text += fmt::format(
        "split_{0} = Constant <value = int64[4] {{0, 0, {1}, -1}}> ()\nrows_{0} = Reshape (in{0}, "
        "split_{0})\nheads_{0} = Transpose <perm = [0, 2, 1, 3]> (rows_{0})\n",
        i, i == 0 ? heads : kv_heads);
    names[i] = fmt::format("heads_{}", i);
  }
  for (int i = 1; i < 3; ++i) {
    const std::string present = step.HasOutput(i) ? fmt::format("out{}", i) : fmt::format("present_{}", i);
    if (step.HasInput(i + 3)) {
      text += fmt::format("{} = Concat <axis = 2> (in{}, {})\n", present, i + 3, names[i]);
      names[i] = present;
    } else if (step.HasOutput(i)) {
      text += fmt::format("{} = Identity ({})\n", present, names[i]);
    }
    if (heads == kv_heads) continue;
    // each head of the keys serves `heads / kv_heads` heads of the query
    Integers order;
    for (std::int64_t j = 0; j < heads; ++j) order.push_back(j / (heads / kv_heads));
    text += fmt::format("order_{0} = Constant <value = {1}> ()\nrepeated_{0} = Gather <axis = 1> ({2}, order_{0})\n", i,
                        ListText(order), names[i]);
    names[i] = fmt::format("repeated_{}", i);
  }
  text += fmt::format(
      "scale = Constant <value = {}> ()\nscaled_query = Mul ({}, scale)\nscaled_key = Mul ({}, scale)\n"
      "turned_key = Transpose <perm = [0, 1, 3, 2]> (scaled_key)\nproduct = MatMul (scaled_query, turned_key)\n",
      ScalarText(type, std::sqrt(scale)), names[0], names[1]);
  std::string scores = "product";
  if (softcap != 0) {
    text += fmt::format(
        "cap = Constant <value = {}> ()\ncapped_ratio = Div ({}, cap)\ncapped_curve = Tanh (capped_ratio)\ncapped = "
        "Mul (capped_curve, cap)\n",
        ScalarText(type, softcap), scores);
    scores = "capped";
  }
  text += fmt::format("lowest = Constant <value = {}> ()\n",
                      type == onnx::TensorProto::FLOAT16 ? "float16 {64512}" : ScalarText(type, -INFINITY));
  if (is_causal) {
    text += fmt::format(
        "scores_shape = Shape ({})\nrow_axis = Constant <value = int64 {{2}}> ()\ncolumn_axis = Constant <value = "
        "int64 {{3}}> ()\nrow_count = Gather (scores_shape, row_axis)\n"
        "column_count = Gather (scores_shape, column_axis)\nfirst = Constant <value = int64 {{0}}> ()\nnext = Constant "
        "<value = int64 {{1}}> ()\nrows = Range (first, row_count, next)\n"
        "columns = Range (first, column_count, next)\nlast_axis = Constant <value = int64[1] {{1}}> ()\nrow_column = "
        "Unsqueeze (rows, last_axis)\n",
        scores);
    std::string limit = "row_column";
    if (step.HasInput(4)) {
      text +=
          "past_shape = Shape (in4)\npast_count = Gather (past_shape, row_axis)\nrow_shifted = Add (row_column, "
          "past_count)\n";
      limit = "row_shifted";
    }
    text += fmt::format("is_later = Greater (columns, {})\ncausal = Where (is_later, lowest, {})\n", limit, scores);
    scores = "causal";
  }
  if (step.HasInput(3)) {
    const int mask = step.NeedElementType(3);
    text += mask == onnx::TensorProto::BOOL ? fmt::format("masked = Where (in3, {}, lowest)\n", scores)
                                            : fmt::format("masked = Add ({}, in3)\n", scores);
    scores = "masked";
  }
  // The softmax of a row in which everything is masked is not a number; the operator gives 0 there.
  const std::string weights = is_causal || step.HasInput(3) ? "row_weights" : "weights";
  if (softmax_type != 0 && softmax_type != type) {
    text += fmt::format(
        "precise = Cast <to = {}> ({})\nprecise_weights = Softmax <axis = -1> (precise)\n{} = Cast <to = {}> "
        "(precise_weights)\n",
        softmax_type, scores, weights, type);
  } else {
    text += fmt::format("{} = Softmax <axis = -1> ({})\n", weights, scores);
  }
  if (weights != "weights") {
    text += fmt::format(
        "last_axes = Constant <value = int64[1] {{-1}}> ()\nhighest = ReduceMax ({}, last_axes)\nis_lost = Equal "
        "(highest, lowest)\nnone = Constant <value = {}> ()\n"
        "weights = Where (is_lost, none, row_weights)\n",
        scores, ScalarText(type, 0));
  }
  text += fmt::format("{} = MatMul (weights, {})\n", is_3d ? "result" : "out0", names[2]);
  if (is_3d)
    text +=
        "turned_result = Transpose <perm = [0, 2, 1, 3]> (result)\njoined = Constant <value = int64[3] {0, 0, -1}> "
        "()\nout0 = Reshape (turned_result, joined)\n";
  step.Replace(text);
}

}  // namespace onnxc::convert
