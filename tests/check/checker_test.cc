// The findings of the checker (their places, suggestions, severities and limits), and the functions that call the
// checker.
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>
#include <onnxc/checker.h>
#include <onnxc/parser.h>

#include <algorithm>
#include <string>
#include <vector>

#include "testing/predicates.h"

namespace onnxc {
namespace {

const std::string kHead = "<ir_version: 10, opset_import: [\"\" : 21]>\n";

/// Returns the findings about a text, with their positions in the text.
Diagnostics CheckText(const std::string& text, CheckOptions options = {}) {
  onnx::ModelProto model;
  SourceMap places;
  Diagnostics found = Parse(text, &model, {.source_map_out = &places});
  EXPECT_TRUE(testing::Ok(found)) << text;
  options.source_map = &places;
  found.Append(CheckModel(model, options));
  return found;
}

/// "line:column rule", one for each finding.
std::vector<std::string> Positions(const std::string& text, const Diagnostics& found) {
  const SourceText source("", text);
  std::vector<std::string> places;
  for (const Diagnostic& item : found.items()) {
    EXPECT_EQ(item.path, "");
    const SourcePosition at = source.PositionAt(item.range.begin);
    places.push_back(std::to_string(at.line) + ":" + std::to_string(at.column) + " " + std::string(Name(item.kind)));
  }
  return places;
}

onnx::ModelProto Parsed(const std::string& text) {
  onnx::ModelProto model;
  EXPECT_TRUE(testing::Ok(Parse(text, &model))) << text;
  return model;
}

/// Checks a message with the function for any type, and with the function for its own type.
template <typename Proto>
void ExpectTheSame(const std::string& text, Diagnostics (*check)(const Proto&, const CheckOptions&)) {
  Proto message;
  ASSERT_TRUE(testing::Ok(Parse(text, &message))) << text;
  const Diagnostics found = Check(message);
  EXPECT_FALSE(found.empty()) << text;
  const SourceText source("text", text);
  EXPECT_EQ(RenderText(found, source), RenderText(check(message, {}), source));
}

TEST(Checker, KnowsTheTypeOfAMessage) {
  ExpectTheSame<onnx::ModelProto>("<ir_version: 10> g () => () { y = Relu(x) }", &CheckModel);
  ExpectTheSame<onnx::GraphProto>("g () => () { y = Relu(x) }", &CheckGraph);
  ExpectTheSame<onnx::FunctionProto>("<domain: \"d\"> f (x) => (y) { y = Relu(z) }", &CheckFunction);
  ExpectTheSame<onnx::NodeProto>("y = Relu(x, x)", &CheckNode);
  ExpectTheSame<onnx::AttributeProto>("a = float[2] {1}", &CheckAttribute);
  ExpectTheSame<onnx::TypeProto>("map(float, float)", &CheckType);
  ExpectTheSame<onnx::TensorProto>("float[2] {1}", &CheckTensor);
  EXPECT_FALSE(Check(onnx::ValueInfoProto()).ok());
  EXPECT_FALSE(Check(onnx::SparseTensorProto()).ok());
  EXPECT_TRUE(Check(onnx::TensorShapeProto()).empty());

  onnx::ModelProto library;
  const std::string text = "<domain: \"d\", opset_import: [\"\" : 21]> f (x) => (y) { y = Relu(x) }";
  ASSERT_TRUE(testing::Ok(Parse(text, &library, {.tell_functions_apart = true})));
  EXPECT_FALSE(CheckModel(library).ok());
  EXPECT_TRUE(testing::Ok(Check(library)));
}

TEST(Checker, TenViolationsInOneRun) {
  const std::string text = kHead + R"(net (float[N] x, int64[N] x, float[N] weights) => (float[N] y, float[N] z) <
  float[3] w = {1, 2}
> {
  a = Rleu(x)
  b = Cast<too = 7, to = 7>(x)
  c = Add(x, wieghts)
  d = Sub(e, x)
  e = Neg(d)
  a = Abs(x)
  f = ai.onnx.ml.Scaler(x)
  g = Relu(x, w)
  y = Relu(k)
  k = Abs(x)
}
)";
  EXPECT_EQ(Positions(text, CheckText(text)),
            (std::vector<std::string>{"2:27 duplicate-input", "2:73 unknown-output", "3:21 tensor-too-few",
                                      "5:7 unknown-operator", "6:12 unknown-attribute", "7:14 unknown-name",
                                      "8:11 cycle", "10:3 duplicate-name", "11:7 domain-not-imported",
                                      "12:15 input-count", "13:12 not-sorted"}));
}

TEST(Checker, SuggestsAndCorrects) {
  const std::string text = kHead + "g (float[N] weight) => (float[N] y) { y = Relu(wieght) }";
  const Diagnostics found = CheckText(text);
  ASSERT_EQ(found.items().size(), 1u);
  const Diagnostic& item = found.items()[0];
  EXPECT_EQ(item.message, "no value named 'wieght' is visible here; did you mean 'weight'?");
  ASSERT_EQ(item.fix_its.size(), 1u);
  EXPECT_EQ(item.fix_its[0].replacement, "weight");
  EXPECT_EQ(text.substr(item.fix_its[0].range.begin, 6), "wieght");
}

TEST(Checker, ShowsTheCycle) {
  const Diagnostics found = CheckText(kHead + R"(g (float[N] x) => (float[N] y) {
    [one] a = Add(x, c)  [two] b = Relu(a)  [three] c = Abs(b)  y = Neg(c) })");
  ASSERT_EQ(found.items().size(), 1u);
  EXPECT_EQ(found.items()[0].message,
            "'c' depends on itself: the node 'one' -> the node 'three' -> the node 'two' -> the node 'one'");
}

