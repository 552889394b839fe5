// Changing the types of inputs, sizes and operator sets.
#include <gtest/gtest.h>
#include <onnxc/printer.h>
#include <onnxc/set.h>

#include <string>

#include "testing/predicates.h"
#include "testing/proto.h"

namespace onnxc::testing {
namespace {

/// The model of a text after the change.
struct Changed {
  Changed(const std::string& text, SetOptions options) {
    SourceMap places;
    const SourceText source("m", text);
    EXPECT_TRUE(testing::Ok(Parse(text, &model, {.source_map_out = &places}))) << text;
    options.source_map = &places;
    found = RenderText(SetInModel(&model, options), source);
  }

  [[nodiscard]] std::string Type(const onnx::ValueInfoProto& value) const { return Print(value.type()).text; }
  [[nodiscard]] std::string Input() const { return Type(model.graph().input(0)); }
  [[nodiscard]] std::string Output() const { return Type(model.graph().output(0)); }

  onnx::ModelProto model;
  std::string found;
};

NewInput InputOf(const std::string& name, const std::string& type) {
  NewInput input{.name = name, .type = {}};
  EXPECT_TRUE(testing::Ok(Parse(type, &input.type)));
  return input;
}

NewDimension Number(const std::string& symbol, std::int64_t number) {
  NewDimension dimension{.symbol = symbol, .size = {}};
  dimension.size.set_dim_value(number);
  return dimension;
}

const std::string kSized = R"(<ir_version: 10, opset_import: ["": 21]>
m (float[1, 4] x) => (float[1, 2] y) <float[4, 2] w = {1, 2, 3, 4, 5, 6, 7, 8}, float[1, 2] a> {
  a = MatMul (x, w)
  y = Relu (a)
}
)";

TEST(Set, TypesFollowTheInput) {
  const Changed number(kSized, {.inputs = {InputOf("x", "float[8, 4]")}});
  EXPECT_EQ(number.found, "");
  EXPECT_EQ(number.Output(), "float[8, 2]");
  EXPECT_EQ(number.Type(number.model.graph().value_info(0)), "float[8, 2]");
  const Changed symbol(kSized, {.inputs = {InputOf("x", "float[N, 4]")}});
  EXPECT_EQ(symbol.found, "");
  EXPECT_EQ(symbol.Output(), "float[N, 2]");
}

TEST(Set, TypesFollowTheDimension) {
  const std::string text = R"(<ir_version: 10, opset_import: ["": 21]>
m (float[N, 4] x, bool c) => (float[N, 4] y) {
  y = If (c) <
    then_branch = t () => (float[N, 4] p) { p = Relu (x) },
    else_branch = e () => (float[N, 4] q) { q = Abs (x) }
  >
}
)";
  const Changed number(text, {.dimensions = {Number("N", 8)}});
  EXPECT_EQ(number.found, "");
  EXPECT_EQ(number.Input(), "float[8, 4]");
  EXPECT_EQ(number.Output(), "float[8, 4]");
  EXPECT_EQ(number.Type(number.model.graph().node(0).attribute(0).g().output(0)), "float[8, 4]");
  EXPECT_EQ(Changed(text, {.dimensions = {Number("batch", 8)}}).found,
            "m: error: the model has no dimension 'batch'; there is 'N' [unknown-name]\n");
  EXPECT_EQ(Changed(text, {.inputs = {InputOf("xx", "float[8]")}}).found,
            "m: error: the model has no input 'xx'; there are 'c', 'x' [unknown-name]\n");
}

