#include "print/printing.h"

namespace onnxc::testing {
namespace {

onnx::TypeProto Type(const std::string& text) { return FromTextProto<onnx::TypeProto>(text); }

void ExpectText(const std::string& fields, const std::string& text) {
  const onnx::TypeProto type = Type(fields);
  EXPECT_EQ(Printed(type), text);
  ExpectSame(ThereAndBack(type), type);
}

TEST(PrintType, Tensors) {
  ExpectText("tensor_type { elem_type: 1 }", "float[]");
  ExpectText("tensor_type { elem_type: 26 shape { } }", "int2");
  ExpectText(
      "tensor_type { elem_type: 10 shape { dim { dim_value: -1 } dim { dim_param: 'N' } dim { } "
      "dim { dim_param: 'a b' } dim { dim_param: '' } } }",
      "float16[-1,N,?,\"a b\",\"\"]");
  ExpectText("sparse_tensor_type { elem_type: 7 shape { dim { dim_value: 0 } } }", "sparse_tensor(int64[0])");
}

TEST(PrintType, Containers) {
  ExpectText("sequence_type { elem_type { optional_type { elem_type { tensor_type { elem_type: 8 shape { } } } } } }",
             "seq(optional(string))");
  ExpectText("map_type { key_type: 7 value_type { tensor_type { elem_type: 1 } } }", "map(int64, float[])");
}

TEST(PrintType, Opaque) {
  ExpectText("opaque_type { }", "opaque()");
  ExpectText("opaque_type { name: 'a.b' }", "opaque(a.b)");
  ExpectText("opaque_type { domain: 'a.b' name: 'c' }", "opaque(a.b,c)");
  EXPECT_EQ(Lost(Type("opaque_type { domain: 'd' }")), Paths{"opaque_type.domain"});
  EXPECT_EQ(Lost(Type("opaque_type { domain: 'd' name: 'a.b' }")), Paths{"opaque_type.name"});
  EXPECT_EQ(Lost(Type("opaque_type { domain: 'd-e' name: 'a b' }")), (Paths{"opaque_type.domain", "opaque_type.name"}));
}

TEST(PrintType, Losses) {
  EXPECT_EQ(Lost(Type("")), Paths{""});
  EXPECT_EQ(Lost(Type("tensor_type { }")), Paths{"tensor_type.elem_type"});
  EXPECT_EQ(Lost(Type("tensor_type { elem_type: 99 }")), Paths{"tensor_type.elem_type"});
  EXPECT_EQ(Lost(Type("sparse_tensor_type { elem_type: 99 }")), Paths{"sparse_tensor_type.elem_type"});
  EXPECT_EQ(Lost(Type("sequence_type { }")), Paths{"sequence_type.elem_type"});
  EXPECT_EQ(Lost(Type("sequence_type { elem_type { } }")), Paths{"sequence_type.elem_type"});
  EXPECT_EQ(Lost(Type("map_type { value_type { opaque_type { } } }")), Paths{"map_type.key_type"});
  EXPECT_EQ(Lost(Type("map_type { key_type: 7 }")), Paths{"map_type.value_type"});
  EXPECT_EQ(Lost(Type("denotation: 'T' tensor_type { elem_type: 1 shape { dim { denotation: 'D' } } }")),
            (Paths{"denotation", "tensor_type.shape.dim[0].denotation"}));
}

TEST(PrintType, ShapesAlone) {
  EXPECT_EQ(Printed(FromTextProto<onnx::TensorShapeProto>("dim { dim_value: 2 } dim { }")), "2,?");
  EXPECT_EQ(Lost(onnx::TensorShapeProto()), Paths{""});
}

}  // namespace
}  // namespace onnxc::testing
