// Other outputs, and another IR version.
#include <gtest/gtest.h>
#include <onnxc/checker.h>
#include <onnxc/diagnostic_kinds.h>
#include <onnxc/differ.h>
#include <onnxc/infer.h>
#include <onnxc/set.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "testing/full_model.h"
#include "testing/model_texts.h"
#include "testing/predicates.h"
#include "testing/proto.h"
#include "testing/random_values.h"

namespace onnxc::testing {
namespace {

onnx::ModelProto ModelOf(const std::string& text) {
  onnx::ModelProto model;
  EXPECT_TRUE(testing::Ok(Parse(text, &model))) << text;
  return model;
}

std::string Set(onnx::ModelProto* model, const SetOptions& options) {
  return RenderText(SetInModel(model, options), SourceText("m", ""));
}

const std::string kMiddle = R"(<ir_version: 8, opset_import: ["": 17]>
m (bool c, float[N, 2] x) => (float[N, 2] y)
  <float[2] w = {1, 2}, @doc_string "the product" float[N, 2] a> {
  a = Mul (x, w)
  [act] b = Relu (a)
  y = If (c) <then_branch = t () => (float[N, 2] p) { inside = Neg (b) p = Abs (inside) },
              else_branch = e () => (float[N, 2] q) { q = Identity (b) }>
}
)";

TEST(SetOutputs, AreAddedAfterTheOthers) {
  onnx::ModelProto model = ModelOf(kMiddle);
  EXPECT_EQ(Set(&model, {.added_outputs = {"b", "y", "a", "b", "x", "w"}}), "");
  onnx::ModelProto expected = ModelOf(kMiddle);
  auto& graph = *expected.mutable_graph();
  for (const char* const name : {"b", "a", "x", "w"}) {
    auto& output = *graph.add_output();
    output = name[0] == 'a' ? graph.value_info(0) : graph.input(1);
    output.set_name(name);
    if (name[0] != 'w') continue;
    output.mutable_type()->mutable_tensor_type()->mutable_shape()->mutable_dim()->DeleteSubrange(0, 1);
  }
  graph.clear_value_info();
  EXPECT_EQ(Bytes(model), Bytes(expected)) << RenderText(Diff(expected, model));
}

TEST(SetOutputs, AreAllThatNodesCompute) {
  onnx::ModelProto all = ModelOf(kMiddle);
  EXPECT_EQ(Set(&all, {.all_outputs = true}), "");
  onnx::ModelProto named = ModelOf(kMiddle);
  EXPECT_EQ(Set(&named, {.added_outputs = {"a", "b"}}), "");
  EXPECT_EQ(Bytes(all), Bytes(named));
}

TEST(SetOutputs, AreRemovedAndTheirNodesStay) {
  onnx::ModelProto model = ModelOf(kMiddle);
  EXPECT_EQ(Set(&model, {.removed_outputs = {"y"}, .added_outputs = {"a"}}), "");
  ASSERT_EQ(model.graph().output_size(), 1);
  EXPECT_EQ(model.graph().output(0).doc_string(), "the product");
  EXPECT_EQ(model.graph().node_size(), 3);
  EXPECT_EQ(Set(&model, {.removed_outputs = {"a"}, .added_outputs = {"y"}}), "");
  EXPECT_EQ(Bytes(model), Bytes(ModelOf(kMiddle)));  // the documentation of each value is kept on both ways
  EXPECT_EQ(Set(&model, {.removed_outputs = {"y"}}),
            "m: error: the last output cannot be removed, because a model needs one [field-value]\n");
  onnx::ModelProto other = ModelOf(kMiddle);
  EXPECT_EQ(Set(&other, {.removed_outputs = {"yy"}}),
            "m: error: the model has no output 'yy'; there is 'y' [unknown-name]\n");
}

TEST(SetOutputs, KeepWhatTwoDeclarationsSay) {
  onnx::ModelProto model = ModelOf(kMiddle);
  auto& output = *model.mutable_graph()->mutable_output(0);
  output.add_metadata_props()->set_key("of the output");
  auto& value = *model.mutable_graph()->add_value_info();
  value.set_name("y");
  value.add_metadata_props()->set_key("of the value");
  const onnx::ValueInfoProto before = output;
  EXPECT_EQ(Set(&model, {.removed_outputs = {"y"}, .added_outputs = {"a", "y"}}), "");
  const onnx::ValueInfoProto& after = model.graph().output(1);
  EXPECT_EQ(Bytes(after.type()), Bytes(before.type()));
  EXPECT_EQ(after.doc_string(), before.doc_string());
  EXPECT_EQ(after.metadata_props_size(), 2);
}

TEST(SetOutputs, AreAllButTheRemovedOnes) {
  onnx::ModelProto model = ModelOf(kMiddle);
  EXPECT_EQ(Set(&model, {.removed_outputs = {"y"}, .all_outputs = true}), "");
  for (const auto& output : model.graph().output()) EXPECT_NE(output.name(), "y");
  EXPECT_GT(model.graph().output_size(), 0);
}

TEST(SetOutputs, AreValuesOfTheMainGraph) {
  const std::string text = R"(<ir_version: 10, opset_import: ["": 21, "f": 1],
   training_info: [{algorithm: (step () => (float[2] z) { t = Neg (y) z = Abs (t) })}]>
m (float[2] x, int64 n, bool c) => (float[2] y) {
  h = f.F (x)
  y, s = Loop (n, c, h) <body = b (int64 i, bool go, float[2] v) => (bool on, float[2] v1, float[2] e) {
    on = Identity (go)
    v1 = If (go) <then_branch = t () => (float[2] p) { deep = Neg (v) p = Abs (deep) },
                  else_branch = u () => (float[2] q) <float[2] k = {1, 2}> { q = Add (v, k) }>
    e = Identity (v1) }>
}
<domain: "f", opset_import: ["": 21]> F (in) => (out) { mid = Neg (in) out = Neg (mid) }
)";
  const auto error = [&](const std::string& name) {
    onnx::ModelProto model = ModelOf(text);
    return Set(&model, {.added_outputs = {name}});
  };
  const auto inside = [](const std::string& path, const std::string& name, const std::string& owner) {
    return "m: error: " + path + ": '" + name + "' is inside " + owner +
           ", which may run several times or not at all; only a value of the main graph can be used [unknown-name]\n";
  };
  const std::string body = "graph.node[1].attribute[\"body\"].g";
  EXPECT_EQ(error("go"), inside(body + ".input[1] \"go\"", "go", "the graph 'body' of Loop"));
  EXPECT_EQ(error("e"), inside(body + ".node[2].output[0]", "e", "the graph 'body' of Loop"));
  EXPECT_EQ(error("deep"), inside(body + ".node[1].attribute[\"then_branch\"].g.node[0].output[0]", "deep",
                                  "the graph 'then_branch' of If"));
  EXPECT_EQ(error("k"), inside(body + ".node[1].attribute[\"else_branch\"].g.initializer[0] \"k\"", "k",
                               "the graph 'else_branch' of If"));
  EXPECT_EQ(error("mid"), inside("functions[0] \"F\".node[0].output[0]", "mid", "the function 'F'"));
  EXPECT_EQ(error("t"), inside("training_info[0].algorithm.node[0].output[0]", "t", "a graph of training_info"));
  EXPECT_EQ(error("none"), "m: error: no value named 'none' is visible here [unknown-name]\n");
  EXPECT_EQ(error(""), "m: error: no value named '' is visible here [unknown-name]\n");
  onnx::ModelProto middle = ModelOf(kMiddle);
  EXPECT_EQ(Set(&middle, {.added_outputs = {"act"}}),
            "m: error: no value named 'act' is visible here; the node of this name computes 'b' [unknown-name]\n");
}

