#include "tables/choices.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "tables/attribute_types.h"
#include "tables/operator_docs.h"
#include "tables/signatures.h"

namespace onnxc {
namespace {

bool HoldsStrings(const OperatorAttribute& attribute) {
  return attribute.type == onnx::AttributeProto::STRING || attribute.type == onnx::AttributeProto::STRINGS;
}

// If a choice is documented, its documentation contains its words, and its default is the first word.
TEST(Choices, AreThoseOfTheDocumentation) {
  int choices = 0;
  for (const Operator& op : kOperators) {
    for (std::size_t i = 0; i < op.attributes; ++i) {
      const OperatorAttribute& attribute = Attributes(op)[i];
      const auto words = ChoicesOf(op, Word(attribute));
      SCOPED_TRACE(std::string(Word(op)) + " " + std::to_string(op.since) + " " + std::string(Word(attribute)));
      if (words.empty()) continue;
      ++choices;
      EXPECT_TRUE(HoldsStrings(attribute));
      const AttributeDoc doc = DocOfAttribute(op, i);
      if (!doc.otherwise.empty()) {
        EXPECT_EQ(doc.otherwise, '"' + std::string(words.front()) + '"');
      }
      for (const std::string_view word : words) {
        EXPECT_TRUE(doc.text.empty() || doc.text.find(word) != std::string_view::npos) << word;
      }
    }
  }
  EXPECT_EQ(choices, 169);
}

// Words that other versions of the operator accept are accepted, as in runtimes; all other words are not.
TEST(Choices, AreThoseOfAnyVersion) {
  const Operator* const resize = FindOperator("", "Resize", 10);
  ASSERT_NE(resize, nullptr);
  EXPECT_EQ(ChoicesOf(*resize, "mode").size(), 2u);
  EXPECT_TRUE(IsChoice(*resize, "mode", "cubic"));
  EXPECT_TRUE(IsChoice(*resize, "mode", ""));
  EXPECT_FALSE(IsChoice(*resize, "mode", "bilinear"));
  EXPECT_TRUE(IsChoice(*resize, "no_choice", "anything"));
}

// Each attribute with a word as its default value has a row.
TEST(Choices, AreThereForEachDefaultThatIsAWord) {
  const std::set<std::string_view> others = {"default_string"};
  for (const Operator& op : kOperators) {
    for (std::size_t i = 0; i < op.attributes; ++i) {
      const OperatorAttribute& attribute = Attributes(op)[i];
      const std::string_view otherwise = DocOfAttribute(op, i).otherwise;
      if (attribute.type != onnx::AttributeProto::STRING || otherwise.empty() || otherwise == "\"\"") continue;
      if (others.contains(Word(attribute))) continue;
      EXPECT_FALSE(ChoicesOf(op, Word(attribute)).empty()) << Word(op) << " " << Word(attribute);
    }
  }
}

}  // namespace
}  // namespace onnxc
