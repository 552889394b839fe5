#include <algorithm>

#include "print/printing.h"
#include "testing/predicates.h"

namespace onnxc::testing {
namespace {

onnx::AttributeProto Attribute(const std::string& text) {
  return FromTextProto<onnx::AttributeProto>("name: 'k' " + text);
}

void ExpectText(const std::string& fields, const std::string& text) {
  const onnx::AttributeProto attribute = Attribute(fields);
  EXPECT_EQ(Printed(attribute), text);
  ExpectSame(ThereAndBack(attribute), attribute);
}

TEST(PrintAttribute, Values) {
  ExpectText("type: INT i: -9223372036854775808", "k: int = -9223372036854775808");
  ExpectText("type: STRING s: 'a\"b'", "k: string = \"a\\\"b\"");
  ExpectText("type: FLOATS floats: 1 floats: 2.5", "k: floats = [1, 2.5]");
  ExpectText("type: INTS ints: 1 ints: 2", "k: ints = [1, 2]");
  ExpectText("type: STRINGS strings: 'a' strings: ''", "k: strings = [\"a\", \"\"]");
  ExpectText("type: TENSOR t { data_type: 1 dims: 1 float_data: 2 name: 'w' }", "k: tensor = float[1] w {2}");
  ExpectText("type: GRAPH g { name: 'sub' }", "k: graph = sub () => () {\n   }");
  ExpectText("type: TYPE_PROTO tp { tensor_type { elem_type: 1 } }", "k: type_proto = float[]");
}

TEST(PrintAttribute, EmptyLists) {
  for (const char* type : {"FLOATS", "INTS", "STRINGS", "TENSORS", "GRAPHS", "SPARSE_TENSORS", "TYPE_PROTOS"}) {
    const onnx::AttributeProto attribute = Attribute(std::string("type: ") + type);
    ExpectSame(ThereAndBack(attribute), attribute);
  }
}

TEST(PrintAttribute, References) {
  ExpectText("type: INT ref_attr_name: 'p'", "k: int = @p");
  ExpectText("ref_attr_name: 'p'", "k = @p");
  ExpectText("type: SPARSE_TENSOR ref_attr_name: 'p q'", "k: sparse_tensor = @\"p q\"");
  ExpectText("type: INT ref_attr_name: ''", "k: int = @\"\"");
  EXPECT_EQ(Printed(Attribute("type: INT i: 3 ref_attr_name: ''")), "k: int = 3");
  EXPECT_EQ(Lost(Attribute("type: INT i: 3 ref_attr_name: 'p'")), Paths{"i"});
}

TEST(PrintAttribute, DefaultsNeedNotBePresent) {
  EXPECT_EQ(Printed(Attribute("type: INT")), "k: int = 0");
  EXPECT_EQ(Printed(Attribute("type: STRING")), "k: string = \"\"");
  EXPECT_EQ(Printed(Attribute("type: FLOAT i: 0 doc_string: ''")), "k: float = 0");
}

TEST(PrintAttribute, Losses) {
  EXPECT_EQ(Lost(Attribute("type: INT i: 1 f: 2 strings: 'a'")), (Paths{"f", "strings"}));
  EXPECT_EQ(Lost(Attribute("type: INT f: -0")), Paths{"f"});
  EXPECT_EQ(Lost(Attribute("i: 1")), Paths{"type"});
  EXPECT_EQ(Lost(Attribute("")), Paths{"type"});
  EXPECT_EQ(Lost(Attribute("type: INT i: 1 doc_string: 'd'")), Paths{"doc_string"});
  EXPECT_EQ(Lost(Attribute("type: SPARSE_TENSOR sparse_tensor { dims: 3 }")), Paths{"sparse_tensor"});
  EXPECT_EQ(Lost(Attribute("type: SPARSE_TENSORS sparse_tensors { }")), Paths{"sparse_tensors"});
  EXPECT_EQ(Lost(Attribute("type: TENSOR")), Paths{"type"});
  EXPECT_EQ(Lost(Attribute("type: GRAPH")), Paths{"type"});
  EXPECT_EQ(Lost(Attribute("type: TYPE_PROTO")), Paths{"type"});
  EXPECT_EQ(Lost(Attribute("type: TYPE_PROTO tp { }")), Paths{"tp"});
  EXPECT_EQ(Lost(Attribute("type: TENSOR t { data_type: 1 name: 'w/1' }")), Paths{"t.name"});
  EXPECT_EQ(Lost(FromTextProto<onnx::AttributeProto>("name: 'a b' type: INT i: 1")), Paths{"name"});
}

TEST(PrintAttribute, GraphsNestedTooDeepAreLost) {
  for (const bool is_list : {false, true}) {
    onnx::AttributeProto attribute = FromTextProto<onnx::AttributeProto>("name: 'k'");
    onnx::AttributeProto* inner = &attribute;
    for (int i = 0; i < 60; ++i) {
      inner->set_type(is_list ? onnx::AttributeProto::GRAPHS : onnx::AttributeProto::GRAPH);
      onnx::GraphProto* const graph = is_list ? inner->add_graphs() : inner->mutable_g();
      graph->set_name("g");
      onnx::NodeProto* const node = graph->add_node();
      node->set_op_type("If");
      inner = node->add_attribute();
      inner->set_name("k");
    }
    inner->set_type(onnx::AttributeProto::INT);
    const PrintResult result = Print(attribute, kReference);
    EXPECT_EQ(result.text, "");
    EXPECT_FALSE(result.diagnostics.ok());
    const auto& items = result.diagnostics.items();
    EXPECT_TRUE(std::any_of(items.begin(), items.end(), [](const Diagnostic& item) {
      return item.message.find("graphs that are nested so deeply") != std::string::npos;
    }));
    PrintOptions lossy = kReference;
    lossy.allow_loss = true;
    onnx::AttributeProto back;
    EXPECT_TRUE(testing::Ok(Parse(Print(attribute, lossy).text, &back)));
  }
}

TEST(PrintAttribute, MembersOfListsThatTheReferenceForgets) {
  const onnx::AttributeProto tensors = Attribute("type: TENSORS tensors { data_type: 1 float_data: 1 }");
  EXPECT_EQ(Lost(tensors), Paths{"tensors"});
  EXPECT_EQ(Print(tensors, {.dialect = Dialect::kReference, .allow_loss = true}).text, "k: tensors = [float {1}]");
  EXPECT_EQ(Lost(Attribute("type: GRAPHS graphs { name: 'g' }")), Paths{"graphs"});
  EXPECT_EQ(Lost(Attribute("type: TYPE_PROTOS type_protos { opaque_type { } }")), Paths{"type_protos"});
}

TEST(PrintAttribute, NamesOfSubgraphs) {
  for (const char* name : {"", "a b", "float", "seq", "inf", "NaN", "infinity_", "nan_x"}) {
    onnx::AttributeProto attribute = Attribute("type: GRAPH g { }");
    attribute.mutable_g()->set_name(name);
    EXPECT_EQ(Lost(attribute), Paths{"g.name"}) << name;
  }
  for (const char* name : {"g", "inf2", "nano", "infinite", "_inf", "int"}) {
    onnx::AttributeProto attribute = Attribute("type: GRAPH g { }");
    attribute.mutable_g()->set_name(name);
    ExpectSame(ThereAndBack(attribute), attribute);
  }
}

}  // namespace
}  // namespace onnxc::testing