TEST(Set, DimensionsOfAllGraphsAndRecords) {
  const std::string text = R"(<ir_version: 11, opset_import: ["": 21, "f": 1],
 training_info: [{initialization: (i () => (float[N] w0) { w0 = f.Make <t: type_proto = float[N]> () }),
                  algorithm: (a () => (float[N] z) <float[N] s> { s = Neg (x) z = Neg (s) }),
                  initialization_binding: ["w": "w0"]}],
 configuration: [{name: "c", num_devices: 2}]>
m (float[N] x) => (float[N] y) <float[1] w = {1}> {
  @device_configurations [{configuration_id: "c",
    sharding_spec: [{tensor_name: "x", sharded_dim: [{simple_sharding: [{dim_param: "N", num_shards: 2}]}]}]}]
  y = f.F (x)
}
<domain: "f", opset_import: ["": 21]> F (float[N] x) => (q) { q = Relu (x) }
)";
  const Changed set(text, {.dimensions = {Number("N", 8)}});
  EXPECT_EQ(set.found, "");
  const std::string now = Print(set.model).text;
  EXPECT_EQ(now.find("[N]"), now.rfind("[N]")) << now;  // only the function, which has its own dimensions
  EXPECT_NE(now.find("F (float[N] x)"), std::string::npos) << now;
  EXPECT_NE(now.find("{dim_value: 8,"), std::string::npos) << now;
}

TEST(Set, WhatTheModelComputesMayContradict) {
  const std::string text = R"(<ir_version: 10, opset_import: ["": 21]>
m (float[1, 4] x) => (float[2, 2] y) <int64[2] s = {2, 2}> { y = Reshape (x, s) }
)";
  const Changed changed(text, {.inputs = {InputOf("x", "float[8, 4]")}});
  EXPECT_NE(changed.found.find("m:2:"), std::string::npos) << changed.found;
  EXPECT_NE(changed.found.find("error"), std::string::npos) << changed.found;
}

TEST(Set, WhatIsNotKnownIsNotDeclared) {
  const std::string text = R"(<ir_version: 10, opset_import: ["": 21, "com.o": 1]>
m (float[1, 4] x) => (float[1, 2] y) <float[1, 2] a, float[1, 4] b> { b = Relu (x) a = com.o.Unknown (b) y = Relu (a) }
)";
  const Changed changed(text, {.inputs = {InputOf("x", "float[8, 4]")}});
  EXPECT_EQ(changed.found,
            "m: warning: the type of the output 'y' cannot be inferred; it stays as declared [old-untyped]\n");
  ASSERT_EQ(changed.model.graph().value_info_size(), 1);
  EXPECT_EQ(changed.model.graph().value_info(0).name(), "b");
  EXPECT_EQ(changed.Output(), "float[1, 2]");
}

TEST(Set, DenotationsStayAtEveryDepth) {
  const std::string text = R"(<ir_version: 10, opset_import: ["": 21]>
m (seq(float[1]) x) => (@denotation "A" seq(@denotation "B" float[@denotation "C" 1]) y) { y = Identity (x) }
)";
  const Changed changed(text, {.inputs = {InputOf("x", "seq(float[8])")}});
  EXPECT_EQ(changed.found, "");
  EXPECT_EQ(changed.Output(), R"(@denotation "A" seq(@denotation "B" float[@denotation "C" 8]))");
}

TEST(Set, WhatIsNotKnownStaysIfOnlyASymbolIsReplaced) {
  const std::string text = R"(<ir_version: 10, opset_import: ["": 21, "com.o": 1]>
m (float[N] x) => (float[N] y) <float[N, 2] a> { a = com.o.Unknown (x) y = com.o.Unknown (a) }
)";
  const Changed changed(text, {.dimensions = {Number("N", 8)}});
  ASSERT_EQ(changed.model.graph().value_info_size(), 1);
  EXPECT_EQ(changed.Type(changed.model.graph().value_info(0)), "float[8, 2]");
  EXPECT_EQ(changed.Output(), "float[8]");
}

