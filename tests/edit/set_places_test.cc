// Setting one dimension changes nothing else, wherever a message is.
#include <gtest/gtest.h>
#include <onnxc/checker.h>
#include <onnxc/differ.h>
#include <onnxc/set.h>

#include <cstdio>
#include <string>
#include <vector>

#include "testing/full_model.h"
#include "testing/name_places.h"
#include "testing/proto.h"

namespace onnxc::testing {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

/// Replaces the dimension "N" by 8 in each string that means a dimension. Functions have dimensions of their own.
void Substitute(Place* place, Message* message) {
  const Reflection* const reflection = message->GetReflection();
  std::vector<const FieldDescriptor*> fields;
  reflection->ListFields(*message, &fields);
  for (const FieldDescriptor* const field : fields) {
    if (field->cpp_type() == FieldDescriptor::CPPTYPE_STRING && field->type() == FieldDescriptor::TYPE_STRING &&
        MeaningOf(*place, field) == Meaning::kDimension && reflection->GetString(*message, field) == "N") {
      reflection->ClearField(message, field);
      reflection->SetInt64(message, message->GetDescriptor()->FindFieldByName("dim_value"), 8);
    }
    if (field->message_type() == nullptr || field->message_type() == onnx::FunctionProto::descriptor()) continue;
    place->push_back(field);
    if (!field->is_repeated()) Substitute(place, reflection->MutableMessage(message, field));
    for (int i = 0; field->is_repeated() && i < reflection->FieldSize(*message, field); ++i) {
      Substitute(place, reflection->MutableRepeatedMessage(message, field, i));
    }
    place->pop_back();
  }
}

TEST(SetPlaces, ADimensionChangesNothingElse) {
  int models = 0;
  int refused = 0;
  int wrong = 0;
  NewDimension dimension{.symbol = "N", .size = {}};
  dimension.size.set_dim_value(8);
  ForEachFullModel(AllPlaces(2), [&](const std::string& name, const onnx::ModelProto& model) {
    onnx::ModelProto set = model;
    ++models;
    const Diagnostics found = SetInModel(&set, {.dimensions = {dimension}});
    if (!found.ok()) {
      ++refused;
      std::printf("%s: %s", name.c_str(), RenderText(found, SourceText("m", "")).c_str());
      return;
    }
    onnx::ModelProto expected = model;
    Place root;
    Substitute(&root, &expected);
    if (Bytes(set) == Bytes(expected) || ++wrong > 100) return;
    ADD_FAILURE() << name << ": " << RenderText(found, SourceText("m", "")) << RenderText(Diff(expected, set));
  });
  std::printf("%d models, %d are refused, %d are wrong\n", models, refused, wrong);
  EXPECT_EQ(wrong, 0);
}

TEST(SetPlaces, AVersionChangesNothingElse) {
  int wrong = 0;
  ForEachFullModel(AllPlaces(2), [&](const std::string& name, const onnx::ModelProto& model) {
    onnx::ModelProto set = model;
    const Diagnostics found = SetInModel(&set, {.opsets = {{"local", 3}}, .allow_other_meaning = true});
    onnx::ModelProto expected = model;
    for (auto& import : *expected.mutable_opset_import()) {
      if (import.domain() == "local") import.set_version(3);
    }
    if ((found.ok() && Bytes(set) == Bytes(expected)) || ++wrong > 10) return;
    ADD_FAILURE() << name << ": " << RenderText(found, SourceText("m", "")) << RenderText(Diff(expected, set));
  });
  EXPECT_EQ(wrong, 0);
}

// An operator that would get another meaning is told at its place: there, the checker tells of an unknown attribute.
TEST(SetPlaces, AnOtherMeaningIsToldInEveryPlace) {
  int places = 0;
  for (const Place& place : AllPlaces(2)) {
    if (place.empty() || place.back()->message_type() != onnx::NodeProto::descriptor()) continue;
    if (place.front()->name() == "functions") continue;  // they have imports of their own
    SCOPED_TRACE(ToString(place));
    ++places;
    onnx::ModelProto model;
    auto* const node = static_cast<onnx::NodeProto*>(MakePlace(place, &model));
    node->set_op_type("Softmax");
    node->set_domain("");
    node->clear_attribute();
    model.set_ir_version(10);
    model.clear_opset_import();
    model.add_opset_import()->set_version(12);
    onnx::ModelProto set = model;
    const Diagnostics told = SetInModel(&set, {.opsets = {{"", 13}}, .number_only = true});
    ASSERT_FALSE(told.ok());
    auto* const unknown = node->add_attribute();
    unknown->set_name("no_such_attribute");
    unknown->set_type(onnx::AttributeProto::INT);
    std::vector<std::string> paths;
    const Diagnostics checked = CheckModel(model, {.max_diagnostics = 1000});
    for (const Diagnostic& finding : checked.items()) {
      if (finding.kind == DiagnosticKind::kUnknownAttribute) paths.push_back(finding.path);
    }
    ASSERT_EQ(paths.size(), 1u);
    EXPECT_TRUE(paths[0].starts_with(told.items().front().path + ".")) << paths[0] << told.items().front().path;
  }
  EXPECT_EQ(places, 9);  // in three graphs, and in two kinds of attributes of each
}

}  // namespace
}  // namespace onnxc::testing
