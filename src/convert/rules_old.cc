// The steps up to version 9: broadcasting by attributes, types as words, scalars as operands, Scan over batches.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "convert/rules.h"

namespace onnxc::convert {
namespace {

bool IsOneElement(const std::optional<Integers>& shape) {
  return shape && std::ranges::all_of(*shape, [](std::int64_t size) { return size == 1; });
}

bool AreStatic(const Integers& shape) { return std::ranges::find(shape, -1) == shape.end(); }

/// Returns whether both inputs certainly have the same shape.
bool HaveSameShape(const Step& step, int one, int other) {
  if (step.Rank(one) < 0 || step.Rank(one) != step.Rank(other)) return false;
  return std::ranges::equal(step.Value(one)->type.shape, step.Value(other)->type.shape,
                            [](const Dimension& a, const Dimension& b) { return a.Equals(b); });
}

/// Returns the common shape of all inputs, or nothing if sizes are unknown or contradict each other.
std::optional<Integers> CommonShape(const Step& step) {
  Integers common;
  for (int i = 0; i < step.node().input_size(); ++i) {
    const auto shape = step.Shape(i);
    if (!shape || !AreStatic(*shape)) return std::nullopt;
    if (shape->size() > common.size()) common.insert(common.begin(), shape->size() - common.size(), 1);
    for (std::size_t j = 0; j < shape->size(); ++j) {
      std::int64_t& size = common[common.size() - shape->size() + j];
      if (size == 1) size = (*shape)[j];
      if ((*shape)[j] != 1 && (*shape)[j] != size) return std::nullopt;
    }
  }
  return common;
}

/// Replaces each input that has not the common shape by one that has it.
void TileToCommonShape(Step& step) {
  const auto common = CommonShape(step);
  if (!common) return step.RefuseUnknown("sizes, to which both operands would be repeated,", 0);
  std::string text;
  std::vector<std::string> inputs;
  for (int i = 0; i < step.node().input_size(); ++i) {
    const Integers shape = *step.Shape(i);
    std::string now = fmt::format("in{}", i);
    if (shape.size() < common->size()) {
      Integers axes;
      for (std::size_t j = 0; j + shape.size() < common->size(); ++j) axes.push_back(static_cast<std::int64_t>(j));
      text += fmt::format("row_{0} = Unsqueeze <axes = {1}> ({2})\n", i, IntsText(axes), now);
      now = fmt::format("row_{}", i);
    }
    Integers repeats(common->size(), 1);
    for (std::size_t j = 0; j < shape.size(); ++j) {
      const std::size_t at = common->size() - shape.size() + j;
      repeats[at] = shape[j] == 1 ? (*common)[at] : 1;
    }
    for (std::size_t j = 0; j + shape.size() < common->size(); ++j) repeats[j] = (*common)[j];
    if (std::ranges::any_of(repeats, [](std::int64_t each) { return each != 1; })) {
      text += fmt::format("repeats_{0} = Constant <value = {1}> ()\ntiled_{0} = Tile ({2}, repeats_{0})\n", i,
                          ListText(repeats), now);
      now = fmt::format("tiled_{}", i);
    }
    inputs.push_back(now);
  }
  step.Expand("{}out0 = Self ({})", text, fmt::join(inputs, ", "));
}

}  // namespace

// ---- operators with two operands, until version 7 with the attributes `broadcast` and `axis`

void BroadcastFromBack(Step& step) {
  const bool is_broadcast = step.Int("broadcast", 0) != 0;
  const bool has_axis = step.HasAttribute("axis");
  const std::int64_t given = step.Int("axis", 0);
  if (!step.ok()) return;
  step.Remove("broadcast");
  step.Remove("axis");
  if (!is_broadcast || !has_axis || IsOneElement(step.Shape(1))) return;
  const int rank = step.NeedRank(0);
  const int other = step.NeedRank(1);
  if (!step.ok()) return;
  Integers axes;
  for (std::int64_t i = other; i < rank - (given < 0 ? given + rank : given); ++i) axes.push_back(i);
  if (axes.empty()) return;
  step.Expand("column = Unsqueeze <axes = {}> (in1)\nout0 = Self (in0, column)", IntsText(axes));
}

void BroadcastByAttribute(Step& step) {
  if (HaveSameShape(step, 0, 1)) return;
  const auto is_suffix = [&](int whole, int part) {
    if (IsOneElement(step.Shape(part)) && step.Rank(part) <= std::max(step.Rank(whole), 0)) return true;
    if (step.Rank(whole) < 0 || step.Rank(part) < 0 || step.Rank(part) > step.Rank(whole)) return false;
    const auto all = step.Value(whole)->type.shape;
    return std::ranges::equal(step.Value(part)->type.shape,
                              all.subspan(all.size() - static_cast<std::size_t>(step.Rank(part))),
                              [](const Dimension& a, const Dimension& b) { return a.Equals(b); });
  };
  if (is_suffix(0, 1)) return step.Set("broadcast", 1);
  const bool commutes =
      step.Is("Add") || step.Is("Mul") || step.Is("And") || step.Is("Or") || step.Is("Xor") || step.Is("Equal");
  if (commutes && is_suffix(1, 0)) {
    step.Set("broadcast", 1);
    return step.Replace("out0 = Self (in1, in0)");
  }
  TileToCommonShape(step);
}

void EqualShapes(Step& step) {
  bool are_equal = true;
  for (int i = 1; i < step.node().input_size(); ++i) are_equal = are_equal && HaveSameShape(step, 0, i);
  if (!are_equal) TileToCommonShape(step);
}

void ChannelsOfSlope(Step& step) {
  if (IsOneElement(step.Shape(1))) return;
  const int rank = step.NeedRank(0);
  const int slope = step.NeedRank(1);
  if (!step.ok() || rank <= 2 || slope != 1) return;
  Integers axes;
  for (int i = 1; i < rank - 1; ++i) axes.push_back(i);
  step.Expand("column = Unsqueeze <axes = {}> (in1)\nout0 = Self (in0, column)", IntsText(axes));
}

void SlopeOfChannels(Step& step) {
  const auto slope = step.Shape(1);
  if (IsOneElement(slope)) return;
  const int rank = step.NeedRank(0);
  if (!slope) step.RefuseUnknown("shape", 1);
  if (!step.ok()) return;
  const bool is_column =
      static_cast<int>(slope->size()) == rank - 1 &&
      std::ranges::all_of(slope->begin() + 1, slope->end(), [](std::int64_t size) { return size == 1; });
  if (!is_column || rank < 2)
    return step.Refuse("before version 7, PRelu has one slope for all elements or one for each channel");
  if (slope->size() == 1) return;
  Integers axes;
  for (int i = 1; i < rank - 1; ++i) axes.push_back(i);
  step.Expand("slopes = Squeeze <axes = {}> (in1)\nout0 = Self (in0, slopes)", IntsText(axes));
}

void DropBroadcast(Step& step) { step.Remove("broadcast"); }

void BroadcastBias(Step& step) {
  const auto bias = step.Shape(2);
  if (!bias) return step.RefuseUnknown("shape", 2);
  if (bias->size() < 2 || IsOneElement(bias)) return step.Set("broadcast", 1);
  const auto left = step.Shape(0);
  const auto right = step.Shape(1);
  if (!left || !right || left->size() != 2 || right->size() != 2) return step.RefuseUnknown("shape", 0);
  const std::int64_t rows = (*left)[step.Int("transA", 0) != 0 ? 1 : 0];
  const std::int64_t columns = (*right)[step.Int("transB", 0) != 0 ? 0 : 1];
  if ((*bias)[0] == 1 && rows != 1) {
    step.Set("broadcast", 1);
    return step.Replace("row = Squeeze <axes = [0]> (in2)\nout0 = Self (in0, in1, row)");
  }
  if ((*bias)[1] == 1 && columns != 1) return step.Refuse("before version 7, C is not repeated along its columns");
  if ((*bias)[0] != rows || rows < 0) return step.RefuseUnknown("number of rows", 0);
}

void WriteZeroBias(Step& step) {
  if (!step.HasInput(2)) step.SetInput(2, step.NewScalarLike("c", 0, 0));
}

// ---- types, defaults and scalars

void TypeToNumber(Step& step) {
  onnx::TensorProto::DataType type{};
  const std::string word = step.String("to", "");
  if (!onnx::TensorProto::DataType_Parse(word, &type)) return step.Refuse(fmt::format("'{}' is no element type", word));
  step.Set("to", static_cast<int>(type));
}
void TypeToWord(Step& step) {
  step.Set("to", std::string_view(
                     onnx::TensorProto::DataType_Name(static_cast<onnx::TensorProto::DataType>(step.Int("to", 1)))));
}

void WriteAxisOne(Step& step) {
  if (!step.HasAttribute("axis")) step.Set("axis", 1);
}

namespace {
void WriteSelu(Step& step, float alpha, float gamma) {
  if (!step.HasAttribute("alpha")) step.Set("alpha", alpha);
  if (!step.HasAttribute("gamma")) step.Set("gamma", gamma);
}
}  // namespace
void WriteOldSelu(Step& step) { WriteSelu(step, 1.6732F, 1.0507F); }
void WriteNewSelu(Step& step) { WriteSelu(step, 1.67326319217681884765625F, 1.05070102214813232421875F); }

void RepeatsOfAxis(Step& step) {
  const auto tiles = step.NeedConstant(1, "the number of tiles");
  const auto axis = step.NeedConstant(2, "the axis");
  const int rank = step.NeedRank(0);
  if (!step.ok()) return;
  if (tiles->size() != 1 || axis->size() != 1 || axis->front() < 0 || axis->front() >= rank)
    return step.Refuse("the axis is not one of the input");
  Integers repeats(static_cast<std::size_t>(rank), 1);
  repeats[static_cast<std::size_t>(axis->front())] = tiles->front();
  step.RemoveInput(2);
  step.SetInput(1, step.NewConstant("repeats", repeats));
}

void TilesOfAxes(Step& step) {
  const auto repeats = step.NeedConstant(1, "the repeats");
  const int type = step.NeedElementType(0);
  if (!step.ok()) return;
  std::string text;
  std::string now = "in0";
  for (std::size_t i = 0; i < repeats->size(); ++i) {
    if ((*repeats)[i] == 1) continue;
    text += fmt::format(
        "tiles_{0} = Constant <value = {1}> ()\naxis_{0} = Constant <value = {2}> ()\ntiled_{0} = Tile ({3}, "
        "tiles_{0}, axis_{0})\n",
        i, ScalarText(type, static_cast<double>((*repeats)[i])), ScalarText(type, static_cast<double>(i)), now);
    now = fmt::format("tiled_{}", i);
  }
  step.Replace(text + fmt::format("out0 = Identity ({})", now));
}

// ---- Scan: until version 8 over axis 1 of each element of a batch

namespace {
std::string Names(std::string_view word, int first, int last) {
  std::vector<std::string> all;
  for (int i = first; i < last; ++i) all.push_back(fmt::format("{}{}", word, i));
  return fmt::format("{}", fmt::join(all, ", "));
}
}  // namespace

void ScanWithoutBatch(Step& step) {
  if (step.HasInput(0)) return step.Refuse("since version 9, there is no input sequence_lens");
  const int inputs = step.node().input_size();
  for (int i = 1; i < inputs; ++i) {
    const auto shape = step.Shape(i);
    if (!shape || shape->empty() || shape->front() != 1) {
      return step.Refuse(
          "since version 9 there are no batches, and the size of axis 0 of its inputs is not known to be 1; set the "
          "sizes of the model's inputs");
    }
  }
  if (const auto directions = step.Ints("directions")) {
    step.Remove("directions");
    step.Set("scan_input_directions", *directions);
  }
  std::string text;
  std::string after;
  for (int i = 1; i < inputs; ++i) text += fmt::format("element_{0} = Squeeze <axes = [0]> (in{0})\n", i);
  for (int i = 0; i < step.node().output_size(); ++i) {
    if (step.HasOutput(i)) after += fmt::format("out{0} = Unsqueeze <axes = [0]> (result_{0})\n", i);
  }
  step.Expand("{}{} = Self ({})\n{}", text, Names("result_", 0, step.node().output_size()),
              Names("element_", 1, inputs), after);
}

void ScanOfOneElement(Step& step) {
  for (const std::string_view name : {std::string_view("scan_input_axes"), std::string_view("scan_output_axes"),
                                      std::string_view("scan_output_directions")}) {
    const auto values = step.Ints(name);
    if (!values) continue;
    if (std::ranges::any_of(*values, [](std::int64_t each) { return each != 0; }))
      return step.Refuse(fmt::format("before version 9, Scan has no attribute '{}'", name));
    step.Remove(name);
  }
  if (const auto directions = step.Ints("scan_input_directions")) {
    step.Remove("scan_input_directions");
    step.Set("directions", *directions);
  }
  const int inputs = step.node().input_size();
  for (int i = 1; i < inputs; ++i) {
    if (step.ElementType(i) != step.ElementType(0))
      return step.Refuse("before version 9, all states and inputs have one element type");
  }
  std::string text;
  std::string after;
  for (int i = 0; i < inputs; ++i) text += fmt::format("batch_{0} = Unsqueeze <axes = [0]> (in{0})\n", i);
  for (int i = 0; i < step.node().output_size(); ++i) {
    if (step.HasOutput(i)) after += fmt::format("out{0} = Squeeze <axes = [0]> (result_{0})\n", i);
  }
  step.Expand("{}{} = Self (\"\", {})\n{}", text, Names("result_", 0, step.node().output_size()),
              Names("batch_", 0, inputs), after);
}

void CountScanAxesFromFront(Step& step) {
  const std::int64_t scanned = step.Int("num_scan_inputs", 1);
  const int first = step.node().input_size() - static_cast<int>(scanned);
  auto inputs = step.Ints("scan_input_axes");
  for (std::size_t i = 0; inputs && i < inputs->size(); ++i) {
    if ((*inputs)[i] < 0) (*inputs)[i] += step.NeedRank(first + static_cast<int>(i));
  }
  if (inputs) step.Set("scan_input_axes", *inputs);
  auto outputs = step.Ints("scan_output_axes");
  const int first_output = first;  // the states come first
  for (std::size_t i = 0; outputs && i < outputs->size(); ++i) {
    if ((*outputs)[i] >= 0) continue;
    const int at = first_output + static_cast<int>(i);
    const InferredValue* const value = at < step.node().output_size() ? step.Find(step.node().output(at)) : nullptr;
    if (value == nullptr || !value->type.has_rank)
      return step.Refuse(
          "before version 11, scan_output_axes are not negative, and the rank of an output is not known");
    (*outputs)[i] += value->type.rank();
  }
  if (outputs) step.Set("scan_output_axes", *outputs);
}

// ---- control flow

void EqualBranches(Step& step) {
  const onnx::AttributeProto* const then_branch = step.Attribute("then_branch");
  const onnx::AttributeProto* const else_branch = step.Attribute("else_branch");
  if (then_branch == nullptr || else_branch == nullptr) return;
  const auto& ours = then_branch->g().output();
  const auto& theirs = else_branch->g().output();
  for (int i = 0; i < std::min(ours.size(), theirs.size()); ++i) {
    const auto& one = ours[i].type().tensor_type().shape();
    const auto& other = theirs[i].type().tensor_type().shape();
    const bool have_shapes = ours[i].type().tensor_type().has_shape() && theirs[i].type().tensor_type().has_shape();
    bool differ = have_shapes && one.dim_size() != other.dim_size();
    for (int j = 0; have_shapes && !differ && j < one.dim_size(); ++j) {
      differ = one.dim(j).has_dim_value() && other.dim(j).has_dim_value() &&
               one.dim(j).dim_value() != other.dim(j).dim_value();
    }
    if (differ) return step.Refuse("before version 11, both branches of If give the same shapes");
  }
}

void CarrySomething(Step& step) {
  if (step.node().input_size() > 2) return;
  onnx::AttributeProto* body = nullptr;
  for (onnx::AttributeProto& attribute : *step.node().mutable_attribute()) {
    if (attribute.name() == "body" && attribute.has_g()) body = &attribute;
  }
  if (body == nullptr || body->g().output_size() == 0) return;
  onnx::GraphProto& graph = *body->mutable_g();
  const std::string zero = step.NewConstant("carried", "float {0}");
  const std::string input = step.NewName("carried_in");
  const std::string output = step.NewName("carried_out");
  const auto declare = [](onnx::ValueInfoProto* value, const std::string& name) {
    value->set_name(name);
    value->mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::FLOAT);
    value->mutable_type()->mutable_tensor_type()->mutable_shape();
  };
  declare(graph.add_input(), input);
  declare(graph.add_output(), output);
  for (int i = graph.output_size() - 1; i > 1; --i) graph.mutable_output()->SwapElements(i, i - 1);
  onnx::NodeProto& same = *graph.add_node();
  same.set_op_type("Identity");
  same.add_input(input);
  same.add_output(output);
  while (step.node().input_size() < 2) step.node().add_input();
  step.SetInput(2, zero);
  step.node().add_output(step.NewName("carried"));
  for (int i = step.node().output_size() - 1; i > 0; --i) step.node().mutable_output()->SwapElements(i, i - 1);
}

}  // namespace onnxc::convert
