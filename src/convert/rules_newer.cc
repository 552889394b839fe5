// Nodes that compute the same as an operator that is new in version 14 or later, in the versions before it.
#include <fmt/format.h>

#include <cmath>

#include "convert/rules.h"

namespace onnxc::convert {

using onnx::TensorProto;

// ---- new in 14 to 18

void HardSwishByHardSigmoid(Step& step) {
  step.Expand("gate = HardSigmoid <alpha = {}, beta = 0.5> (in0)\nout0 = Mul (in0, gate)", 1.0F / 6.0F);
}

void TriluByMask(Step& step) {
  const auto shape = step.Shape(0);
  const auto k_list = step.HasInput(1) ? step.NeedConstant(1, "k") : std::optional<Integers>(Integers{0});
  if (!step.ok()) return;
  constexpr std::int64_t kMost = 1 << 20;
  if (!shape || shape->size() < 2 || (*shape)[shape->size() - 1] < 0 || (*shape)[shape->size() - 2] < 0)
    return step.RefuseUnknown("last two sizes", 0);
  const std::int64_t rows = (*shape)[shape->size() - 2];
  const std::int64_t columns = shape->back();
  const std::int64_t k = k_list->empty() ? 0 : k_list->front();
  if (rows * columns > kMost) return step.Refuse("the mask is too large for a constant");
  const bool upper = step.Int("upper", 1) != 0;
  Reals mask;
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < columns; ++j) mask.push_back((upper ? j >= i + k : j <= i + k) ? 1 : 0);
  }
  step.Replace(fmt::format("mask = Constant <value = {}> ()\n", TensorText(TensorProto::BOOL, {rows, columns}, mask)) +
               Scalar(step, "zero", 0) + "out0 = Where (mask, in0, zero)");
}

void CastToKnown(Step& step) {
  const int type = step.NeedElementType(1);
  if (step.ok()) step.Expand("out0 = Cast <to = {}> (in0)", type);
}

void BernoulliByUniform(Step& step) {
  const int type =
      step.HasAttribute("dtype") ? static_cast<int>(step.Int("dtype", TensorProto::FLOAT)) : step.NeedElementType(0);
  const std::string seed =
      step.HasAttribute("seed") ? fmt::format(", seed = {}", FloatText(step.Float("seed", 0))) : "";
  step.Warn("the numbers are random; their distribution is the same");
  step.Expand(
      "random = RandomUniformLike <dtype = {}, high = 1.0, low = 0.0{}> (in0)\nis_less = Less (random, in0)\nout0 = "
      "Cast <to = {}> (is_less)",
      step.NeedElementType(0), seed, type);
}

namespace {
const onnx::NodeProto* OptionalOf(Step& step) {
  const InferredValue* const value = step.Value(0);
  const auto* const maker = value == nullptr ? nullptr : dynamic_cast<const onnx::NodeProto*>(value->owner);
  if (maker != nullptr && maker->op_type() == "Optional") return maker;
  step.Refuse(
      "before version 15 there are no optional values, and its value is not made by an Optional of the same graph");
  return nullptr;
}
}  // namespace

void ElementOfOptional(Step& step) {
  const onnx::NodeProto* const maker = OptionalOf(step);
  if (maker == nullptr) return;
  if (maker->input_size() == 0) return step.Refuse("its value has no element");
  step.SetInput(0, maker->input(0));
  step.Replace("out0 = Identity (in0)");
}
void IsOptionalFull(Step& step) {
  if (const onnx::NodeProto* const maker = OptionalOf(step))
    step.Expand("out0 = Constant <value = bool {{{}}}> ()", maker->input_size());
}
void DropMaker(Step& step) {
  if (step.IsRead(0) && !step.Is("Optional") && !step.Is("SequenceConstruct")) return;
  step.Replace("");
}

