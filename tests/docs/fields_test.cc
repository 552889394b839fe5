// The table of fields in docs/syntax.md (`| Message.field | ... |`) has a row for each field of the schema, and no
// other.
#include <google/protobuf/descriptor.h>
#include <gtest/gtest.h>
#include <onnxc/proto.h>

#include <regex>
#include <set>
#include <string>

#include "testing/markdown.h"
#include "testing/paths.h"

namespace onnxc::testing {
namespace {

void AddFields(const google::protobuf::Descriptor& type, std::set<std::string>* names) {
  for (int i = 0; i < type.field_count(); ++i) {
    names->emplace(type.field(i)->full_name().substr(type.file()->package().size() + 1));
  }
  for (int i = 0; i < type.nested_type_count(); ++i) AddFields(*type.nested_type(i), names);
}

TEST(FieldTable, IsThatOfTheSchema) {
  const auto* file = onnx::ModelProto::descriptor()->file();
  std::set<std::string> schema;
  for (int i = 0; i < file->message_type_count(); ++i) AddFields(*file->message_type(i), &schema);

  static const std::regex kRow(R"(\n\| `([A-Z]\w+(?:\.\w+)+)` \| ([^|\n]*))");
  const std::string text = ReadWhole(std::filesystem::path(kDocs) / "syntax.md");
  std::set<std::string> table;
  for (std::sregex_iterator row(text.begin(), text.end(), kRow), end; row != end; ++row) {
    EXPECT_TRUE(table.insert((*row)[1]).second) << (*row)[1] << " is given twice";
    EXPECT_GT((*row)[2].length(), 3) << (*row)[1] << " has an empty row";
  }
  EXPECT_EQ(table, schema);
}

}  // namespace
}  // namespace onnxc::testing
