// Extracting all of a model keeps all of it, wherever a message is.
#include <gtest/gtest.h>
#include <onnxc/checker.h>
#include <onnxc/differ.h>
#include <onnxc/extract.h>

#include <algorithm>
#include <cstdio>
#include <set>
#include <string>

#include "testing/full_model.h"
#include "testing/name_places.h"
#include "testing/plain_message.h"
#include "testing/proto.h"

namespace onnxc::testing {
namespace {

/// Adds things that nothing of the model uses.
onnx::ModelProto WithUnused(onnx::ModelProto model) {
  onnx::GraphProto* const graph = model.mutable_graph();
  onnx::NodeProto* const node = graph->add_node();
  MakePlain(node);
  node->set_output(0, "unused");
  node->set_domain("unused");
  graph->add_value_info()->set_name("unused");
  graph->add_initializer()->set_name("unused1");
  graph->add_sparse_initializer()->mutable_values()->set_name("unused2");
  graph->add_quantization_annotation()->set_tensor_name("unused");
  graph->add_input()->set_name("unused3");
  model.add_functions()->set_name("unused");
  MakePlain(model.add_opset_import());
  model.mutable_opset_import(model.opset_import_size() - 1)->set_domain("unused");
  return model;
}

TEST(ExtractPlaces, AllOutputsNeedEverythingInEveryPlace) {
  int models = 0;
  int lost = 0;
  std::vector<Place> places = AllPlaces(2);
  std::erase_if(places, [](const Place& place) {  // the part of a model has no training steps
    return !place.empty() && place.front()->number() == onnx::ModelProto::kTrainingInfoFieldNumber;
  });
  ForEachFullModel(places, [&](const std::string& name, const onnx::ModelProto& model) {
    onnx::ModelProto part = WithUnused(model);
    const Diagnostics found = ExtractPart(&part, {});
    onnx::ModelProto expected = model;
    expected.clear_training_info();
    for (int i = 0; i < part.graph().output_size(); ++i) {  // a missing type may be known
      if (!expected.graph().output(i).has_type()) part.mutable_graph()->mutable_output(i)->clear_type();
    }
    ++models;
    if (found.ok() && Bytes(part) == Bytes(expected)) return;
    if (++lost > 10) return;
    ADD_FAILURE() << name << ": " << RenderText(found, SourceText("m", "")) << RenderText(Diff(expected, part));
  });
  std::printf("%d models, %d lose something\n", models, lost);
  EXPECT_EQ(lost, 0);
}

std::set<DiagnosticKind> FoundIn(const onnx::ModelProto& model) {
  std::set<DiagnosticKind> kinds;
  const Diagnostics found = CheckModel(model);
  for (const Diagnostic& finding : found.items()) kinds.insert(finding.kind);
  return kinds;
}

// One string names a value of the main graph that nothing else reads. The part has the value, or the string does not
// mean it: the checker, which resolves names by itself, finds nothing new.
TEST(ExtractPlaces, EachNameStaysThatOfAValue) {
  int models = 0;
  int kept = 0;
  for (const StringPlace& string : AllStringPlaces(2)) {
    if (string.place.empty() || string.place.front()->number() != onnx::ModelProto::kGraphFieldNumber) continue;
    onnx::ModelProto model;
    AddString(string, "kept", "local", &model);
    Connect(&model);
    onnx::TensorProto* const tensor = model.mutable_graph()->add_initializer();
    MakePlain(tensor);
    tensor->set_name("kept");
    onnx::ModelProto part = model;
    const Diagnostics found = ExtractPart(&part, {});
    ASSERT_TRUE(found.ok()) << ToString(string) << "\n" << RenderText(found, SourceText("m", ""));
    const std::set<DiagnosticKind> before = FoundIn(model);
    for (const DiagnosticKind kind : FoundIn(part)) {
      EXPECT_TRUE(before.contains(kind)) << ToString(string) << ": " << Name(kind) << "\n" << part.DebugString();
    }
    ++models;
    const auto& tensors = part.graph().initializer();
    if (std::ranges::any_of(tensors, [](const auto& each) { return each.name() == "kept"; })) ++kept;
  }
  std::printf("%d models, %d parts have the value\n", models, kept);
  EXPECT_GT(kept, models / 100);
  EXPECT_LT(kept, models);
}

}  // namespace
}  // namespace onnxc::testing