// The rank is known, and the element type is not.
TEST(Set, AnUnknownElementTypeIsNotWritten) {
  onnx::ModelProto model;
  ASSERT_TRUE(testing::Ok(Parse(R"(<ir_version: 8, opset_import: ["" : 17, "q" : 1]>
g (float[N, 2] x, int64[2] s) => (y) { a = q.Op (x) y = Reshape (a, s) })",
                                &model)));
  auto* const declared = model.mutable_graph()->mutable_output(0)->mutable_type()->mutable_tensor_type();
  for (int i = 0; i < 2; ++i) declared->mutable_shape()->add_dim()->set_dim_param("M");
  ASSERT_TRUE(testing::Ok(SetInModel(&model, {.dimensions = {Number("N", 4)}})));
  EXPECT_FALSE(model.graph().output(0).type().tensor_type().has_elem_type()) << model.ShortDebugString();
}

TEST(Set, OperatorSets) {
  const std::string text = R"(<ir_version: 8, opset_import: ["": 11]>
m (float[1, 4] x) => (float[1, 4] y) { a = Relu (x) y = Softmax (a) }
)";
  const Changed refused(text, {.opsets = {{"", 18}}, .number_only = true});
  EXPECT_EQ(
      refused.found,
      R"(m:2:57: error: the operator Softmax has different meanings in versions 18 and 11; the option allow-other-meaning sets the version anyway [opset-conflict]
    2 | m (float[1, 4] x) => (float[1, 4] y) { a = Relu (x) y = Softmax (a) }
      |                                                         ^~~~~~~
)");
  const Changed told(text, {.opsets = {{"", 18}}, .allow_other_meaning = true});
  EXPECT_EQ(told.found, "");
  EXPECT_EQ(told.model.opset_import(0).version(), 18);
  EXPECT_EQ(Changed(text, {.opsets = {{"", 12}}, .number_only = true}).found, "");
  const Changed converted(text, {.opsets = {{"", 18}}});
  EXPECT_EQ(converted.found, "");
  EXPECT_EQ(converted.model.graph().node(1).attribute(0).i(), 1);
  EXPECT_EQ(Changed(text, {.opsets = {{"a", 12}}}).found, "m: error: the model has no domain 'a' [unknown-name]\n");
  EXPECT_EQ(
      Changed(text, {.opsets = {{"", 99}}, .allow_other_meaning = true}).found,
      "m:1:32: warning: version 99 of domain '' is unknown; the newest known version is 28 [opset-version-unknown]\n"
      "    1 | <ir_version: 8, opset_import: [\"\": 11]>\n"
      "      |                                ^~~~~~\n");
  // The operator has another meaning in a graph of a training step, too.
  const std::string training = R"(<ir_version: 8, opset_import: ["": 11],
   training_info: [{algorithm: (step () => (float[1, 4] z) { z = Softmax (y) })}]>
m (float[1, 4] x) => (float[1, 4] y) { y = Relu (x) }
)";
  EXPECT_NE(Changed(training, {.opsets = {{"", 18}}, .number_only = true}).found.find("[opset-conflict]"),
            std::string::npos);
  // The operator of this node does not exist in the version.
  const std::string newer = R"(<ir_version: 8, opset_import: ["": 20]>
m (float[1, 4] x) => (float[1, 4] y) { y = Gelu (x) }
)";
  EXPECT_NE(Changed(newer, {.opsets = {{"", 19}}, .number_only = true}).found.find("[unknown-operator]"),
            std::string::npos);
}

TEST(Set, NeedsAGraph) {
  onnx::ModelProto model;
  onnx::FunctionProto& function = *model.add_functions();
  function.set_name("f");
  function.add_opset_import()->set_version(11);
  model.add_opset_import()->set_version(11);
  const std::string before = Bytes(model);
  for (const SetOptions& options :
       {SetOptions{.opsets = {{"", 12}}}, SetOptions{.inputs = {{"x", {}}}}, SetOptions{.dimensions = {{"N", {}}}}}) {
    EXPECT_EQ(RenderText(SetInModel(&model, options), SourceText("m", "")),
              "m: error: this is a library of functions, which has no graph [not-the-kind]\n");
    EXPECT_EQ(Bytes(model), before);
  }
}

}  // namespace
}  // namespace onnxc::testing