TEST(Checker, SeesNoCycleInNamesThatSubgraphsDefine) {
  const std::string text = kHead + R"(g (float[N] x) => (float[N] y) {
  y = Neg(late)
  late = d.f(x) <body = t (float[N] own) => (float[N] a) { a = Neg(own) }>
  own = Neg(y)
})";
  EXPECT_EQ(Positions(text, CheckText(text)).front(), "3:11 not-sorted");
}

TEST(Checker, SeesOrderAcrossGraphs) {
  const std::string text = kHead + R"(g (bool c, float[N] x) => (float[N] y) {
  y = If(c) <then_branch = t () => (float[N] a) { a = Relu(late) }, else_branch = e () => (float[N] b) { b = Abs(x) }>
  late = Neg(x)
})";
  EXPECT_EQ(Positions(text, CheckText(text)), std::vector<std::string>{"3:60 not-sorted"});
}

TEST(Checker, NamesOfSiblingsDoNotMeet) {
  EXPECT_TRUE(CheckText(kHead + R"(g (bool c, float[N] x) => (float[N] y) {
  y = If(c) <then_branch = t () => (float[N] a) { a = Relu(x) }, else_branch = e () => (float[N] a) { a = Abs(x) }>
})")
                  .empty());
}

TEST(Checker, BlamesPathsWithoutText) {
  onnx::ModelProto model = Parsed(kHead + "g (float[N] x) => (float[N] y) { t = Abs(x) [conv1] y = Relu(t) }");
  onnx::AttributeProto* const attribute = model.mutable_graph()->mutable_node(1)->add_attribute();
  attribute->set_name("pads");
  attribute->set_type(onnx::AttributeProto::INTS);
  model.mutable_graph()->mutable_node(0)->add_input("z");
  const Diagnostics found = CheckModel(model);
  std::vector<std::string> paths;
  for (const Diagnostic& item : found.items()) paths.push_back(item.path);
  EXPECT_EQ(paths, (std::vector<std::string>{"graph.node[0].input[1]", "graph.node[0].input[1]",
                                             "graph.node[1] \"conv1\".attribute[\"pads\"].name"}));
}

