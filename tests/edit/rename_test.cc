// Renaming in texts and messages.
#include <gtest/gtest.h>
#include <onnxc/arena.h>
#include <onnxc/parser.h>
#include <onnxc/rename.h>

#include <string>
#include <vector>

#include "testing/predicates.h"
#include "testing/proto.h"

namespace onnxc::testing {
namespace {

const std::string kRenamed = R"(# a comment
<ir_version: 10, opset_import: ["": 21, "my.f": 1]>
m (float[N, 2] x, bool c) => (float[N, 2] y)
<float[2] w = {1, 2}, float[N, 2] a> {
  [first] a = Mul (x, w)  # behind a node
  b = my.f.Half (a)
  y = If (c) <
    then_branch = t () => (p) { p = Abs (b) },
    else_branch = e () => (q) { r = Neg (b) q = Neg (r) }
  >
}
<domain: "my.f", opset_import: ["": 21]> Half (x) => (q) { q = Relu (x) }
)";

/// The renamed text; if there are errors, the errors.
std::string Renamed(const std::string& text, const std::vector<RenameRule>& rules,
                    const std::vector<NameKind>& kinds = {}, bool regex = false) {
  const RenameResult result = RenameText(text, {.rules = rules, .regex = regex, .kinds = kinds});
  const std::string errors = RenderText(result.diagnostics, SourceText("m", text));
  EXPECT_EQ(errors.empty(), !result.text.empty());
  return errors.empty() ? result.text : errors;
}

/// The text after each of the words is replaced.
std::string With(std::string text, const std::vector<std::pair<std::string, std::string>>& words) {
  for (const auto& [from, to] : words) {
    std::size_t at = 0;
    EXPECT_NE(text.find(from), std::string::npos) << from;
    while ((at = text.find(from, at)) != std::string::npos) {
      text.replace(at, from.size(), to);
      at += to.size();
    }
  }
  return text;
}

TEST(Rename, ValuesWhereverTheyAreUsed) {
  EXPECT_EQ(Renamed(kRenamed, {{"b", "half"}}), With(kRenamed, {{"  b = ", "  half = "}, {"(b)", "(half)"}}));
  EXPECT_EQ(Renamed(kRenamed, {{"a", "float"}}),  // the new name could begin a type
            With(kRenamed, {{" a> ", " \"float\"> "}, {" a = ", " \"float\" = "}, {"(a)", "(\"float\")"}}));
  EXPECT_EQ(Renamed(kRenamed, {{"p", "2 p"}}), With(kRenamed, {{"(p)", "(\"2 p\")"}, {" p = ", " \"2 p\" = "}}));
}

TEST(Rename, ValuesOfAllGraphsAndFunctions) {
  EXPECT_EQ(Renamed(kRenamed, {{"x", "in"}, {"q", "out"}}),
            With(kRenamed, {{"] x", "] in"}, {"(x", "(in"}, {"(q)", "(out)"}, {" q = ", " out = "}}));
}

TEST(Rename, TwoValuesMaySwapTheirNames) {
  EXPECT_EQ(Renamed(kRenamed, {{"p", "q"}, {"q", "p"}}),
            With(kRenamed, {{"(p)", "(Q)"}, {" p = ", " Q = "}, {"(q)", "(p)"}, {" q = ", " p = "}, {"Q", "q"}}));
}

TEST(Rename, NodesDimensionsFunctionsAndDomains) {
  EXPECT_EQ(Renamed(kRenamed, {{"first", "the first"}}), With(kRenamed, {{"[first]", "[\"the first\"]"}}));
  EXPECT_EQ(Renamed(kRenamed, {{"N", "batch"}}), With(kRenamed, {{"[N,", "[batch,"}}));
  EXPECT_EQ(Renamed(kRenamed, {{"Half", "Halve"}}), With(kRenamed, {{"Half", "Halve"}}));
  EXPECT_EQ(Renamed(kRenamed, {{"my.f", "com.x"}}), With(kRenamed, {{"my.f", "com.x"}}));
  EXPECT_EQ(Renamed(kRenamed, {{"my.f", "a b"}}), With(kRenamed, {{"= my.f", "= \"a b\""}, {"\"my.f\"", "\"a b\""}}));
}

TEST(Rename, ByExpressions) {
  EXPECT_EQ(Renamed(kRenamed, {{"^(.)$", R"(v/\1)"}}, {NameKind::kValue}, true).substr(0, 100),
            With(kRenamed, {{"] x", "] \"v/x\""}, {"bool c", "bool \"v/c\""}, {"] y", "] \"v/y\""}}).substr(0, 100));
  EXPECT_EQ(Renamed(kRenamed, {{"i(r)", R"(\&&\1)"}}, {NameKind::kNode}, true),
            With(kRenamed, {{"[first]", "[\"f&irrst\"]"}}));
  EXPECT_EQ(Renamed(kRenamed, {{"x*", "-"}}, {NameKind::kNode}, true),
            With(kRenamed, {{"[first]", "[\"-f-i-r-s-t\"]"}}));
  EXPECT_EQ(Renamed(kRenamed, {{"(", "-"}}, {}, true).find("m: error: '(' is not a regular expression: "), 0u);
  EXPECT_EQ(Renamed(kRenamed, {{"zz", "-"}}, {}, true),
            "m: error: the model has no name that matches 'zz' [unknown-name]\n");
}

TEST(Rename, NeverTakesTheUsesOfAnother) {
  EXPECT_EQ(Renamed(kRenamed, {{"a", "b"}}),
            R"(m:6:3: error: 'a' cannot become 'b': 'b' is already the name of another value here [duplicate-name]
    6 |   b = my.f.Half (a)
      |   ^
)");
  // The new name is used in a subgraph, or in an enclosing graph.
  EXPECT_NE(Renamed(kRenamed, {{"a", "p"}}).find("'p' is already the name of another value here"), std::string::npos);
  EXPECT_NE(Renamed(kRenamed, {{"p", "w"}}).find("'w' is already the name of another value here"), std::string::npos);
  // The two values are in different branches, so no graph can use both.
  EXPECT_EQ(Renamed(kRenamed, {{"p", "r"}}), With(kRenamed, {{"(p)", "(r)"}, {" p = ", " r = "}}));
  EXPECT_NE(Renamed(kRenamed, {{"a", "z"}, {"b", "z"}}).find("gets the same name"), std::string::npos);
}

TEST(Rename, NeverMakesTwoOne) {
  const std::string text = R"(<ir_version: 10, opset_import: ["": 21, "d": 1, "e": 1]>
m (float[N, M] x) => (float[N, M] y) { [one] a = d.F (x) [two] b = d.G (a) y = e.Abs (b) }
<domain: "d", opset_import: ["": 21]> F (x) => (q) { q = Relu (x) }
<domain: "d", opset_import: ["": 21]> G (x) => (q) { q = Relu (x) }
)";
  EXPECT_NE(Renamed(text, {{"F", "G"}}).find("'F' cannot become 'G': 'G' already exists"), std::string::npos);
  EXPECT_NE(Renamed(text, {{"N", "M"}}).find("'N' cannot become 'M': 'M' already exists"), std::string::npos);
  EXPECT_NE(Renamed(text, {{"one", "two"}}).find("another node of the graph has this name"), std::string::npos);
  EXPECT_NE(Renamed(text, {{"d", "e"}}).find("the model has another domain of this name"), std::string::npos);
  EXPECT_NE(Renamed(text, {{"d", ""}}).find("a name must have at least one character"), std::string::npos);
  EXPECT_EQ(Renamed(text, {{"N", "M"}, {"M", "N"}}), With(text, {{"[N, M]", "[M, N]"}}));
}