TEST(SetOutputs, NeedATypeAsTheCheckerDemands) {
  const std::string text = R"(<ir_version: 8, opset_import: ["": 17, "o": 1]>
m (float[2] x) => (float[2] y) <float[] a> { a = o.Op (x) b = o.Op (a) c = Relu (x) y = Relu (c) }
)";
  onnx::ModelProto model = ModelOf(text);
  EXPECT_EQ(Set(&model, {.added_outputs = {"a", "b"}}),
            "m: error: the type of 'a' lacks a shape, so it cannot be an output; declare the complete type in the "
            "value_info of the graph [type-incomplete]\n"
            "m: error: the type of 'b' is not known, so it cannot be an output; declare the complete type in the "
            "value_info of the graph [type-incomplete]\n");
  model = ModelOf(text);
  EXPECT_EQ(Set(&model, {.all_outputs = true}),
            "m: warning: the type of 'a' lacks a shape, so it did not become an output [old-untyped]\n"
            "m: warning: the type of 'b' is not known, so it did not become an output [old-untyped]\n");
  EXPECT_EQ(model.graph().output_size(), 2);
  EXPECT_EQ(model.graph().value_info_size(), 1);
}

/// Returns the valid models of the test data and the documents.
std::vector<onnx::ModelProto> ValidModels() {
  std::vector<onnx::ModelProto> models;
  for (const std::string& text : ModelTexts()) {
    onnx::ModelProto model;
    if (Parse(text, &model).ok() && model.has_graph() && model.graph().output_size() > 0 &&
        CheckModel(model, {.external_files = false}).ok()) {
      models.push_back(std::move(model));
    }
  }
  EXPECT_GT(models.size(), 30u);
  return models;
}