TEST(Checker, StrictMakesErrorsOfWarnings) {
  const std::string text = kHead + "g (float[2] x) => (float[2] y) <float[2] w = {1, 2}> { y = Relu(x) }";
  EXPECT_TRUE(testing::Ok(CheckText(text)));
  EXPECT_FALSE(CheckText(text, {.strict = true}).ok());
}

TEST(Checker, CountsWhatItLeavesOut) {
  std::string text = kHead + "g (float[2] x) => (float[2] y) {";
  for (int i = 0; i < 50; ++i) text += "  z" + std::to_string(i) + " = NoSuchOperator(x)\n";
  const Diagnostics found = CheckText(text + "y = Relu(x) }", {.max_diagnostics = 7});
  EXPECT_EQ(found.items().size(), 7u);
  EXPECT_EQ(found.suppressed(), 43u);
  EXPECT_FALSE(found.ok());
}

TEST(Checker, ErrorsAreNotLostBehindWarnings) {
  std::string text = kHead + "g (float[2] x) => (float[2] y) <";
  for (int i = 0; i < 50; ++i) text += (i == 0 ? "" : ", ") + ("float[1] w" + std::to_string(i)) + " = {1}";
  const Diagnostics found = CheckText(text + "> { y = Relu(z) }", {.max_diagnostics = 3});
  EXPECT_FALSE(found.ok());
  EXPECT_EQ(found.items().size(), 3u);
  EXPECT_EQ(found.suppressed(), 48u);
}

TEST(Checker, OldVersionsAreJudgedByTheirOwnRules) {
  EXPECT_TRUE(
      CheckText("<ir_version: 2> g (float[2] x) => (float[2] y) { y = Relu<consumed_inputs = [0]>(x) }").empty());
  EXPECT_TRUE(CheckText("<ir_version: 3, opset_import: [\"\" : 6]> g (float[2] x) => (float[2] y) {"
                        "y = Dropout<is_test = 1>(x) }")
                  .empty());
  EXPECT_FALSE(CheckText("<ir_version: 3, opset_import: [\"\" : 7]> g (float[2] x) => (float[2] y) {"
                         "y = Dropout<is_test = 1>(x) }")
                   .ok());
}

TEST(Checker, KnowsTypesOfInitializersConstantsAndValueInfos) {
  const auto broken = [](const std::string& body) { return !CheckText(kHead + body).ok(); };
  EXPECT_TRUE(broken("g (float[2] x) => (float[2] y) <int64[2] w = {1, 2}> { y = Add(x, w) }"));
  EXPECT_TRUE(broken("g (float[2] x) => (float[2] y) { w = Constant<value = int64[2] {1, 2}>() y = Add(x, w) }"));
  EXPECT_TRUE(broken("g (float[2] x, z) => (float[2] y) <int64[2] w> { w = Shape(x) y = Add(x, w) }"));
  EXPECT_FALSE(broken("g (float[2] x, int64[1] i) => (float[2] y) { y = Reshape(x, i) }"));
}

TEST(Checker, PartsAreCheckedAlone) {
  const auto node = [](const char* text) {
    onnx::NodeProto message;
    EXPECT_TRUE(testing::Ok(Parse(text, &message)));
    return message;
  };
  EXPECT_TRUE(CheckNode(node("y = Relu(x)")).empty());
  EXPECT_FALSE(CheckNode(node("y = Relu<k = 1>(x)")).ok());
  EXPECT_TRUE(testing::Ok(CheckNode(node("y = Upsample<scales = [1.0]>(x)"), {.opset_imports = {{"", 7}}})));
  EXPECT_FALSE(CheckNode(node("y = Upsample<scales = [1.0]>(x)")).ok());
  onnx::TensorProto tensor;
  ASSERT_TRUE(testing::Ok(Parse("float[2] t = {1}", &tensor)));
  EXPECT_FALSE(CheckTensor(tensor).ok());
  onnx::FunctionProto function;
  ASSERT_TRUE(testing::Ok(Parse("<domain: \"l\", opset_import: [\"\" : 21]> f (a) => (b) { b = Relu(c) }", &function)));
  EXPECT_FALSE(CheckFunction(function).ok());
}