TEST(Rename, TellsWhatIsMeant) {
  const std::string text = R"(<ir_version: 10, opset_import: ["": 21]>
m (float[N] x) => (float[N] y) { [y] y = Abs (x) }
)";
  EXPECT_EQ(Renamed(text, {{"y", "z"}}),
            "m: error: 'y' cannot become 'z': there are values and nodes with this name; select one kind with --only "
            "[duplicate-name]\n");
  EXPECT_EQ(Renamed(text, {{"y", "z"}}, {NameKind::kNode}), With(text, {{"[y]", "[z]"}}));
  EXPECT_EQ(Renamed(text, {{"y", "z"}}, {NameKind::kNode, NameKind::kValue}),
            With(text, {{"[y]", "[z]"}, {"] y)", "] z)"}, {"y = ", "z = "}}));
  EXPECT_EQ(Renamed(text, {{"k", "z"}}, {NameKind::kNode}), "m: error: the model has no node 'k' [unknown-name]\n");
}

TEST(Rename, NamesInRecordsAndAnnotations) {
  const std::string text = R"(<ir_version: 10, opset_import: ["": 21],
 training_info: [{algorithm: (step () => (x2) { x2 = Neg (x) }), update_binding: ["w": "x2"]}]>
@quantization_annotation [{tensor_name: "x", quant_parameter_tensor_names: ["SCALE_TENSOR": "w"]}]
@sparse_initializer [{values: (float[1] "s" {1}), indices: (int64[1] {0}), dims: [4]}]
m (float[2] x) => (float[2] y) <float[1] w = {1}> {
  @device_configurations [{sharding_spec: [{tensor_name: "x"}]}] y = Add (x, s)
  @{op_type: "Neg", input: ["x"], output: ["z"]}
}
)";
  EXPECT_EQ(Renamed(text, {{"x", "in"}}),
            With(text, {{"(x)", "(in)"}, {"\"x\"", "\"in\""}, {"] x)", "] in)"}, {"(x,", "(in,"}}));
  EXPECT_EQ(Renamed(text, {{"s", "t/1"}}), With(text, {{"\"s\"", "\"t/1\""}, {", s)", ", \"t/1\")"}}));
  EXPECT_EQ(Renamed(text, {{"w", "u"}}), With(text, {{"\"w\"", "\"u\""}, {"] w =", "] u ="}}));
  EXPECT_EQ(Renamed(text, {{"x2", "u"}}), With(text, {{"x2", "u"}}));
}