TEST(SetOutputs, RandomValuesGiveValidModels) {
  int added = 0;
  int untyped = 0;
  RandomValues random(17);
  const std::vector<onnx::ModelProto> models = ValidModels();
  for (std::size_t i = 0; i < 20 * models.size(); ++i) {
    const onnx::ModelProto& model = models[i % models.size()];
    std::vector<std::string> names;
    for (const auto& node : model.graph().node()) {
      for (const std::string& name : node.output()) {
        if (!name.empty() && random.OneIn(2)) names.push_back(name);
      }
    }
    onnx::ModelProto set = model;
    const Diagnostics found = SetInModel(&set, {.added_outputs = names});
    if (!found.ok()) {
      for (const Diagnostic& each : found.items()) EXPECT_EQ(each.kind, DiagnosticKind::kTypeIncomplete) << each;
      ++untyped;
      set = model;
      ASSERT_TRUE(testing::Ok(SetInModel(&set, {.all_outputs = true})));
    }
    EXPECT_TRUE(testing::Ok(CheckModel(set, {.external_files = false}))) << set.graph().name();
    added += set.graph().output_size() - model.graph().output_size();
    // Without the outputs, and with what was declared about them, the model is as it was.
    onnx::ModelProto old = model;
    for (onnx::ModelProto* const each : {&set, &old}) {
      each->mutable_graph()->clear_output();
      each->mutable_graph()->clear_value_info();
    }
    EXPECT_EQ(Bytes(old), Bytes(set));
  }
  std::printf("%d outputs were added, %d models have values without a type\n", added, untyped);
  EXPECT_GT(added, 50);
}

TEST(SetOutputs, ChangeNothingElse) {
  int wrong = 0;
  int models = 0;
  ForEachFullModel(AllPlaces(2), [&](const std::string& name, const onnx::ModelProto& model) {
    ++models;
    onnx::ModelProto set = model;
    const Diagnostics found = SetInModel(&set, {.added_outputs = {"x"}});
    if (!found.ok() && found.items()[0].kind == DiagnosticKind::kTypeIncomplete) {  // the input has no complete type
      const Diagnostics before = CheckModel(model, {.external_files = false});
      EXPECT_TRUE(std::ranges::any_of(before.items(), [](const Diagnostic& each) {
        return each.kind == DiagnosticKind::kTypeIncomplete;
      })) << name;
      return;
    }
    onnx::ModelProto rest = set;
    ASSERT_GE(rest.graph().output_size(), 1);
    if (rest.graph().output_size() > model.graph().output_size()) rest.mutable_graph()->mutable_output()->RemoveLast();
    if ((found.ok() && Bytes(rest) == Bytes(model)) || ++wrong > 10) return;
    ADD_FAILURE() << name << ": " << RenderText(found, SourceText("m", "")) << RenderText(Diff(model, rest));
  });
  std::printf("%d models, %d are wrong\n", models, wrong);
  EXPECT_EQ(wrong, 0);
}