namespace {
void WindowByCosines(Step& step, double first, double second, double third) {
  const std::int64_t type = step.Int("output_datatype", TensorProto::FLOAT);
  const bool is_periodic = step.Int("periodic", 1) != 0;
  step.Expand(
      "size = Cast <to = 1> (in0)\nzero = Constant <value = float {{0}}> ()\none = Constant <value = float {{1}}> "
      "()\nturn = Constant <value = float {{6.2831855}}> ()\n"
      "{}angle = Div (turn, {})\nplaces = Range (zero, size, one)\nangles = Mul (places, angle)\ncosines = Cos "
      "(angles)\n"
      "a = Constant <value = float {{{}}}> ()\nb = Constant <value = float {{{}}}> ()\nwave = Mul (cosines, b)\nraised "
      "= Sub (a, wave)\n"
      "double_angles = Add (angles, angles)\ndouble_cosines = Cos (double_angles)\nc = Constant <value = float {{{}}}> "
      "()\ndouble_wave = Mul (double_cosines, c)\n"
      "window = Add (raised, double_wave)\nout0 = Cast <to = {}> (window)",
      is_periodic ? "" : "last = Sub (size, one)\n", is_periodic ? "size" : "last", first, second, third, type);
}
}  // namespace
void HannByCosine(Step& step) { WindowByCosines(step, 0.5, 0.5, 0); }
void HammingByCosine(Step& step) { WindowByCosines(step, 25.0 / 46.0, 21.0 / 46.0, 0); }
void BlackmanByCosine(Step& step) { WindowByCosines(step, 0.42, 0.5, 0.08); }

namespace {

/// Returns the axes from `axis` to the last one, as an attribute or an input takes them.
std::optional<Integers> AxesFrom(Step& step, std::int64_t axis) {
  Integers axes;
  if (axis >= 0) {
    const int rank = step.NeedRank(0);
    if (!step.ok()) return std::nullopt;
    axis -= rank;
  }
  for (; axis < 0; ++axis) axes.push_back(axis);
  return axes;
}

}  // namespace

void LayerByMeans(Step& step) {
  const auto axes = AxesFrom(step, step.Int("axis", -1));
  const int type = step.NeedElementType(0);
  const int stash = static_cast<int>(step.Int("stash_type", 1));
  if (!axes || !step.ok()) return;
  const std::string mean = step.HasOutput(1) ? "out1" : "mean";
  const std::string inverse = step.HasOutput(2) ? "out2" : "inverse";
  const bool is_cast = type != stash;
  std::string text = is_cast ? fmt::format("x = Cast <to = {}> (in0)\n", stash) : "";
  const std::string x = is_cast ? "x" : "in0";
  text += fmt::format(
      "{0} = ReduceMean <axes = {1}> ({2})\ncentred = Sub ({2}, {0})\nsquares = Mul (centred, centred)\nvariance = "
      "ReduceMean <axes = {1}> (squares)\n"
      "epsilon = Constant <value = {3}> ()\nsum = Add (variance, epsilon)\ndeviation = Sqrt (sum)\n",
      mean, IntsText(*axes), x, ScalarText(stash, step.Float("epsilon", 1e-5F)));
  if (step.HasOutput(2)) text += fmt::format("{} = Reciprocal (deviation)\n", inverse);
  text += "normal = Div (centred, deviation)\n";
  std::string now = "normal";
  if (is_cast) {
    text += fmt::format("normal_cast = Cast <to = {}> (normal)\n", type);
    now = "normal_cast";
  }
  if (!step.HasInput(2)) return step.Replace(text + fmt::format("out0 = Mul ({}, in1)", now));
  step.Replace(text + fmt::format("scaled = Mul ({}, in1)\nout0 = Add (scaled, in2)", now));
}

void NotBySubtraction(Step& step) {
  const int type = step.NeedElementType(0);
  if (step.ok() && type != TensorProto::INT32 && type != TensorProto::INT64 && type != TensorProto::INT8 &&
      type != TensorProto::INT16) {
    return step.Refuse("before version 18, bits can be inverted only in signed integers, by -1 - x");
  }
  step.Replace(Scalar(step, "minus_one", -1) + "out0 = Sub (minus_one, in0)");
}