TEST(Rename, DeclarationsOfOperators) {
  const std::string text = R"(<domain: "acme", metadata_props: ["T": "float | float16", "x": "T[N]", "k": "int"]>
Scale <k> (float[N, M] x) => (y) {}
)";
  EXPECT_EQ(Renamed(text, {{"x", "data"}}), With(text, {{"\"x\"", "\"data\""}, {"] x)", "] data)"}}));
  EXPECT_EQ(Renamed(text, {{"M", "K"}}), With(text, {{"M]", "K]"}}));
  EXPECT_NE(
      Renamed(text, {{"N", "K"}}).find("m:1:64: error: 'N' cannot become 'K': 'N' also appears in a longer string"),
      std::string::npos)
      << Renamed(text, {{"N", "K"}});
  EXPECT_NE(Renamed(text, {{"y", "T"}}).find("'T' is already a key in the metadata of the function"),
            std::string::npos);
  EXPECT_NE(Renamed(text, {{"x", "a.b"}}).find("would then declare nothing"), std::string::npos);
}

// The operator Gradient names the values between which it computes gradients in its attributes.
TEST(Rename, ValuesInAttributesOfGradient) {
  const std::string text = R"(<ir_version: 10, opset_import: ["": 21, "ai.onnx.preview.training": 1]>
m (float x) => (float dx) {
  y = Relu (x)
  dx = ai.onnx.preview.training.Gradient <xs = ["x"], y = "y"> (x)
  other = Fancy <xs = ["x"], y = "y"> (x)
}
)";
  EXPECT_EQ(Renamed(text, {{"y", "z"}}, {NameKind::kValue}),
            With(text, {{"  y = R", "  z = R"}, {"\"y\"> (x)\n  o", "\"z\"> (x)\n  o"}}));
  onnx::ModelProto model;
  ASSERT_TRUE(testing::Ok(Parse(text, &model)));
  EXPECT_TRUE(testing::Ok(Rename(&model, {.rules = {{"x", "in"}}})));
  EXPECT_EQ(model.graph().node(1).attribute(0).strings(0), "in");
  EXPECT_EQ(model.graph().node(2).attribute(0).strings(0), "x");
}

TEST(Rename, ByExpressionsInLongNames) {
  const auto with = [](const std::string& name) {
    return "<ir_version: 10, opset_import: [\"\": 21]>\nm (float x) => (float y) { " + name + " = Relu (x) y = Neg (" +
           name + ") }\n";
  };
  const std::string name(1'000'000, 'a');
  EXPECT_EQ(Renamed(with(name), {{"^aa*$", "b&"}}, {NameKind::kValue}, true), with("b" + name));
  EXPECT_NE(
      Renamed(with(name), {{"a", "b"}}, {NameKind::kValue}, true)
          .find("the expression matches more than 1000 times in a name of more than 65536 bytes [input-too-large]"),
      std::string::npos);
  EXPECT_EQ(Renamed(with(name.substr(0, 60000)), {{"a", "b"}}, {NameKind::kValue}, true),
            with(std::string(60000, 'b')));
}

TEST(Rename, AMessageIsWhatItsTextGives) {
  for (const std::vector<RenameRule>& rules :
       {std::vector<RenameRule>{{"b", "half"}, {"w", "scale"}}, {{"N", "batch"}}, {{"my.f", "com.x"}}}) {
    onnx::ModelProto model;
    ASSERT_TRUE(testing::Ok(Parse(kRenamed, &model)));
    onnx::ModelProto expected;
    ASSERT_TRUE(testing::Ok(Parse(Renamed(kRenamed, rules), &expected)));
    EXPECT_TRUE(Rename(&model, {.rules = rules}).empty());
    EXPECT_EQ(Bytes(model), Bytes(expected));
  }
}

TEST(Rename, WeightsAreNotCopied) {
  google::protobuf::Arena arena;
  auto* const model = NewIn<onnx::ModelProto>(&arena);
  ASSERT_TRUE(testing::Ok(Parse(kRenamed, model)));
  model->mutable_graph()->mutable_initializer(0)->set_raw_data(std::string(1000, 'x'));
  const char* const data = model->graph().initializer(0).raw_data().data();
  EXPECT_TRUE(Rename(model, {.rules = {{"w", "v"}}}).empty());
  EXPECT_EQ(model->graph().initializer(0).name(), "v");
  EXPECT_EQ(model->graph().initializer(0).raw_data().data(), data);
}

TEST(Rename, AMessageIsUnchangedWhereThereIsAnError) {
  onnx::ModelProto model;
  ASSERT_TRUE(testing::Ok(Parse(kRenamed, &model)));
  const onnx::ModelProto before = model;
  const Diagnostics found = Rename(&model, {.rules = {{"a", "b"}}});
  ASSERT_EQ(found.items().size(), 1u);
  EXPECT_EQ(found.items()[0].message, "'a' cannot become 'b': 'b' is already the name of another value here");
  EXPECT_EQ(Bytes(model), Bytes(before));
}

}  // namespace
}  // namespace onnxc::testing