TEST(Checker, ThrowsForThoseWhoExpectIt) {
  onnx::ModelProto model = Parsed(kHead + "g (float[N] x) => (float[N] y) { [n] y = Relu(x) }");
  EXPECT_NO_THROW(checker::check_model(model));
  model.mutable_graph()->mutable_node(0)->set_op_type("Rleu");
  try {
    checker::check_model(model);
    FAIL() << "nothing was thrown";
  } catch (const checker::ValidationError& error) {
    EXPECT_EQ(std::string(error.what()),
              "graph.node[0] \"n\".op_type: no operator 'Rleu' exists in opset 21; did you mean 'Relu'? "
              "[unknown-operator]");
    EXPECT_EQ(error.diagnostics().items().size(), 1u);
  }
}

// Each function of the reference checks its kind of message: it rejects an empty message, and accepts this one.
template <typename Message>
void ExpectThrows(void (*check)(const Message&, const CheckOptions&), const std::string& right) {
  SCOPED_TRACE(Message::descriptor()->name());
  EXPECT_THROW(check({}, {}), checker::ValidationError);
  Message message;
  ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(right, &message));
  EXPECT_NO_THROW(check(message, {}));
}

TEST(Checker, ThrowsForEachKind) {
  using namespace checker;
  ExpectThrows<onnx::GraphProto>(&check_graph, "name: 'g'");
  ExpectThrows<onnx::FunctionProto>(&check_function, "name: 'f' domain: 'd'");
  ExpectThrows<onnx::NodeProto>(&check_node, "op_type: 'Relu' input: 'x' output: 'y'");
  ExpectThrows<onnx::AttributeProto>(&check_attribute, "name: 'a' type: INT i: 1");
  ExpectThrows<onnx::ValueInfoProto>(&check_value_info,
                                     "name: 'v' type { tensor_type { elem_type: 1 shape { dim { dim_value: 1 } } } }");
  ExpectThrows<onnx::TensorProto>(&check_tensor, "dims: 1 data_type: 1 float_data: 1");
  ExpectThrows<onnx::SparseTensorProto>(
      &check_sparse_tensor,
      "dims: 2 values { dims: 1 data_type: 1 float_data: 1 } indices { dims: 1 data_type: 7 int64_data: 1 }");
}

TEST(Checker, ThrowsAllErrorsAndNoWarning) {
  onnx::ModelProto model =
      Parsed(kHead + "g (float[N] x) => (float[N] y) <float[1] w = {1}> { t = Rleu(x) y = Relu(z) }");
  const Diagnostics found = CheckModel(model);
  ASSERT_EQ(found.items().size(), 3u);
  try {
    checker::check_model(model);
    FAIL() << "nothing was thrown";
  } catch (const checker::ValidationError& error) {
    EXPECT_EQ(std::string(error.what()),
              "graph.node[0].op_type: no operator 'Rleu' exists in opset 21; did you mean 'Relu'? "
              "[unknown-operator]\ngraph.node[1].input[0]: no value named 'z' is visible here [unknown-name]");
  }
}

TEST(Checker, LibrariesNeedNoGraph) {
  onnx::ModelProto library;
  ASSERT_TRUE(testing::Ok(Parse(R"(<domain: "l", opset_import: ["" : 21]> f (a) => (b) { b = Relu(a) })", &library,
                                {.tell_functions_apart = true})));
  ASSERT_EQ(library.functions_size(), 1);
  EXPECT_TRUE(CheckLibrary(library).empty());
  library.mutable_functions(0)->mutable_node(0)->set_op_type("Rleu");
  EXPECT_FALSE(CheckLibrary(library).ok());
}

