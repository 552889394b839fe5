// Nodes that compute the same as an operator in the versions before the operator exists.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "convert/rules.h"
#include "tables/element_types.h"

namespace onnxc::convert {
namespace {

using onnx::TensorProto;

constexpr int kFloat = TensorProto::FLOAT;

bool IsInteger(int type) {
  const ElementType* const row = FindElementType(type);
  return row != nullptr && row->literal == Literal::kInteger && type != TensorProto::BOOL;
}

}  // namespace

// ---- new in 8 and 9

void ExpandByTile(Step& step) {
  const auto target = step.NeedConstant(1, "the shape");
  const auto shape = step.NeedSizes(0);
  if (!step.ok()) return;
  std::string text;
  std::string now = "in0";
  Integers sizes = *shape;
  if (sizes.size() < target->size()) {
    Integers axes;
    for (std::size_t i = 0; i + shape->size() < target->size(); ++i) axes.push_back(static_cast<std::int64_t>(i));
    sizes.insert(sizes.begin(), axes.size(), 1);
    text += fmt::format("row = Unsqueeze <axes = {}> (in0)\n", IntsText(axes));
    now = "row";
  }
  Integers repeats(sizes.size(), 1);
  for (std::size_t i = 0; i < target->size(); ++i) {
    const std::size_t at = sizes.size() - target->size() + i;
    if (sizes[at] == 1) repeats[at] = (*target)[i];
  }
  step.Replace(text + List("repeats", repeats) + fmt::format("out0 = Tile ({}, repeats)", now));
}

void FillByExpand(Step& step) {
  const onnx::AttributeProto* const value = step.Attribute("value");
  const int type = value == nullptr ? kFloat : value->t().data_type();
  const Reals number = value == nullptr ? Reals{0} : RealsOf(value->t());
  if (number.size() != 1) return step.Refuse("its value is not one number, or not one of up to 53 bits");
  step.Expand("value = Constant <value = {}> ()\nout0 = Expand (value, in0)", TensorText(type, {}, number));
}

void SignByComparison(Step& step) {
  const int type = step.NeedElementType(0);
  step.Replace(Scalar(step, "zero", 0) +
               fmt::format("over = Greater (in0, zero)\nunder = Less (in0, zero)\npositive = Cast <to = {0}> "
                           "(over)\nnegative = Cast <to = {0}> (under)\nout0 = Sub (positive, negative)",
                           type));
}

void WhereByProduct(Step& step) {
  const int type = step.NeedElementType(1);
  if (step.ok() && !IsInteger(type))
    return step.Refuse(
        "before version 9 there is no Where, and 0 times infinity is not 0; only integers can be chosen by products");
  step.Expand(
      "chosen = Cast <to = {0}> (in0)\nnot = Not (in0)\nother = Cast <to = {0}> (not)\nfirst = Mul (chosen, "
      "in1)\nsecond = Mul (other, in2)\nout0 = Add (first, second)",
      type);
}

void EyeByConstant(Step& step) {
  const auto shape = step.NeedSizes(0);
  const int given = step.HasAttribute("dtype") ? static_cast<int>(step.Int("dtype", kFloat)) : step.NeedElementType(0);
  const std::int64_t k = step.Int("k", 0);
  constexpr std::int64_t kMost = 1 << 20;
  if (!step.ok()) return;
  if (shape->size() != 2 || (*shape)[0] * (*shape)[1] > kMost)
    return step.Refuse("the matrix is too large for a constant");
  Reals values;
  for (std::int64_t i = 0; i < (*shape)[0]; ++i) {
    for (std::int64_t j = 0; j < (*shape)[1]; ++j) values.push_back(j == i + k ? 1 : 0);
  }
  step.Expand("out0 = Constant <value = {}> ()", TensorText(given, *shape, values));
}

void CompressByGather(Step& step) {
  const auto condition = step.NeedConstant(1, "the condition");
  if (!condition) return;
  Integers indices;
  for (std::size_t i = 0; i < condition->size(); ++i) {
    if ((*condition)[i] != 0) indices.push_back(static_cast<std::int64_t>(i));
  }
  if (step.HasAttribute("axis"))
    return step.Replace(List("indices", indices) +
                        fmt::format("out0 = Gather <axis = {}> (in0, indices)", step.Int("axis", 0)));
  step.Replace(List("list", {-1}) + "flat = Reshape (in0, list)\n" + List("indices", indices) +
               "out0 = Gather <axis = 0> (flat, indices)");
}

void OneHotByEqual(Step& step) {
  const auto depth = step.NeedConstant(1, "the depth");
  const auto values = step.NeedRealConstant(2, "the values");
  const int index = step.NeedElementType(0);
  const int type = step.NeedElementType(2);
  const int rank = step.NeedRank(0);
  if (!step.ok()) return;
  if (index != TensorProto::INT32 && index != TensorProto::INT64)
    return step.Refuse("before version 9, only int32 and int64 are compared");
  // Each value is multiplied by 0 or 1, and the products are added: the sum of a difference and a value is inexact.
  if (!std::ranges::all_of(*values, [](double each) { return std::isfinite(each); }))
    return step.Refuse("0 times a value that is infinite or NaN is not 0");
  const std::int64_t given = step.Int("axis", -1);
  const std::int64_t axis = given < 0 ? given + rank + 1 : given;
  Reals range;
  Integers shape(static_cast<std::size_t>(rank) + 1, 1);
  for (std::int64_t i = 0; i < depth->front(); ++i) range.push_back(static_cast<double>(i));
  shape[static_cast<std::size_t>(axis)] = depth->front();
  step.Expand(
      "range = Constant <value = {0}> ()\ncolumn = Unsqueeze <axes = [{1}]> (in0)\nequal = Equal (column, range)\nhot "
      "= "
      "Cast <to = {2}> (equal)\nother = Not (equal)\ncold = Cast <to = {2}> (other)\non = Constant <value = {3}> "
      "()\noff "
      "= Constant <value = {4}> ()\nones = Mul (hot, on)\nothers = Mul (cold, off)\nout0 = Add (ones, others)",
      TensorText(index, shape, range), axis, type, ScalarText(type, (*values)[1]), ScalarText(type, (*values)[0]));
}

void MeanVarianceByMeans(Step& step) {
  const Integers axes = step.Ints("axes").value_or(Integers{0, 2, 3});
  step.Replace(
      fmt::format("mean = ReduceMean <axes = {0}> (in0)\nsquares = Mul (in0, in0)\nmean_square = ReduceMean <axes = "
                  "{0}> (squares)\n"
                  "square_mean = Mul (mean, mean)\nvariance = Sub (mean_square, square_mean)\nroot = Sqrt (variance)\n",
                  IntsText(axes)) +
      Scalar(step, "epsilon", 1e-9) +
      "deviation = Add (root, epsilon)\ncentred = Sub (in0, mean)\nout0 = Div (centred, deviation)");
}

// ---- new in 10 and 11

void IsInfByComparison(Step& step) {
  const int type = step.NeedElementType(0);
  const bool positive = step.Int("detect_positive", 1) != 0;
  const bool negative = step.Int("detect_negative", 1) != 0;
  const double most = type == TensorProto::DOUBLE ? std::numeric_limits<double>::max()
                                                  : static_cast<double>(std::numeric_limits<float>::max());
  if (!positive && !negative) return step.Refuse("it detects nothing");
  if (positive && negative)
    return step.Replace(Scalar(step, "most", most) + "size = Abs (in0)\nout0 = Greater (size, most)");
  step.Replace(Scalar(step, "most", positive ? most : -most) +
               fmt::format("out0 = {} (in0, most)", positive ? "Greater" : "Less"));
}

void ProductOfCasts(Step& step) {
  std::string text = "left = Cast <to = 6> (in0)\nright = Cast <to = 6> (in1)\n";
  std::string operands[] = {"left", "right"};
  for (int i = 0; i < 2; ++i) {
    if (!step.HasInput(i + 2)) continue;
    text += fmt::format("zero_{0} = Cast <to = 6> (in{1})\n", i, i + 2);
    std::string zero = fmt::format("zero_{}", i);
    if (i == 0 && step.NeedRank(2) == 1) {
      text += "zero_column = Unsqueeze <axes = [1]> (zero_0)\n";
      zero = "zero_column";
    }
    text += fmt::format("centred_{0} = Sub ({1}, {2})\n", i, operands[i], zero);
    operands[i] = fmt::format("centred_{}", i);
  }
  step.Expand("{}out0 = MatMul ({}, {})", text, operands[0], operands[1]);
}

void ModByDivision(Step& step) {
  const int type = step.NeedElementType(0);
  if (step.ok() && type != TensorProto::INT32 && type != TensorProto::INT64)
    return step.Refuse("before version 10, only the remainder of int32 and int64 can be computed exactly");
  const std::string remainder = "quotient = Div (in0, in1)\nproduct = Mul (quotient, in1)\n";
  if (step.Int("fmod", 0) != 0) return step.Replace(remainder + "out0 = Sub (in0, product)");
  step.Replace(remainder + "remainder = Sub (in0, product)\n" + Scalar(step, "zero", 0) +
               "sign = Mul (remainder, in1)\nis_other = Less (sign, zero)\nmoved = Add (remainder, in1)\nout0 = Where "
               "(is_other, moved, remainder)");
}

void ReverseRows(Step& step) {
  const auto lengths = step.NeedConstant(1, "the lengths");
  const auto shape = step.NeedSizes(0);
  const std::int64_t batch = step.Int("batch_axis", 1);
  const std::int64_t time = step.Int("time_axis", 0);
  if (!step.ok()) return;
  std::string text;
  std::vector<std::string> rows;
  for (std::size_t i = 0; i < lengths->size(); ++i) {
    Integers order;
    const std::int64_t size = (*shape)[static_cast<std::size_t>(time)];
    for (std::int64_t j = 0; j < size; ++j) order.push_back(j < (*lengths)[i] ? (*lengths)[i] - 1 - j : j);
    text += List(fmt::format("row_{}", i), {static_cast<std::int64_t>(i)}) + List(fmt::format("order_{}", i), order);
    text += fmt::format(
        "element_{0} = Gather <axis = {1}> (in0, row_{0})\nreversed_{0} = Gather <axis = {2}> (element_{0}, "
        "order_{0})\n",
        i, batch, time);
    rows.push_back(fmt::format("reversed_{}", i));
  }
  step.Expand("{}out0 = Concat <axis = {}> ({})", text, batch, fmt::join(rows, ", "));
}

void ReluOverThreshold(Step& step) {
  step.Replace(Scalar(step, "alpha", step.Float("alpha", 1)) + Scalar(step, "zero", 0) +
               "is_over = Greater (in0, alpha)\nout0 = Where (is_over, in0, zero)");
}

void ShiftByProduct(Step& step) {
  const auto shift = step.NeedConstant(1, "the shift");
  const int type = step.NeedElementType(0);
  if (!step.ok()) return;
  if (type != TensorProto::UINT32 && type != TensorProto::UINT64)
    return step.Refuse("before version 11, products of this type do not exist");
  Reals powers;
  for (const std::int64_t each : *shift) {
    if (each < 0 || each > 31) return step.Refuse("the shift is too large for a product");
    powers.push_back(std::ldexp(1.0, static_cast<int>(each)));
  }
  const bool is_left = step.String("direction", "") == "LEFT";
  step.Expand("power = Constant <value = {}> ()\nout0 = {} (in0, power)", TensorText(type, *step.Shape(1), powers),
              is_left ? "Mul" : "Div");
}

void RangeByLoop(Step& step) {
  const int type = step.NeedElementType(0);
  if (!step.ok()) return;
  const auto start = step.RealConstant(0);
  const auto limit = step.RealConstant(1);
  const auto delta = step.RealConstant(2);
  if (start && limit && delta && start->size() == 1 && limit->size() == 1 && delta->size() == 1 &&
      delta->front() != 0) {
    const double count = std::max(std::ceil((limit->front() - start->front()) / delta->front()), 0.0);
    constexpr double kMost = 1 << 20;
    if (count <= kMost) {
      Reals values;
      for (double i = 0; i < count; ++i) values.push_back(start->front() + i * delta->front());
      return step.Expand("out0 = Constant <value = {}> ()",
                         TensorText(type, {static_cast<std::int64_t>(count)}, values));
    }
  }
  step.Expand(
      "distance = Sub (in1, in0)\ndistance_real = Cast <to = 11> (distance)\ndelta_real = Cast <to = 11> (in2)\nsteps "
      "= Div (distance_real, delta_real)\n"
      "whole = Ceil (steps)\npositive = Relu (whole)\ncount = Cast <to = 7> (positive)\nis_any = Cast <to = 9> "
      "(positive)\n"
      "last, out0 = Loop <body = numbers (int64 i, bool more, {0} before) => (bool again, {0} after, {0} number) {{\n"
      "again = Identity (more)\nafter = Add (before, in2)\nnumber = Identity (before)\n}}> (count, is_any, in0)",
      KeywordOf(type));
}

void CumulateByScan(Step& step) {
  const auto axis_list = step.NeedConstant(1, "the axis");
  const auto shape = step.NeedSizes(0);
  const int type = step.NeedElementType(0);
  if (!step.ok() || axis_list->size() != 1) return;
  const std::int64_t rank = static_cast<std::int64_t>(shape->size());
  const std::int64_t axis = axis_list->front() < 0 ? axis_list->front() + rank : axis_list->front();
  if (axis < 0 || axis >= rank) return step.Refuse("the axis is out of range");
  const bool is_product = step.Is("CumProd");
  Integers rest = *shape;
  rest.erase(rest.begin() + axis);
  std::size_t count = 1;
  for (const std::int64_t size : rest) count *= static_cast<std::size_t>(size);
  const Reals firsts(count, is_product ? 1 : 0);
  const std::string first = TensorText(type, rest, firsts);
  const std::string element =
      rest.empty() ? std::string(KeywordOf(type)) : fmt::format("{}[{}]", KeywordOf(type), fmt::join(rest, ", "));
  const std::int64_t direction = step.Int("reverse", 0) != 0 ? 1 : 0;
  step.Expand(
      "first = Constant <value = {0}> ()\n"
      "last, out0 = Scan <num_scan_inputs = 1, scan_input_axes = [{1}], scan_output_axes = [{1}], "
      "scan_input_directions = [{2}], scan_output_directions = [{2}], "
      "body = sums ({3} before, {3} element) => ({3} after, {3} sum) {{\nafter = {4} (before, element)\nsum = Identity "
      "({5})\n}}> (first, in0)",
      first, axis, direction, element, is_product ? "Mul" : "Add", step.Int("exclusive", 0) != 0 ? "before" : "after");
}

void ConcatOfParts(Step& step) {
  const InferredValue* const sequence = step.Value(0);
  const auto* const maker = sequence == nullptr ? nullptr : dynamic_cast<const onnx::NodeProto*>(sequence->owner);
  if (maker == nullptr || maker->op_type() != "SequenceConstruct")
    return step.Refuse(
        "before version 11 there are no sequences, and its sequence is not made by a SequenceConstruct of the same "
        "graph");
  const bool is_new = step.Int("new_axis", 0) != 0;
  std::int64_t axis = step.Int("axis", 0);
  for (const std::string& part : maker->input()) step.node().add_input(part);
  if (axis < 0) axis += step.NeedRank(1) + (is_new ? 1 : 0);  // before version 11, no axis is negative
  if (!step.ok()) return;
  std::string text;
  std::vector<std::string> parts;
  for (int i = 0; i < maker->input_size(); ++i) {
    parts.push_back(fmt::format("in{}", i + 1));
    if (!is_new) continue;
    text += fmt::format("part_{0} = Unsqueeze <axes = [{1}]> (in{0})\n", i + 1, axis);
    parts.back() = fmt::format("part_{}", i + 1);
  }
  step.Expand("{}out0 = Concat <axis = {}> ({})", text, axis, fmt::join(parts, ", "));
}

// ---- new in 12

void CeluByElu(Step& step) {
  step.Replace(Scalar(step, "alpha", step.Float("alpha", 1)) +
               "scaled = Div (in0, alpha)\nelu = Elu (scaled)\nout0 = Mul (alpha, elu)");
}

void CompareOrEqual(Step& step) {
  step.Expand("strict = {} (in0, in1)\nequal = Equal (in0, in1)\nout0 = Or (strict, equal)",
              step.Is("GreaterOrEqual") ? "Greater" : "Less");
}

namespace {

/// Returns the nodes of a NegativeLogLikelihoodLoss of the value `scores` and the inputs 1 and 2.
std::string LossText(Step& step, std::string_view scores) {
  const std::string reduction = step.String("reduction", "mean");
  const bool ignores = step.HasAttribute("ignore_index");
  const int target = step.NeedElementType(1);
  const int type = step.NeedElementType(0);
  std::string text = "column = Unsqueeze <axes = [1]> (in1)\n";
  std::string column = "column";
  if (ignores) {
    text += fmt::format(
        "ignored = Constant <value = {}> ()\nno_class = Constant <value = {}> ()\nis_ignored = Equal (column, "
        "ignored)\nsafe = Where (is_ignored, no_class, column)\n",
        ScalarText(target, static_cast<double>(step.Int("ignore_index", 0))), ScalarText(target, 0));
    column = "safe";
  }
  const bool is_weighted = step.HasInput(2) || ignores;
  text +=
      fmt::format("likelihood = GatherElements <axis = 1> ({}, {})\nloss_column = Neg (likelihood)\n", scores, column);
  if (step.HasInput(2)) text += fmt::format("class_weight = Gather (in2, {})\n", column);
  if (ignores) {
    text += fmt::format("no_weight = Constant <value = {}> ()\n", ScalarText(type, 0));
    if (!step.HasInput(2)) text += fmt::format("class_weight = Constant <value = {}> ()\n", ScalarText(type, 1));
    text += "weight = Where (is_ignored, no_weight, class_weight)\n";
  }
  const std::string weight = ignores ? "weight" : "class_weight";
  if (is_weighted) text += fmt::format("weighted = Mul (loss_column, {})\n", weight);
  text += fmt::format("loss = Squeeze <axes = [1]> ({})\n", is_weighted ? "weighted" : "loss_column");
  if (reduction == "none") return text + "out0 = Identity (loss)\n";
  if (reduction == "sum") return text + "out0 = ReduceSum <keepdims = 0> (loss)\n";
  if (!is_weighted) return text + "out0 = ReduceMean <keepdims = 0> (loss)\n";
  return text + fmt::format(
                    "total = ReduceSum <keepdims = 0> (loss)\nweights = ReduceSum <keepdims = 0> ({})\nout0 = Div "
                    "(total, weights)\n",
                    weight);
}

}  // namespace

void LossByGather(Step& step) { step.Replace(LossText(step, "in0")); }

void CrossEntropyByLoss(Step& step) {
  const int rank = step.NeedRank(0);
  if (!step.ok()) return;
  const std::string result = step.HasOutput(1) ? "out1" : "log_prob";
  std::string text;
  if (rank == 2) {
    text = fmt::format("{} = LogSoftmax <axis = 1> (in0)\n", result);
  } else {
    text = List("three", {0, 0, -1}) +
           fmt::format(
               "rows = Reshape (in0, three)\nlast = Transpose <perm = [0, 2, 1]> (rows)\nlogs = LogSoftmax <axis = 2> "
               "(last)\n"
               "back = Transpose <perm = [0, 2, 1]> (logs)\nshape = Shape (in0)\n{} = Reshape (back, shape)\n",
               result);
  }
  step.Replace(text + LossText(step, result));
}

void EinsumByMatMul(Step& step) {
  std::string equation = step.String("equation", "");
  std::erase(equation, ' ');
  const auto comma = equation.find(',');
  const auto arrow = equation.find("->");
  if (step.node().input_size() != 2 || comma == std::string::npos || arrow == std::string::npos)
    return step.Refuse("before version 12 there is no Einsum, and it is not a product of two matrices");
  const std::string left = equation.substr(0, comma);
  const std::string right = equation.substr(comma + 1, arrow - comma - 1);
  const std::string out = equation.substr(arrow + 2);
  // batch letters, then one letter of each operand, and one letter that both have and the result has not
  const auto refuse = [&] { step.Refuse("before version 12 there is no Einsum, and it is not a product of matrices"); };
  if (out.size() < 2 || left.size() != out.size() || right.size() != out.size()) return refuse();
  std::string batch;
  char row = 0;
  char column = 0;
  char sum = 0;
  for (const char c : left) {
    const bool in_right = right.find(c) != std::string::npos;
    const bool in_out = out.find(c) != std::string::npos;
    if (!std::isalpha(static_cast<unsigned char>(c)) || std::ranges::count(left, c) != 1) return refuse();
    (in_right && in_out ? (batch += c, c) : in_right ? sum = c : row = c);
  }
  for (const char c : right) {
    if (left.find(c) == std::string::npos) column = c;
    if (std::ranges::count(right, c) != 1) return refuse();
  }
  if (row == 0 || column == 0 || sum == 0 || batch.size() != out.size() - 2) return refuse();
  const auto transposed = [&](const std::string& from, const std::string& to, std::string_view in,
                              std::string_view result) {
    Integers perm;
    for (const char c : to) perm.push_back(static_cast<std::int64_t>(from.find(c)));
    return fmt::format("{} = Transpose <perm = {}> ({})\n", result, IntsText(perm), in);
  };
  const auto all = [](const std::string& word, const std::string& letters) {
    return std::ranges::all_of(letters, [&](char c) { return word.find(c) != std::string::npos; });
  };
  const std::string product = batch + row + column;
  if (!all(out, product) || !all(left, batch + row + sum) || !all(right, batch + sum + column)) return refuse();
  step.Replace(transposed(left, batch + row + sum, "in0", "first") +
               transposed(right, batch + sum + column, "in1", "second") + "product = MatMul (first, second)\n" +
               transposed(product, out, "product", "out0"));
}

}  // namespace onnxc::convert
