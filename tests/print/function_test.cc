#include "print/printing.h"

namespace onnxc::testing {
namespace {

onnx::FunctionProto Function(const std::string& text) {
  return FromTextProto<onnx::FunctionProto>("name: 'f' domain: 'd' " + text);
}

void ExpectFunctionText(const std::string& fields, const std::string& text) {
  const onnx::FunctionProto function = Function(fields);
  EXPECT_EQ(Printed(function), text);
  ExpectSame(ThereAndBack(function), function);
}

TEST(PrintFunction, AsTheReferenceDoes) {
  ExpectFunctionText(
      "overload: 'o' opset_import { domain: '' version: 18 } opset_import { domain: 'm' version: 1 } "
      "attribute: 'a' attribute: 'b' input: 'x' input: '' output: 'y z' "
      "node { output: 'y z' op_type: 'Neg' domain: '' input: 'x' }",
      "<\n  domain: \"d\",\n  overload: \"o\",\n  opset_import: [\"\" : 18,\"m\" : 1]\n>\n"
      "f <a,b>(x, \"\") => (\"y z\")\n{\n   \"y z\" = Neg (x)\n}");
}

TEST(PrintFunction, DefaultsAndDocumentation) {
  ExpectFunctionText(
      "doc_string: 'text' attribute: 'a b' attribute_proto { name: 'c d' type: INT i: 1 } "
      "attribute_proto { name: 'g' type: GRAPH g { name: 's' } }",
      "<\n  domain: \"d\",\n  opset_import: [],\n  doc_string: \"text\"\n>\n"
      "f <\"a b\",\"c d\": int = 1,g: graph = s () => () {\n   }>() => ()\n{\n}");
}

TEST(PrintFunction, ValueInfosStandAtTheirParameters) {
  ExpectFunctionText(
      "input: 'x' input: 'float' output: 'y' "
      "value_info { name: 'x' type { tensor_type { elem_type: 1 } } } "
      "value_info { name: 'y' type { tensor_type { elem_type: 1 shape { } } } } "
      "value_info { name: 't' }",
      "<\n  domain: \"d\",\n  opset_import: []\n>\n"
      "f (float[] x, \"float\") => (float y) \n   < t>\n{\n}");
}

TEST(PrintFunction, ValueInfosInAnotherOrder) {
  const onnx::FunctionProto function = Function(
      "input: 'x' input: 'x' output: 'y' "
      "value_info { name: 'y' type { tensor_type { elem_type: 1 } } } "
      "value_info { name: 'x' type { tensor_type { elem_type: 1 } } } "
      "value_info { name: 'x' }");
  ExpectSame(ThereAndBack(function), function);
}

TEST(PrintFunction, Losses) {
  EXPECT_EQ(Lost(Function("metadata_props { key: 'k' } attribute_proto { name: 'a' doc_string: 'd' type: INT } "
                          "input: 'x' value_info { name: 'x' type { tensor_type { elem_type: 1 } } doc_string: 'd' } "
                          "value_info { name: 'v' doc_string: 'd' }")),
            (Paths{"metadata_props", "attribute_proto[\"a\"].doc_string", "value_info[0] \"x\".doc_string",
                   "value_info[1] \"v\".doc_string"}));
}

}  // namespace
}  // namespace onnxc::testing
