// Cases that rules_test.cc does not cover: limits of single rules, and properties of all rules.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <onnxc/checker.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "check/accidents.h"
#include "source/clean.h"
#include "source/report.h"
#include "testing/paths.h"

namespace onnxc::accident {
namespace {

TEST(Rules, DataOfTensorsAreNoText) {
  ModelProto model = Parsed(kWeights);
  Weights(model).clear_float_data();
  Weights(model).set_raw_data(std::string("\xff\xff\xff\x7f\x00\x00\x80\xff", 8));
  EXPECT_EQ(BrokenRules(model), std::set<std::string_view>());
}

TEST(Rules, WordsAboutImagesAreTheSameInAnyCaseOfLetters) {
  ModelProto model = Parsed(kPlain);
  AddEntry(model.mutable_metadata_props(), "image.bitmapPixelFormat", "BGR8");
  InputType(model).set_denotation("IMAGE");
  InputType(model).mutable_tensor_type()->mutable_shape()->mutable_dim(0)->set_denotation("DATA_BATCH");
  EXPECT_EQ(BrokenRules(model), std::set<std::string_view>());
  AddEntry(model.mutable_metadata_props(), "Image.Gamma", "Linear");
  EXPECT_EQ(BrokenRules(model), std::set<std::string_view>{"image-metadata"});
}

TEST(Rules, ALaterValueOfAChoiceIsNoUnknownNumber) {
  ModelProto model = Parsed(kWeights);
  Weights(model).GetReflection()->MutableUnknownFields(&Weights(model))->AddVarint(14, 7);  // data_location
  const Diagnostics found = CheckModel(model);
  ASSERT_EQ(found.items().size(), 1u);
  EXPECT_EQ(found.items()[0].path, "graph.initializer[0] \"w\"");
  EXPECT_EQ(
      found.items()[0].message,
      "this value of 'data_location' in TensorProto is not in the schema: onnxc keeps it, but other readers ignore it");
}

TEST(Rules, EachStringIsLookedAt) {
  for (const std::string& text : {std::string("\xff"), std::string("\xed\xa0\x80")}) {
    ModelProto model = Parsed(kPlain);
    AddDevices(model, 0);
    model.mutable_configuration(0)->add_device(text);
    AddEntry(Node(model).mutable_metadata_props(), "k", text.c_str());
    const Diagnostics found = CheckModel(model);
    std::set<std::string> paths;
    for (const Diagnostic& item : found.items()) {
      if (Name(item.kind) == "not-utf8") paths.insert(item.path);
    }
    EXPECT_EQ(paths, (std::set<std::string>{"configuration[0] \"two\".device[0]",
                                            "graph.node[0].metadata_props[\"k\"].value"}));
  }
}

/// Messages of the types that the checker reads without reflection, in a model that contains one of each.
std::vector<google::protobuf::Message*> CommonMessages(ModelProto* model) {
  onnx::ValueInfoProto* const input = model->mutable_graph()->mutable_input(0);
  onnx::TypeProto::Tensor* const type = input->mutable_type()->mutable_tensor_type();
  return {&Node(*model),
          Node(*model).add_attribute(),
          &Weights(*model),
          input,
          input->mutable_type(),
          type,
          type->mutable_shape(),
          type->mutable_shape()->mutable_dim(0),
          model,
          model->mutable_graph(),
          model->mutable_opset_import(0)};
}

bool Finds(const ModelProto& model, std::string_view kind) {
  const Diagnostics found = CheckModel(model);
  return std::ranges::any_of(found.items(), [&](const Diagnostic& item) { return Name(item.kind) == kind; });
}

TEST(Rules, EachTextOfCommonMessagesIsLookedAt) {
  using google::protobuf::FieldDescriptor;
  ModelProto first = Parsed(kWeights);
  const std::size_t messages = CommonMessages(&first).size();
  int texts = 0;
  for (std::size_t i = 0; i < messages; ++i) {
    const google::protobuf::Descriptor& type = *CommonMessages(&first)[i]->GetDescriptor();
    for (int j = 0; j < type.field_count(); ++j) {
      const FieldDescriptor* const field = type.field(j);
      if (field->cpp_type() != FieldDescriptor::CPPTYPE_STRING || field->name() == "raw_data") continue;
      ModelProto model = Parsed(kWeights);
      google::protobuf::Message* const message = CommonMessages(&model)[i];
      field->is_repeated() ? message->GetReflection()->AddString(message, field, "\xff")
                           : message->GetReflection()->SetString(message, field, "\xff");
      EXPECT_TRUE(Finds(model, "not-utf8")) << field->full_name();
      ++texts;
    }
    ModelProto model = Parsed(kWeights);
    google::protobuf::Message* const message = CommonMessages(&model)[i];
    message->GetReflection()->MutableUnknownFields(message)->AddVarint(1023, 1);
    EXPECT_TRUE(Finds(model, "field-not-in-schema")) << type.full_name();
    EXPECT_EQ(IsCleanOf(type) == nullptr, i != 0 && i != 2 && i != 3) << type.full_name();
  }
  EXPECT_EQ(texts, 27);
}

TEST(Rules, FieldsOfAGraphAreCheckedWithoutAModel) {
  const auto kinds = [](const onnx::GraphProto& graph) {
    std::set<std::string_view> names;
    const Diagnostics found = CheckGraph(graph);
    for (const Diagnostic& finding : found.items()) names.insert(Name(finding.kind));
    return names;
  };
  onnx::GraphProto graph = Parsed(kWeights).graph();
  ASSERT_TRUE(IsCleanBesideNodes(graph));
  EXPECT_EQ(kinds(graph), std::set<std::string_view>());
  graph.mutable_input(0)->set_doc_string("\xff");
  EXPECT_EQ(kinds(graph), std::set<std::string_view>{"not-utf8"});
  graph.mutable_input(0)->clear_doc_string();
  graph.GetReflection()->MutableUnknownFields(&graph)->AddVarint(1023, 1);
  EXPECT_EQ(kinds(graph), std::set<std::string_view>{"field-not-in-schema"});
}

TEST(Rules, HaveWords) {
  for (const Rule& rule : ListRules()) {
    EXPECT_FALSE(rule.sentence.empty()) << rule.name;
    EXPECT_EQ(rule.name, Name(rule.kind));
    EXPECT_EQ(rule.severity == Severity::kWarning, rule.source == "advice" || rule.is_optional) << rule.name;
  }
}

TEST(Rules, AreDocumented) {  // scripts/gen_rules_doc.py writes the tables
  std::ifstream file(std::string(testing::kDocs) + "/checker.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  for (const Rule& rule : ListRules()) {
    const std::string row = fmt::format("| [`{0}`](explain/{0}.md) | {1} | {2} | {3} |\n", rule.name,
                                        UsualLevel(rule.kind), rule.source, rule.sentence);
    EXPECT_NE(page.find(row), std::string::npos) << row;
  }
}

TEST(Rules, WellFormedParts) {  // the models in accidents.h are valid before they are damaged
  ModelProto model = Parsed(kWeights);
  MakeExternal(model, "#memory");
  EXPECT_EQ(BrokenRules(model), std::set<std::string_view>());
  model = Parsed(kWeights);
  MakeSparse(model);
  EXPECT_EQ(BrokenRules(model), std::set<std::string_view>());
  model = Parsed(kWeights);
  AddEntry(MakeTraining(model).mutable_update_binding(), "w", "u");
  AddEntry(model.mutable_training_info(0)->mutable_initialization_binding(), "w", "r");
  EXPECT_EQ(BrokenRules(model), std::set<std::string_view>());
  model = Parsed(kPlain);
  AddDevices(model, 2);
  EXPECT_EQ(BrokenRules(model), std::set<std::string_view>());
}

}  // namespace
}  // namespace onnxc::accident