TEST(Checker, TypesInLibrariesAreInferred) {
  onnx::ModelProto library;
  ASSERT_TRUE(
      testing::Ok(Parse(R"(<domain: "l", opset_import: ["" : 21]> f (float[2, 3] a) => (b) { b = MatMul(a, a) })",
                        &library, {.tell_functions_apart = true})));
  const Diagnostics found = CheckLibrary(library);
  ASSERT_EQ(found.items().size(), 1U);
  EXPECT_EQ(found.items()[0].path, R"(functions[0] "f".node[0].input[1])");
  EXPECT_TRUE(CheckLibrary(library, {.infer = false}).empty());
}

TEST(Checker, SurvivesAnEmptyMessageOfEachKind) {
  EXPECT_FALSE(CheckModel({}).ok());
  EXPECT_FALSE(CheckGraph({}).ok());
  EXPECT_FALSE(CheckFunction({}).ok());
  EXPECT_FALSE(CheckNode({}).ok());
  EXPECT_FALSE(CheckAttribute({}).ok());
  EXPECT_FALSE(CheckValueInfo({}).ok());
  EXPECT_FALSE(CheckType({}).empty());
  EXPECT_FALSE(CheckTensor({}).ok());
  EXPECT_FALSE(CheckSparseTensor({}).ok());
}

TEST(Checker, StrictMakesErrorsOfWhatInferenceWarnsOf) {
  const std::string text = kHead + R"(g (float[2, 3] x) => (float[2, 3] y) <bool c = {0}> { y = If (c) <
      then_branch = t () => (a) { a = MatMul (x, x) }, else_branch = e () => (b) { b = Abs (x) }> })";
  EXPECT_TRUE(testing::Ok(CheckText(text)));
  EXPECT_FALSE(CheckText(text, {.strict = true}).ok());
}

TEST(Checker, AnOutputThatIsTakenIsToldAtItsNodeAlone) {
  const Diagnostics found = CheckText(kHead + R"(g (bool c, float[2] x) => (float[2] y) { z = Neg (x) y = If (c) <
      then_branch = t () => (z) { z = Neg (x) }, else_branch = e () => (b) { b = Abs (x) }> })");
  ASSERT_EQ(found.items().size(), 1u);
  EXPECT_EQ(found.items()[0].message, "'z' is already the name of another node's output");
}

TEST(Checker, TypesOfAValueThatContradictEachOther) {
  const auto contradict = [](const std::string& first, const std::string& second) {
    const Diagnostics found = CheckText(kHead + "g (float[2] x) => (float[2] y) <" + first + " t, " + second +
                                        " t> { t = Identity (x) y = Relu (t) }");
    return std::ranges::any_of(found.items(), [](const Diagnostic& finding) {
      return Name(finding.kind) == "duplicate-value-info" && finding.severity == Severity::kError;
    });
  };
  EXPECT_FALSE(contradict("float[2]", "float[2]"));
  EXPECT_FALSE(contradict("float[2]", "float[N]"));
  EXPECT_FALSE(contradict("float[2]", "float[]"));
  EXPECT_FALSE(contradict("seq(float[2])", "seq(float[])"));
  EXPECT_TRUE(contradict("float[2]", "float[3]"));
  EXPECT_TRUE(contradict("float[2]", "float[2, 1]"));
  EXPECT_TRUE(contradict("float[2]", "int64[2]"));
  EXPECT_TRUE(contradict("float[2]", "seq(float[2])"));
  EXPECT_TRUE(contradict("seq(float[2])", "seq(int64[2])"));
  EXPECT_TRUE(contradict("map(int64, float)", "map(string, float)"));
  EXPECT_TRUE(contradict("optional(float)", "optional(seq(float))"));
}

}  // namespace
}  // namespace onnxc
