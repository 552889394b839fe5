// Nodes that compute the same as an operator whose meaning is a longer computation, in the versions before it exists.
// They follow the function bodies that the specification gives for these operators.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "convert/rules.h"

namespace onnxc::convert {

using onnx::TensorProto;

namespace {

/// Returns a statement that casts a value to a type, or names it otherwise if it has this type.
std::string CastText(std::string_view result, std::string_view value, int from, int to) {
  return from == to ? fmt::format("{} = Identity ({})\n", result, value)
                    : fmt::format("{} = Cast <to = {}> ({})\n", result, to, value);
}

}  // namespace

// ---- SequenceMap: a loop over the elements, which collects the results in sequences

void MapByLoop(Step& step) {
  const onnx::AttributeProto* const attribute = step.Attribute("body");
  if (attribute == nullptr || !attribute->has_g()) return step.Refuse("it has no body");
  const onnx::GraphProto inner = attribute->g();
  const onnx::NodeProto node = step.node();
  if (inner.input_size() != node.input_size() || inner.output_size() != node.output_size())
    return step.Refuse("its body has other inputs or outputs than the node");
  std::string empty;  // the sequences before the loop
  std::string elements;
  std::string longer;
  std::vector<std::string> first;
  std::vector<std::string> before;
  std::vector<std::string> after;
  std::vector<std::string> results;
  for (int i = 0; i < node.input_size(); ++i) {
    const InferredValue* const value = step.Value(i);
    if (value == nullptr || value->type.kind == ValueType::Kind::kUnknown) return step.RefuseUnknown("type", i);
    const bool is_sequence = i == 0 || value->type.kind == ValueType::Kind::kSequence;
    elements += fmt::format("element_{0} = {1} (in{0}{2})\n", i, is_sequence ? "SequenceAt" : "Identity",
                            is_sequence ? ", i" : "");
  }
  for (int i = 0; i < node.output_size(); ++i) {
    const InferredValue* const value = step.Find(node.output(i));
    const int type = value == nullptr ? 0 : ToProto(value->type).sequence_type().elem_type().tensor_type().elem_type();
    if (type == 0) return step.Refuse("the element type of its results must be known; declare it");
    empty += fmt::format("empty_{} = SequenceEmpty <dtype = {}> ()\n", i, type);
    longer += fmt::format("after_{0} = SequenceInsert (before_{0}, result_{0})\n", i);
    first.push_back(fmt::format("empty_{}", i));
    before.push_back(fmt::format("seq({}[]) before_{}", KeywordOf(type), i));
    after.push_back(fmt::format("seq({}[]) after_{}", KeywordOf(type), i));
    results.push_back(fmt::format("out{}", i));
  }
  step.Expand(
      "count = SequenceLength (in0)\nmore = Constant <value = bool {{1}}> ()\n{}{} = Loop <body = elements (int64 i, "
      "bool "
      "again, {}) => (bool again_after, {}) {{\nagain_after = Identity (again)\n{}{}}}> (count, more, {})",
      empty, fmt::join(results, ", "), fmt::join(before, ", "), fmt::join(after, ", "), elements, longer,
      fmt::join(first, ", "));
  if (!step.ok()) return;
  // The nodes of the body come between the two parts, with the names that they have.
  onnx::GraphProto& body = *step.nodes().back()->mutable_attribute(0)->mutable_g();
  const std::vector<onnx::NodeProto> outer(body.node().begin(), body.node().end());
  const auto elements_end = 1 + static_cast<std::size_t>(inner.input_size());
  body.clear_node();
  for (std::size_t i = 0; i < elements_end; ++i) *body.add_node() = outer[i];
  for (int i = 0; i < inner.input_size(); ++i) body.mutable_node(i + 1)->set_output(0, inner.input(i).name());
  body.mutable_node()->MergeFrom(inner.node());
  for (int i = 0; i < inner.output_size(); ++i) {
    *body.add_node() = outer[elements_end + static_cast<std::size_t>(i)];
    body.mutable_node()->rbegin()->set_input(1, inner.output(i).name());
  }
  body.mutable_initializer()->MergeFrom(inner.initializer());
  body.mutable_sparse_initializer()->MergeFrom(inner.sparse_initializer());
  body.mutable_value_info()->MergeFrom(inner.value_info());
  body.mutable_quantization_annotation()->MergeFrom(inner.quantization_annotation());
  body.mutable_metadata_props()->MergeFrom(inner.metadata_props());
  if (inner.has_doc_string()) body.set_doc_string(inner.doc_string());
  if (inner.has_name()) body.set_name(inner.name());
}

// ---- AffineGrid: the coordinates of the places of a grid, times a matrix

void GridByMatMul(Step& step) {
  const int type = step.NeedElementType(0);
  const auto count = step.Shape(1);
  const bool align = step.Int("align_corners", 0) != 0;
  if (!step.ok()) return;
  if (!count || count->size() != 1 || (count->front() != 4 && count->front() != 5))
    return step.RefuseUnknown("number of elements", 1);
  const std::int64_t axes = count->front() - 2;
  // The last axis of the grid is the first coordinate.
  std::string text = List("one", {1}) + List("minus_one", {-1}) + List("from", {2}) + List("to", {axes + 2}) +
                     "first = Constant <value = int64 {0}> ()\nnext = Constant <value = int64 {1}> ()\n" +
                     Scalar(step, "unit", 1) + Scalar(step, "length", 2) +
                     "sizes = Slice (in1, from, to)\ncolumn_shape = Concat <axis = 0> (sizes, one)\n";
  std::vector<std::string> columns;
  for (std::int64_t i = axes - 1; i >= 0; --i) {
    Integers around;  // the axes of the grid that the coordinate does not depend on, and that of the coordinates
    for (std::int64_t j = 0; j <= axes; ++j) {
      if (j != i) around.push_back(j);
    }
    text +=
        fmt::format("place_{0} = Constant <value = int64 {{{1}}}> ()\nsize_{0} = Gather (in1, place_{0})\n", i, i + 2) +
        fmt::format("index_{0} = Range (first, size_{0}, next)\n", i) +
        CastText(fmt::format("count_{}", i), fmt::format("size_{}", i), TensorProto::INT64, type) +
        CastText(fmt::format("number_{}", i), fmt::format("index_{}", i), TensorProto::INT64, type);
    // From -1 to 1: between the centres of the first and the last place, or between the edges.
    text += align ? fmt::format(
                        "last_{0} = Sub (count_{0}, unit)\nwidth_{0} = Div (length, last_{0})\noffset_{0} = Mul "
                        "(number_{0}, width_{0})\n",
                        i)
                  : fmt::format(
                        "width_{0} = Div (length, count_{0})\nhalf_{0} = Div (width_{0}, length)\nmiddle_{0} = Mul "
                        "(number_{0}, width_{0})\noffset_{0} = Add (middle_{0}, half_{0})\n",
                        i);
    text +=
        fmt::format("line_{0} = Sub (offset_{0}, unit)\n", i) + List(fmt::format("around_{}", i), around) +
        fmt::format("wide_{0} = Unsqueeze (line_{0}, around_{0})\ncolumn_{0} = Expand (wide_{0}, column_shape)\n", i);
    columns.push_back(fmt::format("column_{}", i));
  }
  Integers places(static_cast<std::size_t>(axes) + 1, 0);
  places.back() = axes + 1;
  step.Expand(
      "{}units = Expand (unit, column_shape)\ngrid = Concat <axis = -1> ({}, units)\n{}places = Reshape (grid, rows)\n"
      "turned = Transpose <perm = [0, 2, 1]> (in0)\nresults = MatMul (places, turned)\n{}{}batch_shape = Slice (in1, "
      "start, "
      "stop)\ncoordinates = Constant <value = int64[1] {{{}}}> ()\nshape = Concat <axis = 0> (batch_shape, sizes, "
      "coordinates)\nout0 = Reshape (results, shape)",
      text, fmt::join(columns, ", "), List("rows", {-1, axes + 1}), List("start", {0}), List("stop", {1}), axes);
}

// ---- RotaryEmbedding: pairs of numbers of a head are turned by an angle

void TurnPairs(Step& step) {
  const int rank = step.NeedRank(0);
  const std::int64_t size = step.Int("rotary_embedding_dim", 0);
  const std::int64_t heads = step.Int("num_heads", 0);
  const bool is_interleaved = step.Int("interleaved", 0) != 0;
  if (!step.ok()) return;
  if (rank == 3 && heads <= 0) return step.Refuse("a tensor of three axes needs num_heads");
  const std::string end = "end = Constant <value = int64[1] {9223372036854775807}> ()\n";
  std::string text = List("zero", {0}) + List("one", {1}) + List("two", {2}) + List("three", {3}) + end;
  // [batch, length, heads, size]
  text += rank == 3 ? List("split", {0, 0, heads, -1}) + "x = Reshape (in0, split)\n"
                    : "x = Transpose <perm = [0, 2, 1, 3]> (in0)\n";
  text += size == 0
              ? "turned = Identity (x)\n"
              : List("size", {size}) + "turned = Slice (x, zero, size, three)\nrest = Slice (x, size, end, three)\n";
  for (const int i : {1, 2}) {
    const std::string_view name = i == 1 ? "cos" : "sin";
    text += step.HasInput(3) ? fmt::format("{0}_rows = Gather (in{1}, in3)\n{0} = Unsqueeze ({0}_rows, two)\n", name, i)
                             : fmt::format("{0} = Unsqueeze (in{1}, two)\n", name, i);
  }
  text += is_interleaved
              ? "first = Slice (turned, zero, end, three, two)\nsecond = Slice (turned, one, end, three, two)\n"
              : "first, second = Split <axis = -1, num_outputs = 2> (turned)\n";
  text +=
      "cos_first = Mul (cos, first)\nsin_second = Mul (sin, second)\nreal = Sub (cos_first, sin_second)\n"
      "sin_first = Mul (sin, first)\ncos_second = Mul (cos, second)\nimaginary = Add (sin_first, cos_second)\n";
  text += is_interleaved ? "minus_one = Constant <value = int64[1] {-1}> ()\nreals = Unsqueeze (real, minus_one)\n"
                           "imaginaries = Unsqueeze (imaginary, minus_one)\npairs = Concat <axis = -1> (reals, "
                           "imaginaries)\nturned_shape = Shape (turned)\nresult = Reshape (pairs, turned_shape)\n"
                         : "result = Concat <axis = -1> (real, imaginary)\n";
  if (size != 0) text += "whole = Concat <axis = -1> (result, rest)\n";
  const std::string_view whole = size == 0 ? "result" : "whole";
  step.Replace(text + (rank == 3 ? fmt::format("shape = Shape (in0)\nout0 = Reshape ({}, shape)", whole)
                                 : fmt::format("out0 = Transpose <perm = [0, 2, 1, 3]> ({})", whole)));
}

// ---- CausalConvWithState: a convolution of each channel, after the numbers before the input

void ConvOfPadded(Step& step) {
  const int type = step.NeedElementType(0);
  const auto weight = step.Shape(1);
  const std::string activation = step.String("activation", "none");
  if (!step.ok()) return;
  if (!weight || weight->empty() || weight->front() < 0) return step.RefuseUnknown("number of channels", 1);
  std::string text = List("one", {1}) + "kernel = Shape <start = 2, end = 3> (in1)\ncount = Sub (kernel, one)\n";
  if (!step.HasInput(3)) {
    text += fmt::format(
        "first = Shape <start = 0, end = 2> (in0)\npast_shape = Concat <axis = 0> (first, count)\npast = "
        "ConstantOfShape "
        "<value = {}> (past_shape)\n",
        TensorText(type, {1}, {0}));
  }
  text += fmt::format("padded = Concat <axis = 2> ({}, in0)\n{} = Conv <group = {}> (padded, in1{})\n",
                      step.HasInput(3) ? "in3" : "past", activation == "none" ? "out0" : "result", weight->front(),
                      step.HasInput(2) ? ", in2" : "");
  if (activation != "none") {
    text += CastText("real", "result", type, TensorProto::FLOAT) + "gate = Sigmoid (real)\ngated = Mul (real, gate)\n" +
            CastText("out0", "gated", TensorProto::FLOAT, type);
  }
  if (step.HasOutput(1)) {
    text += List("axis", {2}) +
            "length = Shape <start = 2, end = 3> (padded)\nstart = Sub (length, count)\nout1 = Slice (padded, start, "
            "length, axis)\n";
  }
  step.Replace(text);
}

// ---- LinearAttention: a scan over the places, which reads a state and writes to it

void AttentionByScan(Step& step) {
  const int type = step.NeedElementType(0);
  const std::int64_t heads = step.Int("q_num_heads", 0);
  const std::int64_t kv_heads = step.Int("kv_num_heads", 0);
  const std::string rule = step.String("update_rule", "gated_delta");
  const bool has_scale = step.HasAttribute("scale") && step.Float("scale", 0) != 0;
  if (!step.ok()) return;
  if (heads <= 0 || kv_heads <= 0 || heads % kv_heads != 0)
    return step.Refuse("the numbers of heads do not fit together");
  const bool is_gated = rule.starts_with("gated");
  const bool is_delta = rule.ends_with("delta");
  if ((is_gated && !step.HasInput(4)) || (is_delta && !step.HasInput(5)))
    return step.Refuse("an input that its update rule needs is missing");
  // The inputs as [length, batch, heads, size]
  std::string text = List("minus_one", {-1}) + List("minus_two", {-2}) + List("two", {2}) + List("heads", {heads}) +
                     List("kv_heads", {kv_heads}) +
                     "batch = Shape <start = 0, end = 1> (in0)\nplaces = Shape <start = 0, end = 2> (in0)\n";
  std::vector<std::string> scanned;
  std::vector<std::string> names;
  std::string casts;
  const auto scan = [&](int input, std::string_view name, std::string_view shape) {
    text += fmt::format(
        "{0}_split = Constant <value = int64[4] {{0, 0, {1}}}> ()\n{0}_rows = Reshape (in{2}, {0}_split)\n{0}_heads = "
        "Transpose <perm = [1, 0, 2, 3]> ({0}_rows)\n",
        name, shape, input);
    scanned.push_back(fmt::format("{}_heads", name));
    names.push_back(fmt::format("{}_now", name));
    casts += CastText(name, names.back(), type, TensorProto::FLOAT);
  };
  scan(0, "query", fmt::format("{}, -1", heads));
  scan(1, "key", fmt::format("{}, -1", kv_heads));
  scan(2, "value", fmt::format("{}, -1", kv_heads));
  if (is_gated) scan(4, "decay", fmt::format("{}, -1", kv_heads));
  if (is_delta) scan(5, "beta", "-1, 1");
  text +=
      "query_size = Shape <start = 3, end = 4> (query_heads)\nvalue_size = Shape <start = 3, end = 4> (value_heads)\n";
  if (step.HasInput(3)) {
    text += CastText("state", "in3", step.NeedElementType(3), TensorProto::FLOAT);
  } else {
    text +=
        "state_shape = Concat <axis = 0> (batch, kv_heads, query_size, value_size)\nstate = ConstantOfShape "
        "(state_shape)\n";
  }
  text += has_scale ? fmt::format("scale = Constant <value = {}> ()\n",
                                  ScalarText(TensorProto::FLOAT, step.Float("scale", 0)))
                    : "size = Squeeze (query_size)\nsize_real = Cast <to = 1> (size)\nroot = Sqrt (size_real)\nscale = "
                      "Reciprocal (root)\n";
  // In a step: what the state holds for the key is replaced, or the value is added.
  std::string body = casts;
  std::string kept = "before";
  if (is_gated) {
    body += "share = Exp (decay)\nshare_column = Unsqueeze (share, minus_one)\ndecayed = Mul (before, share_column)\n";
    kept = "decayed";
  }
  body += "key_column = Unsqueeze (key, minus_one)\n";
  if (is_delta) {
    body += fmt::format(
        "turned = Transpose <perm = [0, 1, 3, 2]> ({})\nheld_column = MatMul (turned, key_column)\nheld = Squeeze "
        "(held_column, minus_one)\nmissing = Sub (value, held)\nchange = Mul (beta, missing)\n",
        kept);
  }
  body +=
      fmt::format("row = Unsqueeze ({}, minus_two)\nproduct = MatMul (key_column, row)\nafter = Add ({}, product)\n",
                  is_delta ? "change" : "value", kept);
  std::string read = "after";
  if (heads != kv_heads) {  // each head of the state serves several heads of the query
    Integers order;
    for (std::int64_t i = 0; i < heads; ++i) order.push_back(i / (heads / kv_heads));
    text += List("order", order);
    body += "shared = Gather <axis = 1> (after, order)\n";
    read = "shared";
  }
  body += fmt::format(
      "query_row = Unsqueeze (query, minus_two)\nfound_row = MatMul (query_row, {})\nfound = Squeeze (found_row, "
      "minus_two)\nscaled = Mul (scale, found)\n",
      read);
  body += CastText("result_now", "scaled", TensorProto::FLOAT, type);
  text += fmt::format(
      "last, results = Scan <num_scan_inputs = {}, body = step (before, {}) => (after, result_now) {{\n{}}}> (state, "
      "{})\nturned_results = Transpose <perm = [1, 0, 2, 3]> (results)\nresult_shape = Concat <axis = 0> (places, "
      "minus_one)\nout0 = Reshape (turned_results, result_shape)\n",
      scanned.size(), fmt::join(names, ", "), body, fmt::join(scanned, ", "));
  if (step.HasOutput(1)) {
    text += CastText("out1", "last", TensorProto::FLOAT, step.HasInput(3) ? step.NeedElementType(3) : type);
  }
  step.Replace(text);
}

}  // namespace onnxc::convert