void CropAndPad(Step& step) {
  const int rank = step.NeedRank(0);
  if (!step.ok()) return;
  Integers axes;
  for (int i = 0; i < rank; ++i) axes.push_back(i);
  if (const auto given = step.Ints("axes")) axes = *given;
  Integers places(2 * static_cast<std::size_t>(rank), 0);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    axes[i] += axes[i] < 0 ? rank : 0;
    if (axes[i] < 0 || axes[i] >= rank) return step.Refuse("an axis is out of range");
    places[static_cast<std::size_t>(axes[i])] = static_cast<std::int64_t>(i) + 1;
    places[static_cast<std::size_t>(axes[i] + rank)] = static_cast<std::int64_t>(i + axes.size()) + 1;
  }
  step.Replace("whole = Shape (in0)\n" + List("axes", axes) +
               "sizes = Gather (whole, axes)\ntarget = Cast <to = 7> (in1)\nkept = Min (sizes, target)\n" +
               List("two", {2}) +
               "cut = Sub (sizes, kept)\nstart = Div (cut, two)\nend = Add (start, kept)\ncropped = Slice (in0, start, "
               "end, axes)\n"
               "missing = Sub (target, kept)\nbefore = Div (missing, two)\nafter = Sub (missing, before)\n" +
               List("zero", {0}) + "pieces = Concat <axis = 0> (zero, before, after)\n" + List("places", places) +
               "pads = Gather (pieces, places)\nout0 = Pad (cropped, pads)");
}

void MishBySoftplus(Step& step) { step.Replace("soft = Softplus (in0)\ngate = Tanh (soft)\nout0 = Mul (in0, gate)"); }

// ---- new in 20 to 28

void GeluByErf(Step& step) {
  if (step.String("approximate", "none") == "tanh") {
    return step.Replace(
        Scalar(step, "cubic", 0.044715) +
        "square = Mul (in0, in0)\ncube = Mul (square, in0)\nterm = Mul (cube, cubic)\nsum = Add (in0, term)\n" +
        Scalar(step, "scale", std::sqrt(2.0 / 3.14159265358979323846)) +
        "scaled = Mul (sum, scale)\ncurve = Tanh (scaled)\n" + Scalar(step, "one", 1) + "raised = Add (curve, one)\n" +
        Scalar(step, "half", 0.5) + "halved = Mul (in0, half)\nout0 = Mul (halved, raised)");
  }
  step.Replace(Scalar(step, "root", std::sqrt(2.0)) + "scaled = Div (in0, root)\ncurve = Erf (scaled)\n" +
               Scalar(step, "one", 1) + "raised = Add (curve, one)\n" + Scalar(step, "half", 0.5) +
               "halved = Mul (in0, half)\nout0 = Mul (halved, raised)");
}

void RootMeanSquare(Step& step) {
  const auto axes = AxesFrom(step, step.Int("axis", -1));
  const int type = step.NeedElementType(0);
  const int stash = static_cast<int>(step.Int("stash_type", 1));
  if (!axes || !step.ok()) return;
  const bool is_cast = type != stash;
  const int scale_type = step.NeedElementType(1);
  std::string text = is_cast ? fmt::format("x = Cast <to = {}> (in0)\n", stash) : "";
  text +=
      fmt::format("squares = Mul ({0}, {0})\n", is_cast ? "x" : "in0") + List("axes", *axes) +
      "mean = ReduceMean (squares, axes)\n" +
      fmt::format(
          "epsilon = Constant <value = {}> ()\nsum = Add (mean, epsilon)\nroot = Sqrt (sum)\nnormal = Div ({}, root)\n",
          ScalarText(stash, step.Float("epsilon", 1e-5F)), is_cast ? "x" : "in0");
  if (stash != scale_type) text += fmt::format("normal_cast = Cast <to = {}> (normal)\n", scale_type);
  step.Replace(text + fmt::format("out0 = Mul ({}, in1)", stash != scale_type ? "normal_cast" : "normal"));
}

void SwishBySigmoid(Step& step) {
  const float alpha = step.Float("alpha", 1);
  if (alpha == 1) return step.Replace("gate = Sigmoid (in0)\nout0 = Mul (in0, gate)");
  step.Replace(Scalar(step, "alpha", alpha) +
               "scaled = Mul (in0, alpha)\ngate = Sigmoid (scaled)\nout0 = Mul (in0, gate)");
}

void SwiGluBySwish(Step& step) {
  step.Expand("gate = Swish <alpha = {}> (in0)\nout0 = Mul (gate, in1)", FloatText(step.Float("alpha", 1)));
}

}  // namespace onnxc::convert
