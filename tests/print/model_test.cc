#include <gmock/gmock.h>

#include "print/printing.h"

namespace onnxc::testing {
namespace {

TEST(PrintModel, Layout) {
  const auto model = FromTextProto<onnx::ModelProto>(R"pb(
    ir_version: 10
    opset_import { domain: "" version: 21 }
    opset_import { domain: "a" version: 1 }
    producer_name: ""
    model_version: -1
    metadata_props { key: "k" value: "v" }
    metadata_props { key: "l" value: "" }
    graph {
      name: "my graph"
      input {
        name: "x"
        type {
          tensor_type {
            elem_type: 1
            shape { dim { dim_param: "N" } }
          }
        }
      }
      input { name: "u" }
      output {
        name: "y"
        type { tensor_type { elem_type: 1 } }
      }
      initializer { name: "w" data_type: 1 dims: 1 float_data: 2 }
      initializer { name: "s" data_type: 8 dims: 1 string_data: "a" }
      value_info { name: "v" }
      node {
        output: "y"
        op_type: "Op"
        domain: "a.b"
        overload: "o"
        name: ""
        input: "x"
        input: ""
        attribute { name: "k" type: INT i: 1 }
        attribute { name: "l" type: FLOAT f: 2 }
      }
      node {
        op_type: "If"
        domain: ""
        input: "y"
        attribute {
          name: "then"
          type: GRAPH
          g {
            name: "t"
            value_info { name: "i" }
            node { op_type: "" domain: "" output: "a" output: "b" }
          }
        }
      }
    }
  )pb");
  EXPECT_EQ(Printed(model),
            "<\n   ir_version: 10,\n   opset_import: [\"\" : 21, \"a\" : 1],\n   producer_name: \"\",\n"
            "   model_version: -1,\n   metadata_props: [\"k\": \"v\", \"l\": \"\"]\n>\n"
            "\"my graph\" (float[N] x,  u) => (float[] y) \n"
            "   <float[1] w =  {2}, string[1] s = {\"a\"},  v>\n{\n"
            "   [\"\"] y = a.b.Op:o <k: int = 1, l: float = 2> (x, \"\")\n"
            "    = If (y) <then: graph = t () => () \n"
            "      < i>\n{\n"
            "      a, b =  ()\n"
            "   }>\n}");
  ExpectSame(ThereAndBack(model), model);
}

TEST(PrintModel, ValueInfosThatLookLikeTypes) {
  const auto graph = FromTextProto<onnx::GraphProto>(
      "name: 'g' input { name: 'float' } output { name: 'seq' } value_info { name: 'map' } initializer { name: '' "
      "data_type: 1 float_data: 1 }");
  EXPECT_EQ(Printed(graph), "g ( \"float\") => ( \"seq\") \n   <float \"\" =  {1},  \"map\">\n{\n}");
  ExpectSame(ThereAndBack(graph), graph);
}

TEST(PrintModel, AllLossesWithTheirPaths) {
  const auto model = FromTextProto<onnx::ModelProto>(R"pb(
    training_info {}
    configuration { name: "c" }
    graph {
      name: "g"
      doc_string: "d"
      input {
        name: "x"
        doc_string: "d"
        type {}
      }
      initializer { data_type: 1 name: "w" doc_string: "d" }
      sparse_initializer {}
      node { op_type: "A" }
      node {
        name: "conv1"
        op_type: "aten::add"
        domain: "my-domain"
        overload: "1.0"
        doc_string: "d"
        attribute { name: "pads" type: INT i: 1 doc_string: "d" }
        attribute { type: INT }
      }
      quantization_annotation {}
      metadata_props { key: "k" }
    }
  )pb");
  EXPECT_EQ(
      Lost(model),
      (Paths{"training_info", "configuration", "graph.doc_string", "graph.quantization_annotation",
             "graph.sparse_initializer", "graph.metadata_props", "graph.input[0] \"x\".doc_string",
             "graph.input[0] \"x\".type", "graph.initializer[0] \"w\".doc_string", "graph.node[1] \"conv1\".doc_string",
             "graph.node[1] \"conv1\".domain", "graph.node[1] \"conv1\".op_type", "graph.node[1] \"conv1\".overload",
             "graph.node[1] \"conv1\".attribute[\"pads\"].doc_string", "graph.node[1] \"conv1\".attribute[1].name"}));
}

TEST(PrintModel, NoGraph) { EXPECT_EQ(Lost(onnx::ModelProto()), Paths{"graph"}); }

TEST(PrintModel, Operators) {
  EXPECT_EQ(Lost(FromTextProto<onnx::NodeProto>("op_type: 'a.b'")), Paths{"op_type"});
  EXPECT_EQ(Lost(FromTextProto<onnx::NodeProto>("domain: 'a'")), Paths{"op_type"});
  EXPECT_EQ(Lost(FromTextProto<onnx::NodeProto>("op_type: 'A' domain: '.a'")), Paths{"domain"});
  EXPECT_EQ(Print(FromTextProto<onnx::NodeProto>("op_type: 'aten::add' domain: 'my-domain'"),
                  {.dialect = Dialect::kReference, .allow_loss = true})
                .text,
            "    = my_domain.aten__add ()\n");
}

TEST(PrintModel, UnknownFieldsAreLosses) {
  onnx::NodeProto node;
  node.set_op_type("Op");
  onnx::AttributeProto* attribute = node.add_attribute();
  attribute->set_name("k");
  attribute->set_type(onnx::AttributeProto::INT);
  attribute->GetReflection()->MutableUnknownFields(attribute)->AddVarint(1007, 1);
  EXPECT_EQ(Lost(node), Paths{"attribute[\"k\"]"});
  EXPECT_THAT(Print(node, kReference).diagnostics.items()[0].message, ::testing::HasSubstr("1007"));
}

TEST(PrintModel, LossesAreCapped) {
  onnx::GraphProto graph;
  for (int i = 0; i < 10; ++i) graph.add_node()->set_doc_string("d");
  const PrintResult result = Print(graph, {.dialect = Dialect::kReference, .allow_loss = true, .max_diagnostics = 4});
  EXPECT_EQ(result.diagnostics.items().size(), 4U);
  EXPECT_EQ(result.diagnostics.suppressed(), 6U);
}

TEST(PrintModel, DeepNestingIsALoss) {
  for (const int levels : {33, 34, 5000}) {
    onnx::GraphProto graph;
    onnx::GraphProto* inner = &graph;
    for (int i = 0; i < levels; ++i) {
      inner->set_name("g");
      onnx::AttributeProto* attribute = inner->add_node()->add_attribute();
      attribute->set_name("k");
      attribute->set_type(onnx::AttributeProto::GRAPH);
      inner = attribute->mutable_g();
    }
    inner->set_name("g");
    EXPECT_EQ(Lost(graph).empty(), levels == 33);
  }
}

TEST(PrintModel, DeepTypesAreALoss) {
  onnx::TypeProto type;
  onnx::TypeProto* inner = &type;
  for (int i = 0; i < 49; ++i) inner = inner->mutable_sequence_type()->mutable_elem_type();
  inner->mutable_opaque_type();
  EXPECT_TRUE(Lost(type).empty());
  for (int i = 0; i < 2000; ++i) inner = inner->mutable_optional_type()->mutable_elem_type();
  inner->mutable_opaque_type();
  EXPECT_EQ(Lost(type).size(), 1U);
}

}  // namespace
}  // namespace onnxc::testing
