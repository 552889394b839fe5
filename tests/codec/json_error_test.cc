// Protobuf's errors about JSON in their two forms, those up to version 21 and those from version 22 on, give one
// diagnostic.
#include "codec/json_error.h"

#include <gtest/gtest.h>
#include <onnxc/proto.h>

#include <string>
#include <vector>

namespace onnxc::codec {
namespace {

struct Case {
  std::string name;
  std::string json;
  std::string old_form;
  std::string new_form;
  std::string place;  ///< the text at the place of the diagnostic
  std::string reason;
};

const std::vector<Case>& Cases() {
  static const std::vector<Case> cases = {
      {"value", R"({"graph": {"node": [{"opType": "A"}, {"opType": 5}]}})",
       "(graph.node[1].op_type): invalid value 5 for type TYPE_STRING.",
       "invalid JSON in onnx.ModelProto @  graph.node[1].opType:   string, near 1:50 (offset 49): unexpected  "
       "character: "
       "'5'; expected '\"'",
       "5", "graph.node[1].op_type must be a string"},
      {"value_of_the_model", R"({"irVersion": "ten"})", R"((ir_version): invalid value "ten" for type TYPE_INT64)",
       "invalid JSON  in onnx.ModelProto @ irVersion: int64,  near 1:15   (offset 14): invalid number: 'ten'",
       R"("ten")", "ir_version must be an integer of 64 bits"},
      {"key", R"({"graph": {"name": "g", "bogus": 1}})", "(graph) bogus: Cannot find field",
       "invalid JSON in onnx.ModelProto @ graph: message onnx.GraphProto, near 1:33 (offset 32): no such   field: "
       "'bogus'",
       R"("bogus")", "GraphProto has no field 'bogus'"},
      {"key_of_the_model", R"({"bogus": 1})", "bogus: Cannot find field",
       "invalid JSON in onnx.ModelProto, near 1:10 (offset 9): no such field: 'bogus'", R"("bogus")",
       "ModelProto has no field 'bogus'"},
      {"key_in_parentheses", R"x({"(foo)": 1})x", "(foo): Cannot find field",
       "invalid JSON in onnx.ModelProto, near 1:10 (offset 9): no such field: '(foo)'", R"x("(foo)")x",
       "ModelProto has no field '(foo)'"},
      {"object_for_a_string", R"({"graph": {"name": {"a": 1}}})",
       "(graph): invalid value Starting an object on a scalar field for type name",
       "invalid JSON in onnx.ModelProto @ graph.name: string, near 1:20 (offset 19): unexpected character: '{'; "
       "expected "
       "'\"'",
       "{", "graph.name must be a string"},
      {"object_in_a_list", R"({"graph": {"node": [{"input": ["a", {}]}]}})",
       "(graph.node[0].input[0]): invalid value Starting an object on a scalar field for type input",
       "invalid JSON in onnx.ModelProto @ graph.node[0].input[1]: string, near 1:37 (offset 36): unexpected character: "
       "'{'; expected '\"'",
       "{", "graph.node[0].input[1] must be a string"},
      {"list_for_an_object", R"({"graph": [1]})", "graph: Proto field is not repeating, cannot start list",
       "invalid JSON in onnx.ModelProto @ graph: message onnx.GraphProto, near 1:11 (offset 10): unexpected character: "
       "'['; expected '{'",
       "[", "graph must be an object with the fields of GraphProto"},
      {"number_for_a_list", R"({"graph": {"node": 5}})",
       "(graph.node): invalid value 5 for type type.googleapis.com/onnx.NodeProto",
       "invalid JSON in onnx.ModelProto @ graph.node: message onnx.NodeProto, near 1:20 (offset 19): unexpected "
       "character: "
       "'5'; expected '{'",
       "5", "graph.node must be a list"},
  };
  return cases;
}

Diagnostic Of(const std::string& message, const std::string& json) {
  return JsonError(message, json, *onnx::ModelProto::descriptor());
}

TEST(JsonError, BothFormsGiveOneDiagnostic) {
  for (const Case& one : Cases()) {
    for (const std::string& message : {one.old_form, one.new_form}) {
      const Diagnostic error = Of(message, one.json);
      EXPECT_EQ(error.message, "malformed JSON: " + one.reason) << one.name;
      ASSERT_LT(error.range.begin, one.json.size()) << one.name << ": " << message;
      EXPECT_EQ(one.json.substr(error.range.begin, error.range.end - error.range.begin), one.place) << one.name;
    }
  }
}

// Errors about anything else keep protobuf's words. Version 22 and later give no place of an unknown value of an enum.
TEST(JsonError, OtherErrorsKeepTheirWords) {
  const std::string json = R"({"graph": {"input": [{"type": {"tensorType": {}, "sequenceType": {}}}]}})";
  const Diagnostic old =
      Of("(graph.input[0].type): invalid value oneof field 'value' is already set. Cannot set 'sequenceType' for type "
         "oneof",
         json);
  EXPECT_EQ(old.message, "malformed JSON: oneof field 'value' is already set. Cannot set 'sequenceType'");
  EXPECT_EQ(old.range.begin, json.find("{\"tensorType\""));
  const std::string set = "'sequenceType' has already been set (either directly or as part of a oneof)";
  const std::string where =
      "invalid JSON in onnx.ModelProto @ graph.input[0].type.sequenceType: message onnx.TypeProto.Sequence, near  1:66 "
      "(offset 65):   ";
  const Diagnostic now = Of(where + set, json);
  EXPECT_EQ(now.message, "malformed JSON: " + set);
  EXPECT_EQ(now.range.begin, json.find("{}}}"));
  EXPECT_EQ(Of("Message too deep. Max recursion depth reached for key 'x'", json).range.begin, kNowhere.begin);

  const std::string of_enum = R"({"graph": {"initializer": [{"dataLocation": "X"}]}})";
  const Diagnostic old_value =
      Of("(graph.initializer[0].data_location): invalid value \"X\" for type "
         "type.googleapis.com/onnx.TensorProto.DataLocation",
         of_enum);
  EXPECT_EQ(old_value.message,
            "malformed JSON: graph.initializer[0].data_location must be a value of TensorProto.DataLocation");
  EXPECT_EQ(old_value.range.begin, of_enum.find("\"X\""));
  EXPECT_EQ(Of("unknown enum value: 'X'", of_enum).message, "malformed JSON: unknown enum value: 'X'");
}

}  // namespace
}  // namespace onnxc::codec
