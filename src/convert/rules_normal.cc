// Softmax and its relatives, normalization, Dropout and recurrent operators.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "convert/rules.h"

namespace onnxc::convert {

// ---- Softmax, LogSoftmax, Hardmax: until version 12 over all axes from `axis` on, since version 13 over one axis

void OverOneAxis(Step& step) {
  const std::int64_t axis = step.Int("axis", 1);
  if (!step.ok()) return;
  if (const std::optional<Integers> shape = step.Shape(0)) {
    const std::int64_t at = axis < 0 ? axis + static_cast<std::int64_t>(shape->size()) : axis;
    const auto is_one = [](std::int64_t size) { return size == 1; };
    if (at >= 0 && at < static_cast<std::int64_t>(shape->size()) &&
        std::ranges::all_of(shape->begin() + at + 1, shape->end(), is_one)) {
      return step.Set("axis", axis);
    }
  }
  const std::string from = step.HasAttribute("axis") ? fmt::format(" <axis = {}>", axis) : "";
  step.Set("axis", -1);
  step.Expand("flat = Flatten{} (in0)\nresult = Self (flat)\nshape = Shape (in0)\nout0 = Reshape{} (result, shape)",
              from, step.target >= 14 ? " <allowzero = 1>" : "");
}

void OverLastAxes(Step& step) {
  const std::int64_t axis = step.Int("axis", -1);
  if (axis == -1) return step.Set("axis", -1);
  const int rank = step.NeedRank(0);
  const std::int64_t at = axis < 0 ? axis + rank : axis;
  if (!step.ok() || at == rank - 1) return step.Set("axis", axis);
  Integers perm(static_cast<std::size_t>(rank));
  std::iota(perm.begin(), perm.end(), 0);
  std::swap(perm[static_cast<std::size_t>(at)], perm.back());
  step.Set("axis", rank - 1);
  step.Expand("last = Transpose <perm = {0}> (in0)\nresult = Self (last)\nout0 = Transpose <perm = {0}> (result)",
              IntsText(perm));
}

// ---- GroupNormalization: scale and bias per group until version 20, per channel since version 21

void ScalePerChannel(Step& step) {
  const std::int64_t groups = step.Int("num_groups", 0);
  const auto shape = step.Shape(0);
  const auto scale = step.RealConstant(1);
  const auto bias = step.RealConstant(2);
  if (!step.ok()) return;
  // Before version 21, the numbers are computed in their own type; since then, without stash_type, as float.
  if (const int own = step.ElementType(0); own != 0 && own != onnx::TensorProto::FLOAT) step.Set("stash_type", own);
  const bool is_constant = shape && shape->size() > 1 && (*shape)[1] > 0 && scale && bias && groups > 0 &&
                           (*shape)[1] % groups == 0 && static_cast<std::int64_t>(scale->size()) == groups &&
                           scale->size() == bias->size();
  if (is_constant) {
    const int type = step.NeedElementType(1);
    const auto repeat = [&](const Reals& values) {
      Reals all;
      for (const double value : values) all.insert(all.end(), static_cast<std::size_t>((*shape)[1] / groups), value);
      return TensorText(type, {(*shape)[1]}, all);
    };
    step.SetInput(1, step.NewConstant("scale", repeat(*scale)));
    return step.SetInput(2, step.NewConstant("bias", repeat(*bias)));
  }
  step.Expand(
      "channels = Shape <start = 1, end = 2> (in0)\ngroups = Constant <value = int64[1] {{{}}}> ()\n"
      "size = Div (channels, groups)\nshape = Concat <axis = 0> (groups, size)\n"
      "column = Constant <value = int64[2] {{-1, 1}}> ()\nlist = Constant <value = int64[1] {{-1}}> ()\n"
      "scales = Reshape (in1, column)\nscale_rows = Expand (scales, shape)\nscale = Reshape (scale_rows, list)\n"
      "biases = Reshape (in2, column)\nbias_rows = Expand (biases, shape)\nbias = Reshape (bias_rows, list)\n"
      "out0 = Self (in0, scale, bias)",
      groups);
}

namespace {

/// Returns `x = ...` for an input in the type in which the operator computes.
std::string CastText(std::string_view result, std::string_view from, bool is_cast, int type) {
  return is_cast ? fmt::format("{} = Cast <to = {}> ({})\n", result, type, from) : "";
}

}  // namespace

void NormalizeGroups(Step& step) {
  const bool per_channel = step.version >= 21;
  const std::int64_t groups = step.Int("num_groups", 1);
  const std::string epsilon = FloatText(step.Float("epsilon", 1e-5F));
  const int type = step.NeedElementType(0);
  const int rank = per_channel ? step.NeedRank(0) : 3;
  if (!step.ok()) return;
  const bool is_cast = per_channel && step.Int("stash_type", 1) == onnx::TensorProto::FLOAT &&
                       type != onnx::TensorProto::FLOAT && type != onnx::TensorProto::DOUBLE;
  const int in = is_cast ? int{onnx::TensorProto::FLOAT} : type;
  std::string text = CastText("x", "in0", is_cast, in);
  text += fmt::format("rows_shape = Constant <value = int64[3] {{0, {}, -1}}> ()\nrows = Reshape ({}, rows_shape)\n",
                      groups, is_cast ? "x" : "in0");
  if (!per_channel) {
    text += fmt::format(
        "normal = InstanceNormalization <epsilon = {}> (rows, in1, in2)\nshape = Shape (in0)\nout0 = Reshape (normal, "
        "shape)",
        epsilon);
    return step.Replace(text);
  }
  const auto count = static_cast<std::size_t>(groups);
  Integers axes;
  for (int i = 1; i < rank - 1; ++i) axes.push_back(i);
  text += fmt::format("one = Constant <value = {}> ()\nzero = Constant <value = {}> ()\n",
                      TensorText(in, {groups}, Reals(count, 1)), TensorText(in, {groups}, Reals(count, 0)));
  text += fmt::format(
      "normal_rows = InstanceNormalization <epsilon = {}> (rows, one, zero)\nshape = Shape (in0)\n{} = Reshape "
      "(normal_rows, shape)\n",
      epsilon, is_cast ? "normal_float" : "normal");
  text += CastText("normal", "normal_float", is_cast, type);
  text += fmt::format(
      "axes = Constant <value = {}> ()\nscale = Unsqueeze (in1, axes)\nbias = Unsqueeze (in2, axes)\nscaled = Mul "
      "(normal, scale)\nout0 = Add (scaled, bias)",
      ListText(axes));
  step.Replace(text);
}

// ---- BatchNormalization

void AddConsumedInputs(Step& step) { step.Set("consumed_inputs", Integers{0, 0, 0, 1, 1}); }

void DropIsTest(Step& step) {
  const bool is_test = step.Int("is_test", 0) != 0;
  step.Remove("is_test");
  if (is_test || step.node().output_size() > 1 || !step.ok()) return;
  step.Warn("it was in training (is_test is 0); since version 7 a node with one output computes the inference");
}
void AddIsTest(Step& step) {
  if (step.node().output_size() == 1 || step.Is("Dropout")) step.Set("is_test", 1);
}

void NormalizeFlat(Step& step) {
  if (step.Int("spatial", 1) != 0 || !step.ok()) return;
  if (step.node().output_size() > 1) return step.Refuse("spatial = 0 in training has no equal form since version 9");
  step.Remove("spatial");
  step.Replace(
      "flat = Flatten <axis = 1> (in0)\nlist = Constant <value = int64[1] {-1}> ()\nscale = Reshape (in1, list)\nbias "
      "= Reshape (in2, list)\n"
      "mean = Reshape (in3, list)\nvar = Reshape (in4, list)\nresult = Self (flat, scale, bias, mean, var)\nshape = "
      "Shape (in0)\nout0 = Reshape (result, shape)");
}

void TrainingMode(Step& step) {
  auto* const outputs = step.node().mutable_output();
  if (outputs->size() <= 1) return;
  if (step.IsRead(3) || step.IsRead(4))
    return step.Refuse("since version 14 there are no outputs saved_mean and saved_var, and one of them is read");
  while (outputs->size() > 3) outputs->RemoveLast();
  step.Set("training_mode", 1);
}

void TrainingOutputs(Step& step) {
  if (step.Int("training_mode", 0) == 0 || !step.ok()) return;
  step.Remove("training_mode");
  step.Replace("out0, out1, out2, saved_mean, saved_var = Self (in0, in1, in2, in3, in4)");
}

void OneTypeOfAll(Step& step) {
  const int type = step.ElementType(0);
  for (int i = 1; i < 5; ++i) {
    const int other = step.ElementType(i);
    if (other == type || other == 0 || type == 0) continue;
    if (step.ElementType(1) != step.ElementType(3)) return step.Refuse("scale and mean have different element types");
    if (step.node().output_size() > 1)
      return step.Refuse("before version 15, all element types are equal, also in training");
    return step.Expand("x = Cast <to = {}> (in0)\ny = Self (x, in1, in2, in3, in4)\nout0 = Cast <to = {}> (y)", other,
                       type);
  }
}

// ---- Dropout

void MaskToDataType(Step& step) {
  if (step.HasOutput(1) && !step.IsRead(1)) step.node().mutable_output()->RemoveLast();
  if (!step.HasOutput(1)) return;
  const int type = step.NeedElementType(0);
  if (!step.ok()) return;
  step.Expand("out0, mask = Self (in0)\nout1 = Cast <to = {}> (mask)", type);
}

void MaskToBool(Step& step) {
  if (step.HasOutput(1) && !step.IsRead(1)) step.node().mutable_output()->RemoveLast();
  if (step.HasOutput(1)) step.Replace("out0, mask = Self (in0)\nout1 = Cast <to = 9> (mask)");
}

// ---- LSTM, GRU, RNN

void DropOutputSequence(Step& step) { step.Remove("output_sequence"); }
void AddOutputSequence(Step& step) {
  if (step.IsRead(0)) step.Set("output_sequence", 1);
}

void WriteForward(Step& step) {
  if (!step.HasAttribute("direction")) step.Set("direction", std::string_view("forward"));
}

void NameBothOutputs(Step& step) {
  if (step.node().output_size() == 2 && step.HasOutput(0) && step.HasOutput(1)) return;
  const auto given = [&](int i) { return step.HasOutput(i) ? fmt::format("out{}", i) : fmt::format("unread_{}", i); };
  std::vector<std::string> inputs;
  for (int i = 0; i < step.node().input_size(); ++i)
    inputs.push_back(step.HasInput(i) ? fmt::format("in{}", i) : "\"\"");
  step.Expand("{}, {} = Self ({})", given(0), given(1), fmt::join(inputs, ", "));
}

void BatchSecond(Step& step) {
  if (step.Int("layout", 0) == 0 || !step.ok()) return;
  step.Remove("layout");
  std::string text;
  std::string after;
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  for (int i = 0; i < step.node().input_size(); ++i) {
    const bool is_turned = i == 0 || i == 5 || i == 6;
    if (is_turned && step.HasInput(i)) text += fmt::format("turned_{0} = Transpose <perm = [1, 0, 2]> (in{0})\n", i);
    inputs.push_back(!step.HasInput(i) ? "\"\"" : fmt::format("{}{}", is_turned ? "turned_" : "in", i));
  }
  for (int i = 0; i < step.node().output_size(); ++i) {
    outputs.push_back(step.HasOutput(i) ? fmt::format("result_{}", i) : "\"\"");
    if (step.HasOutput(i))
      after += fmt::format("out{0} = Transpose <perm = {1}> (result_{0})\n", i, i == 0 ? "[2, 0, 1, 3]" : "[1, 0, 2]");
  }
  step.Replace(fmt::format("{}{} = Self ({})\n{}", text, fmt::join(outputs, ", "), fmt::join(inputs, ", "), after));
}

}  // namespace onnxc::convert
