// Operators that files declare, through the API of the library.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <onnxc/checker.h>
#include <onnxc/infer.h>
#include <onnxc/operators.h>

#include <string>
#include <string_view>
#include <vector>

#include "testing/predicates.h"

namespace onnxc {
namespace {

/// The operators that files with these texts declare; their errors are added to `found`.
Operators Declared(const std::vector<std::string>& texts, std::string* found = nullptr) {
  std::vector<LinkInput> files;
  files.reserve(texts.size());
  for (const std::string& text : texts) {
    const std::string name = fmt::format("{}.onnxtxt", files.size());
    LinkInput& file = files.emplace_back(LinkInput{SourceText(name, text), {}, {}});
    EXPECT_TRUE(testing::Ok(Parse(text, &file.message, {.source_map_out = &file.places, .tell_functions_apart = true})))
        << text;
  }
  std::vector<SourceFindings> findings;
  Operators operators = Operators::From(std::move(files), &findings);
  for (const SourceFindings& source : findings) {
    for (const Diagnostic& item : source.diagnostics.items()) {
      if (found != nullptr) *found += fmt::format("{}: {} [{}]\n", source.source.name(), item.message, Name(item.kind));
    }
  }
  return operators;
}

onnx::ModelProto Model(std::string_view nodes) {
  onnx::ModelProto model;
  const std::string text = fmt::format(
      R"(<ir_version: 10, opset_import: ["" : 21, "v" : 1]> g (float[2, 8] x, float[8] b, int64[3] i) => () {{ {} }})",
      nodes);
  EXPECT_TRUE(testing::Ok(Parse(text, &model))) << text;
  return model;
}

/// Returns the inferred type of `y`.
std::string TypeOfY(const Operators& operators, std::string_view nodes) {
  const onnx::ModelProto model = Model(nodes);
  const Inference inference = InferTypes(model, {.operators = operators});
  const InferredValue* const value = inference.Find(model.graph(), "y");
  return value == nullptr ? "" : ToString(value->type);
}

/// Returns the errors of the checker.
std::string ErrorsOf(const Operators& operators, std::string_view nodes) {
  std::string errors;
  const Diagnostics found = CheckModel(Model(nodes), {.operators = operators});
  for (const Diagnostic& item : found.items()) {
    if (item.severity == Severity::kError) errors += fmt::format("{} [{}]\n", item.message, Name(item.kind));
  }
  return errors;
}

TEST(Operators, GiveTypesAndShapes) {
  const Operators operators = Declared(
      {R"(<domain: "v", opset_import: ["v" : 1], metadata_props: ["T" : "float | float16", "x" : "T[N, C]", "b" : "T[C]?", "y" : "T[C, N, 7]"]>
          Turn (x, b) => (y, int64[N] z) {}
          <domain: "v", opset_import: ["" : 21]> Body (x) => (y) { t = Transpose (x) y = Cast <to = 10> (t) })"});
  EXPECT_EQ(TypeOfY(operators, "y, z = v.Turn (x, b)"), "float[8, 2, 7]");
  EXPECT_EQ(TypeOfY(operators, "t, y = v.Turn (x)"), "int64[2]");
  EXPECT_EQ(TypeOfY(operators, "y = v.Body (x)"), "float16[8, 2]");
  EXPECT_EQ(TypeOfY(Operators(), "y = v.Body (x)"), "?");
}

TEST(Operators, AreChecked) {
  const Operators operators =
      Declared({R"(<domain: "v", metadata_props: ["k" : "int"]> Turn <k> (float[N] x) => (float[N] y) {}
                   <domain: "v", opset_import: ["" : 21]> Sum (x, z) => (y) { y = Add (x, z) })"});
  EXPECT_EQ(ErrorsOf(operators, "y = v.Turn <k = 1> (b)"), "");
  EXPECT_EQ(ErrorsOf(operators, "y = v.Turn (b)"), "Turn needs the attribute 'k' [missing-attribute]\n");
  EXPECT_EQ(ErrorsOf(operators, "y = v.Tunr <k = 1> (b)"),
            "no operator 'Tunr' exists in opset 1 of 'v'; did you mean 'Turn'? [unknown-operator]\n");
  EXPECT_EQ(ErrorsOf(operators, "y = v.Turn <k = 1> (i)"), "'x' of Turn must be float; 'i' is int64 [operand-type]\n");
  EXPECT_EQ(ErrorsOf(operators, "y = v.Turn <k = 1> (x)"),
            "input 'x' of Turn has rank 2; it must have rank 1 [rank-clash]\n");
  EXPECT_EQ(ErrorsOf(operators, "y = v.Sum (b, i)"),
            "'A' and 'B' of Add must have the same type; 'z' is int64, but 'x' is float (in the operator declared at "
            "0.onnxtxt:2) [operand-types-differ]\n");
  EXPECT_EQ(ErrorsOf(Operators(), "y = v.Turn (b)"), "");
}

TEST(Operators, OfTheModelComeFirst) {
  const Operators operators = Declared({R"(<domain: "v"> Half (float x) => (int64[3] y) {})"});
  onnx::ModelProto model = Model("y = v.Half (x)");
  EXPECT_TRUE(testing::Ok(
      Parse(R"(<domain: "v", opset_import: ["" : 21]> Half (x) => (y) { y = Relu (x) })", model.add_functions())));
  const Inference inference = InferTypes(model, {.operators = operators});
  EXPECT_EQ(ToString(inference.Find(model.graph(), "y")->type), "float[2, 8]");
  EXPECT_TRUE(testing::Ok(CheckModel(model, {.operators = operators})));
}

TEST(Operators, ThatAreDeclaredTwiceAreErrors) {
  std::string found;
  (void)Declared({R"(<domain: "v"> Half (x) => (y) {})",
                  "\n"
                  R"(<domain: "v"> Half (x) => (y) {})",
                  R"(<domain: "com.microsoft"> FastGelu (x) => (y) {})"},
                 &found);
  EXPECT_EQ(found,
            "1.onnxtxt: the operator 'v::Half' is already known: see 0.onnxtxt:1 [operator-twice]\n"
            "2.onnxtxt: the operator 'com.microsoft::FastGelu' is already known: it is built in [operator-twice]\n");
}

TEST(Operators, HaveVersions) {
  const Operators operators = Declared({R"(<domain: "v", opset_import: ["v" : 1]> Half (float[] x) => (float[2] y) {}
                                           <domain: "v", opset_import: ["v" : 2]> Half (int64[] x) => (int64[] y) {}
                                           <domain: "v", opset_import: ["v" : 3]> New (x) => (y) {})"});
  EXPECT_EQ(TypeOfY(operators, "y = v.Half (x)"), "float[2]");
  EXPECT_EQ(ErrorsOf(operators, "y = v.New (x)"),
            "no operator 'New' exists in opset 1 of 'v'; it was added in version 3 [unknown-operator]\n");
}

TEST(Operators, ThatAreWrongHaveTheirPlace) {
  std::string found;
  (void)Declared({R"(<domain: "v", metadata_props: ["bais" : "?", "x" : "...", "pkg.tool" : "anything"]>
                     Blur (x, bias) => (y) {})"},
                 &found);
  EXPECT_EQ(found,
            "0.onnxtxt: 'bais' is not an input, output, attribute or type variable; did you mean 'bias'? "
            "[operator-declaration]\n"
            "0.onnxtxt: only the last input or output can be a list, but 'x' is not the last [operator-declaration]\n");
}

TEST(Operators, MayBeMany) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += fmt::format("<domain: \"v\"> Op{} (float[] x) => (int32 y) {{}}\n", i);
  const Operators operators = Declared({text});
  EXPECT_EQ(TypeOfY(operators, "y = v.Op19999 (x)"), "int32");
}

}  // namespace
}  // namespace onnxc
