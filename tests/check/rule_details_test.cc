// What the cases of rules_test.cc leave open: limits of single rules, and what is told of all of them.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <onnxc/checker.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <string_view>

#include "check/accidents.h"
#include "source/plain_node.h"
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
  EXPECT_EQ(found.items()[0].message,
            "the schema does not know this value of 'data_location' in TensorProto: it is kept, but readers skip it");
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

// Plain nodes are looked at without reflection, which must miss none of their fields.
TEST(Rules, EachTextOfAPlainNodeIsLookedAt) {
  ASSERT_TRUE(KnowsNodes());
  int fields = 0;
  for (const bool of_attribute : {false, true}) {
    const google::protobuf::Descriptor* const type =
        of_attribute ? onnx::AttributeProto::descriptor() : onnx::NodeProto::descriptor();
    for (int i = 0; i < type->field_count(); ++i) {
      const google::protobuf::FieldDescriptor* const field = type->field(i);
      if (field->cpp_type() != google::protobuf::FieldDescriptor::CPPTYPE_STRING) continue;
      ModelProto model = Parsed(kPlain);
      google::protobuf::Message* const message =
          of_attribute ? static_cast<google::protobuf::Message*>(Node(model).add_attribute()) : &Node(model);
      if (field->is_repeated()) {
        message->GetReflection()->AddString(message, field, "\xff");
      } else {
        message->GetReflection()->SetString(message, field, "\xff");
      }
      const Diagnostics found = CheckModel(model);
      EXPECT_TRUE(std::ranges::any_of(found.items(), [](const Diagnostic& item) {
        return Name(item.kind) == "not-utf8";
      })) << field->full_name();
      ++fields;
    }
  }
  EXPECT_EQ(fields, 12);
}

TEST(Rules, HaveWords) {
  for (const Rule& rule : ListRules()) {
    EXPECT_FALSE(rule.sentence.empty()) << rule.name;
    EXPECT_EQ(rule.name, Name(rule.kind));
    EXPECT_EQ(rule.severity == Severity::kWarning, rule.source == "advice" || rule.is_optional) << rule.name;
  }
}

TEST(Rules, AreDocumented) {  // scripts/gen_rules_doc.py writes the table
  std::ifstream file(std::string(testing::kDocs) + "/checker.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  for (const Rule& rule : ListRules()) {
    const std::string row =
        fmt::format("| `{}` | {} | {} | {} |\n", rule.name, UsualLevel(rule.kind), rule.source, rule.sentence);
    EXPECT_NE(page.find(row), std::string::npos) << row;
  }
}

TEST(Rules, WellFormedParts) {  // what the accidents above build on is right before it is damaged
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