// ---- the IR version

TEST(SetIrVersion, ANewerOneChangesOnlyTheNumber) {
  for (const onnx::ModelProto& model : ValidModels()) {
    onnx::ModelProto set = model;
    ASSERT_TRUE(testing::Ok(SetInModel(&set, {.ir_version = onnx::IR_VERSION})));
    onnx::ModelProto expected = model;
    expected.set_ir_version(onnx::IR_VERSION);
    EXPECT_EQ(Bytes(set), Bytes(expected));
  }
}

TEST(SetIrVersion, AModelWithoutImportsImportsVersionOne) {
  onnx::ModelProto model = ModelOf("<ir_version: 2> g (float[2] x) => (float[2] y) { y = Abs (x) }");
  EXPECT_EQ(Set(&model, {.ir_version = 8}), "");
  ASSERT_EQ(model.opset_import_size(), 1);
  EXPECT_EQ(model.opset_import(0).version(), 1);
}

// A model that is valid in an IR version stays valid, and has no part that is newer than the version.
TEST(SetIrVersion, AnOlderOneIsValidOrRefused) {
  int lowered = 0;
  int refused = 0;
  for (const onnx::ModelProto& model : ValidModels()) {
    for (std::int64_t version = 1; version < model.ir_version(); ++version) {
      onnx::ModelProto set = model;
      const Diagnostics found = SetInModel(&set, {.ir_version = version});
      ++(found.ok() ? lowered : refused);
      if (!found.ok()) continue;
      const Diagnostics findings = CheckModel(set, {.max_diagnostics = 1000, .external_files = false, .infer = false});
      EXPECT_TRUE(testing::Ok(findings));
      for (const Diagnostic& each : findings.items()) {
        EXPECT_NE(each.kind, DiagnosticKind::kNewerThanIrVersion) << each;
      }
    }
  }
  std::printf("%d times lowered, %d times refused\n", lowered, refused);
  EXPECT_GT(lowered, 10);
  EXPECT_GT(refused, 50);
}

TEST(SetIrVersion, EverythingThatIsNewerIsReported) {
  const std::string text = R"(<ir_version: 10, opset_import: ["": 13]>
m (@metadata_props ["k": "v"] float[2] x) => (float[2] y) <float[2] w = {1, 2}> {
  @metadata_props ["n": "v"]
  a = Add (x, w)
  y = Relu (a)
}
)";
  onnx::ModelProto model = ModelOf(text);
  EXPECT_EQ(Set(&model, {.ir_version = 10}), "");
  const std::string found = Set(&model, {.ir_version = 9});
  EXPECT_NE(found.find("m: error: graph.node[0].metadata_props[0]: with IR version 9, the model would be wrong: "
                       "metadata_props was added in IR version 10"),
            std::string::npos)
      << found;
  EXPECT_EQ(std::ranges::count(found, '\n'), 2) << found;
  onnx::ModelProto old =
      ModelOf("<ir_version: 10, opset_import: [\"\": 21]> m (float[2] x) => (float[2] y) { y = Relu (x) }");
  EXPECT_EQ(Set(&old, {.ir_version = 8}),
            "m: error: opset_import[0]: version 21 of '' needs IR version 10 or newer, so the model cannot have IR "
            "version 8; the option opset converts it to version 18 or older [opset-conflict]\n");
  old.set_ir_version(10);
  EXPECT_EQ(Set(&old, {.opsets = {{"", 18}}, .ir_version = 8}), "");
  EXPECT_EQ(old.ir_version(), 8);
  EXPECT_EQ(Set(&old, {.ir_version = 99}),
            "m: error: ir_version 99 is newer than 14, the newest known version [ir-version-too-new]\n");
  EXPECT_EQ(Set(&old, {.ir_version = -1}),
            "m: error: ir_version -1 is negative; the first version is 1 [ir-version-negative]\n");
}

}  // namespace
}  // namespace onnxc::testing
