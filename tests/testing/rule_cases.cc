// The cases of the checker's rules.
#include "check/accidents.h"

namespace onnxc::accident {

const std::vector<Case>& Cases() {
  static const std::vector<Case> cases = {
      // models
      {"ir-version-missing", kPlain, [](ModelProto& m) { m.clear_ir_version(); }},
      {"ir-version-too-new", kPlain, [](ModelProto& m) { m.set_ir_version(15); }},
      {"ir-version-negative", kPlain, [](ModelProto& m) { m.set_ir_version(-1); }},
      {"newer-than-ir-version", kFunction, [](ModelProto& m) { m.set_ir_version(7); }},
      {"opset-import-missing", kPlain, [](ModelProto& m) { m.clear_opset_import(); }},
      {"opset-import-too-early", kPlain, [](ModelProto& m) { m.set_ir_version(2); }},
      {"opset-version-range", kPlain, [](ModelProto& m) { AddImport(m, "a", std::int64_t{1} << 40); }},
      {"opset-version-missing", kPlain, [](ModelProto& m) { m.add_opset_import()->set_domain("a"); }},
      {"opset-version-unknown", kPlain, [](ModelProto& m) { m.mutable_opset_import(0)->set_version(999); }},
      {"duplicate-opset-import", kPlain, [](ModelProto& m) { AddImport(m, "", 20); }},
      {"unused-opset-import", kPlain, [](ModelProto& m) { AddImport(m, "ai.onnx.ml", 3); }},
      {"duplicate-model-metadata", kPlain,
       [](ModelProto& m) {
         for (int i = 0; i < 2; ++i) AddEntry(m.mutable_metadata_props(), "k", "v");
       }},
      {"duplicate-metadata", kPlain,
       [](ModelProto& m) {
         for (int i = 0; i < 2; ++i) AddEntry(Node(m).mutable_metadata_props(), "k", "v");
       }},
      {"metadata-key-missing", kPlain, [](ModelProto& m) { m.add_metadata_props()->set_value("v"); }},
      {"c-identifier", kChain, [](ModelProto& m) { Node(m, 1).set_name("relu/0"); }},
      {"domain-name", kPlain, [](ModelProto& m) { m.set_domain("my_models"); }},
      {"field-not-in-schema", kPlain,
       [](ModelProto& m) { Node(m).GetReflection()->MutableUnknownFields(&Node(m))->AddVarint(99, 1); }},
      {"not-utf8", kPlain, [](ModelProto& m) { Node(m).set_doc_string("caf\xe9"); }},
      {"image-metadata", kPlain,
       [](ModelProto& m) { AddEntry(m.mutable_metadata_props(), "Image.BitmapPixelFormat", "BGR"); }},
      {"device-configuration", kPlain, [](ModelProto& m) { AddDevices(m, 1); }},
      {"duplicate-device-configuration", kPlain,
       [](ModelProto& m) {
         AddDevices(m, 2);
         AddDevices(m, 2);
       }},
      {"device-configuration-name", kPlain,
       [](ModelProto& m) {
         AddDevices(m, 2);
         m.mutable_configuration(0)->clear_name();
       }},
      {"device-configuration-count", kPlain,
       [](ModelProto& m) {
         AddDevices(m, 0);
         m.mutable_configuration(0)->clear_num_devices();
       }},
      {"unknown-device-configuration", kPlain,
       [](ModelProto& m) {
         AddDevices(m, 2);
         Node(m).add_device_configurations()->set_configuration_id("three");
       }},
      {"sharding-tensor", kPlain, [](ModelProto& m) { Shard(m).set_tensor_name("z"); }},
      {"sharding-axis", kPlain, [](ModelProto& m) { Shard(m).mutable_sharded_dim(0)->clear_axis(); }},
      {"sharding-count", kPlain,
       [](ModelProto& m) { Shard(m).mutable_sharded_dim(0)->mutable_simple_sharding(0)->clear_num_shards(); }},
      {"nesting-limit", kIf,
       [](ModelProto& m) {
         const onnx::GraphProto branch = Branch(m);
         onnx::GraphProto* inner = &Branch(m);
         for (int i = 0; i < 40; ++i) {
           onnx::AttributeProto* const attribute = inner->mutable_node(0)->add_attribute();
           attribute->set_name("g");
           attribute->set_type(onnx::AttributeProto::GRAPH);
           inner = attribute->mutable_g();
           *inner = branch;
         }
       }},
      // names and order
      {"name-missing", kPlain, [](ModelProto& m) { m.mutable_graph()->clear_name(); }},
      {"duplicate-input", kPlain, [](ModelProto& m) { *m.mutable_graph()->add_input() = m.graph().input(0); }},
      {"duplicate-name", kChain, [](ModelProto& m) { Node(m, 1).set_output(0, "t"); }},
      {"duplicate-node-name", kChain,
       [](ModelProto& m) {
         for (int i = 0; i < 2; ++i) Node(m, i).set_name("same");
       }},
      {"duplicate-graph-name", kIf, [](ModelProto& m) { Branch(m).set_name("e"); }},
      {"unknown-name", kChain, [](ModelProto& m) { Node(m, 1).set_input(0, "tt"); }},
      {"not-sorted", kChain, [](ModelProto& m) { m.mutable_graph()->mutable_node()->SwapElements(0, 1); }},
      {"cycle", kChain, [](ModelProto& m) { Node(m).set_input(0, "y"); }},
      {"unknown-output", kPlain, [](ModelProto& m) { m.mutable_graph()->mutable_output(0)->set_name("z"); }},
      {"duplicate-output", kPlain, [](ModelProto& m) { *m.mutable_graph()->add_output() = m.graph().output(0); }},
      {"output-types-differ", kPlain,
       [](ModelProto& m) {
         onnx::ValueInfoProto* const output = m.mutable_graph()->add_output();
         *output = m.graph().output(0);
         output->mutable_type()->mutable_tensor_type()->mutable_shape()->add_dim()->set_dim_value(1);
       }},
      {"shadowed-name", kIf, [](ModelProto& m) { *Branch(m).add_input() = m.graph().input(1); }},
      {"unused-initializer", kWeights, [](ModelProto& m) { Node(m).set_input(1, "x"); }},
      {"duplicate-initializer", kWeights, [](ModelProto& m) { *m.mutable_graph()->add_initializer() = Weights(m); }},
      {"initializer-not-input", kWeights, [](ModelProto& m) { m.set_ir_version(3); }},
      {"duplicate-value-info", kPlain,
       [](ModelProto& m) {
         for (int i = 0; i < 2; ++i) *m.mutable_graph()->add_value_info() = m.graph().input(0);
         m.mutable_graph()->mutable_value_info(1)->mutable_type()->mutable_tensor_type()->set_elem_type(7);
       }},
      {"repeated-value-info", kPlain,
       [](ModelProto& m) {
         for (int i = 0; i < 3; ++i) *m.mutable_graph()->add_value_info() = m.graph().input(0);
       }},
      {"unknown-value-info", kPlain, [](ModelProto& m) { m.mutable_graph()->add_value_info()->set_name("z"); }},
      {"quantization-name", kPlain,
       [](ModelProto& m) { m.mutable_graph()->add_quantization_annotation()->set_tensor_name("z"); }},
      {"quantization-key", kPlain,
       [](ModelProto& m) {
         onnx::TensorAnnotation* const annotation = m.mutable_graph()->add_quantization_annotation();
         annotation->set_tensor_name("x");
         AddEntry(annotation->mutable_quant_parameter_tensor_names(), "SIZE_TENSOR", "y");
       }},
      {"duplicate-quantization-key", kPlain,
       [](ModelProto& m) {
         onnx::TensorAnnotation* const annotation = m.mutable_graph()->add_quantization_annotation();
         annotation->set_tensor_name("x");
         for (int i = 0; i < 2; ++i) AddEntry(annotation->mutable_quant_parameter_tensor_names(), "SCALE_TENSOR", "y");
       }},
      // types
      {"type-missing", kPlain, [](ModelProto& m) { m.mutable_graph()->mutable_input(0)->clear_type(); }},
      {"type-incomplete", kPlain, [](ModelProto& m) { InputType(m).mutable_tensor_type()->clear_shape(); }},
      {"type-incomplete-inside", kPlain,
       [](ModelProto& m) { InputType(m).mutable_sequence_type()->mutable_elem_type(); }},
      {"element-type-unknown", kPlain, [](ModelProto& m) { InputType(m).mutable_tensor_type()->set_elem_type(99); }},
      {"map-key-type", kPlain,
       [](ModelProto& m) {
         const onnx::TypeProto tensor = InputType(m);
         InputType(m).mutable_map_type()->set_key_type(onnx::TensorProto::FLOAT);
         *InputType(m).mutable_map_type()->mutable_value_type() = tensor;
       }},
      {"optional-type", kPlain,
       [](ModelProto& m) {
         InputType(m).mutable_optional_type()->mutable_elem_type()->mutable_opaque_type()->set_name("n");
       }},
      {"negative-shape", kPlain,
       [](ModelProto& m) { InputType(m).mutable_tensor_type()->mutable_shape()->mutable_dim(0)->set_dim_value(-1); }},
      {"type-denotation", kPlain, [](ModelProto& m) { InputType(m).set_denotation("PICTURE"); }},
      {"dimension-denotation", kPlain,
       [](ModelProto& m) {
         InputType(m).mutable_tensor_type()->mutable_shape()->mutable_dim(0)->set_denotation("BATCH");
       }},
      {"joined-dimensions", kPlain,
       [](ModelProto& m) {
         InputType(m).mutable_tensor_type()->mutable_shape()->mutable_dim(0)->set_dim_param("Nx4");
       }},
      {"placeholder-dimension", kPlain,
       [](ModelProto& m) {
         InputType(m).mutable_tensor_type()->mutable_shape()->mutable_dim(0)->set_dim_param("None");
       }},
      // tensors
      {"tensor-type-missing", kWeights, [](ModelProto& m) { Weights(m).clear_data_type(); }},
      {"tensor-type-unknown", kWeights, [](ModelProto& m) { Weights(m).set_data_type(99); }},
      {"tensor-dims", kWeights, [](ModelProto& m) { Weights(m).set_dims(0, -1); }},
      {"tensor-elements", kWeights,
       [](ModelProto& m) {
         for (int i = 0; i < 2; ++i) Weights(m).add_dims(std::int64_t{1} << 40);
       }},
      {"tensor-size", kWeights,
       [](ModelProto& m) {
         Weights(m).clear_float_data();
         Weights(m).set_raw_data("12345678");
         Weights(m).set_dims(0, std::int64_t{1} << 62);
       }},
      {"tensor-data", kWeights, [](ModelProto& m) { Weights(m).clear_float_data(); }},
      {"tensor-empty-with-data", kWeights, [](ModelProto& m) { Weights(m).set_dims(0, 0); }},
      {"tensor-strings-raw", kWeights,
       [](ModelProto& m) {
         Weights(m).clear_float_data();
         Weights(m).set_data_type(onnx::TensorProto::STRING);
         Weights(m).set_raw_data("ab");
       }},
      {"tensor-field", kWeights, [](ModelProto& m) { Weights(m).set_data_type(onnx::TensorProto::DOUBLE); }},
      {"tensor-too-few", kWeights, [](ModelProto& m) { Weights(m).set_dims(0, 3); }},
      {"tensor-too-many", kWeights, [](ModelProto& m) { Weights(m).set_dims(0, 1); }},
      {"tensor-segment", kWeights,
       [](ModelProto& m) {
         Weights(m).mutable_segment()->set_begin(1);
         Weights(m).mutable_segment()->set_end(3);
       }},
      {"string-mark", kWeights,
       [](ModelProto& m) {
         Weights(m).clear_float_data();
         Weights(m).set_data_type(onnx::TensorProto::STRING);
         for (const char* text : {"plain", "\xEF\xBB\xBFmarked"}) Weights(m).add_string_data(text);
       }},
      {"tensor-padding", kWeights,
       [](ModelProto& m) {
         Weights(m).clear_float_data();
         Weights(m).set_data_type(onnx::TensorProto::FLOAT6E2M3);
         for (const int value : {1, 64}) Weights(m).add_int32_data(value);
       }},
      {"element-range", kWeights,
       [](ModelProto& m) {
         Weights(m).clear_float_data();
         Weights(m).set_data_type(onnx::TensorProto::UINT8);
         for (const int value : {1, 256}) Weights(m).add_int32_data(value);
       }},
      {"external-with-data", kWeights,
       [](ModelProto& m) {
         MakeExternal(m, "#memory");
         Weights(m).add_float_data(1);
       }},
      {"external-location", kWeights, [](ModelProto& m) { MakeExternal(m, "../w.bin"); }},
      {"external-file", kWeights, [](ModelProto& m) { MakeExternal(m, "no_such_file.bin"); }},
      {"external-location-missing", kWeights,
       [](ModelProto& m) {
         MakeExternal(m, nullptr);
         AddEntry(Weights(m).mutable_external_data(), "offset", "0");
       }},
      {"external-number", kWeights, [](ModelProto& m) { External(m, "offset", "-1"); }},
      {"external-length", kWeights, [](ModelProto& m) { External(m, "length", "7"); }},
      {"external-extent", kWeights,
       [](ModelProto& m) { MakeExternal(m, "four_bytes.bin"); }},
      {"external-strings", kWeights,
       [](ModelProto& m) {
         MakeExternal(m, "#memory");
         Weights(m).set_data_type(onnx::TensorProto::STRING);
       }},
      {"external-key", kWeights, [](ModelProto& m) { External(m, "place", "7"); }},
      {"external-checksum-form", kWeights, [](ModelProto& m) { External(m, "checksum", "1234"); }},
      {"external-checksum", kWeights,
       [](ModelProto& m) {
         MakeExternal(m, "four_bytes.bin");
         Weights(m).set_dims(0, 1);
         AddEntry(Weights(m).mutable_external_data(), "checksum", "0123456789ABCDEF0123456789abcdef01234567");
       }},
      {"external-key-twice", kWeights, [](ModelProto& m) { External(m, "location", "#memory"); }},
      {"external-elided", kWeights,
       [](ModelProto& m) {
         MakeExternal(m, nullptr);
         AddEntry(Weights(m).mutable_external_data(), "elided", "");
       }},
      {"elided-alone", kWeights, [](ModelProto& m) { External(m, "elided", ""); }},
      {"elided-checksum", kWeights,
       [](ModelProto& m) {
         MakeExternal(m, nullptr);
         AddEntry(Weights(m).mutable_external_data(), "elided", "sha256:1");
       }},
      {"external-alignment", kWeights, [](ModelProto& m) { External(m, "offset", "7"); }},
      {"external-unused", kWeights,
       [](ModelProto& m) { AddEntry(Weights(m).mutable_external_data(), "location", "w"); }},
      {"sparse-values", kWeights, [](ModelProto& m) { MakeSparse(m).clear_values(); }},
      {"sparse-values-shape", kWeights,
       [](ModelProto& m) {
         MakeSparse(m).mutable_values()->set_dims(0, 1);
         m.mutable_graph()->mutable_sparse_initializer(0)->mutable_values()->add_dims(2);
       }},
      {"sparse-dims", kWeights, [](ModelProto& m) { MakeSparse(m).clear_dims(); }},
      {"sparse-dim", kWeights, [](ModelProto& m) { MakeSparse(m).set_dims(0, 0); }},
      {"sparse-indices", kWeights, [](ModelProto& m) { MakeSparse(m).clear_indices(); }},
      {"sparse-indices-type", kWeights,
       [](ModelProto& m) {
         onnx::TensorProto& indices = *MakeSparse(m).mutable_indices();
         indices.clear_int64_data();
         indices.set_data_type(onnx::TensorProto::INT32);
         for (const int index : {1, 2}) indices.add_int32_data(index);
       }},
      {"sparse-indices-shape", kWeights,
       [](ModelProto& m) {
         onnx::TensorProto& indices = *MakeSparse(m).mutable_indices();
         for (int i = 0; i < 2; ++i) indices.add_dims(1);
       }},
      {"sparse-index-count", kWeights,
       [](ModelProto& m) {
         onnx::TensorProto& indices = *MakeSparse(m).mutable_indices();
         indices.set_dims(0, 3);
         indices.add_int64_data(3);
       }},
      {"sparse-index-rank", kWeights,
       [](ModelProto& m) {
         onnx::TensorProto& indices = *MakeSparse(m).mutable_indices();
         indices.add_dims(2);
         for (const int index : {1, 2}) indices.add_int64_data(index);
       }},
      {"sparse-index-data", kWeights, [](ModelProto& m) { MakeSparse(m).mutable_indices()->add_int64_data(3); }},
      {"sparse-index", kWeights, [](ModelProto& m) { MakeSparse(m).mutable_indices()->set_int64_data(1, 4); }},
      {"sparse-order", kWeights, [](ModelProto& m) { MakeSparse(m).mutable_indices()->set_int64_data(1, 1); }},
      // attributes
      {"attribute-type-missing", kCast, [](ModelProto& m) { Node(m).mutable_attribute(0)->clear_type(); }},
      {"attribute-type-undefined", kCast,
       [](ModelProto& m) {
         Node(m).mutable_attribute(0)->clear_i();
         Node(m).mutable_attribute(0)->set_type(onnx::AttributeProto::UNDEFINED);
       }},
      {"attribute-field", kCast,
       [](ModelProto& m) {
         Node(m).mutable_attribute(0)->clear_i();
         Node(m).mutable_attribute(0)->set_f(1);
       }},
      {"attribute-values", kCast, [](ModelProto& m) { Node(m).mutable_attribute(0)->add_ints(1); }},
      {"attribute-empty", kCast, [](ModelProto& m) { Node(m).mutable_attribute(0)->clear_i(); }},
      {"reference-with-value", kFunction,
       [](ModelProto& m) { Function(m).mutable_node(0)->mutable_attribute(0)->set_i(1); }},
      {"reference-outside", kCast,
       [](ModelProto& m) {
         Node(m).mutable_attribute(0)->clear_i();
         Node(m).mutable_attribute(0)->set_ref_attr_name("k");
       }},
      {"unknown-reference", kFunction,
       [](ModelProto& m) { Function(m).mutable_node(0)->mutable_attribute(0)->set_ref_attr_name("kk"); }},
      // nodes
      {"op-type-missing", kPlain, [](ModelProto& m) { Node(m).clear_op_type(); }},
      {"node-empty", kPlain, [](ModelProto& m) { m.mutable_graph()->add_node()->set_op_type("Relu"); }},
      {"node-without-output", kFunction, [](ModelProto& m) { Node(m).clear_output(); }},
      {"domain-not-imported", kPlain, [](ModelProto& m) { Node(m).set_domain("ai.onnx.ml"); }},
      {"duplicate-attribute", kCast, [](ModelProto& m) { *Node(m).add_attribute() = Node(m).attribute(0); }},
      {"unknown-operator", kPlain, [](ModelProto& m) { Node(m).set_op_type("Rleu"); }},
      {"deprecated-operator", kPlain, [](ModelProto& m) { Node(m).set_op_type("Upsample"); }},
      {"experimental-operator", kPlain, [](ModelProto& m) { Node(m).set_op_type("Affine"); }},
      {"input-count", kPlain, [](ModelProto& m) { Node(m).add_input("x"); }},
      {"output-count", kPlain, [](ModelProto& m) { Node(m).add_output("z"); }},
      {"required-input", kWeights, [](ModelProto& m) { Node(m).set_input(0, ""); }},
      {"required-output", kPlain, [](ModelProto& m) { Node(m).set_output(0, ""); }},
      {"unknown-attribute", kCast, [](ModelProto& m) { Node(m).mutable_attribute(0)->set_name("too"); }},
      {"unchecked-attribute", kPlain,
       [](ModelProto& m) {
         m.mutable_opset_import(0)->set_version(17);
         Node(m).set_op_type("LayerNormalization");
         while (Node(m).input_size() < 2) Node(m).add_input(Node(m).input(0));
         onnx::AttributeProto& attribute = *Node(m).add_attribute();
         attribute.set_name("eps");
         attribute.set_type(onnx::AttributeProto::FLOAT);
         attribute.set_f(1);
       }},
      {"attribute-kind", kCast,
       [](ModelProto& m) {
         Node(m).mutable_attribute(0)->clear_i();
         Node(m).mutable_attribute(0)->set_s("int64");
         Node(m).mutable_attribute(0)->set_type(onnx::AttributeProto::STRING);
       }},
      {"attribute-without-value", kIf, [](ModelProto& m) { Node(m).mutable_attribute(0)->clear_g(); }},
      {"missing-attribute", kCast, [](ModelProto& m) { Node(m).clear_attribute(); }},
      {"operand-type", kPlain,
       [](ModelProto& m) { InputType(m).mutable_tensor_type()->set_elem_type(onnx::TensorProto::STRING); }},
      {"operand-types-differ", kWeights,
       [](ModelProto& m) { InputType(m).mutable_tensor_type()->set_elem_type(onnx::TensorProto::DOUBLE); }},
      // types and shapes
      {"rank-clash", kSum, Becomes("(float[2] x, float w) => (float y) { y = MatMul(x, w) }")},
      {"dimension-clash", kSum, Becomes("(float[2, 3] x, float[4, 5] w) => (float[2, 5] y) { y = MatMul(x, w) }")},
      {"dimension-value", kSum, Becomes("(float[3] x) => (float[3] y) <int64[1] a = {0}> { y = Squeeze(x, a) }")},
      {"broadcast-clash", kSum, Becomes("(float[2] x, float[3] w) => (float[3] y) { y = Add(x, w) }")},
      {"axis-range", kSum, Becomes("(float[2] x, float[2] w) => (float[4] y) { y = Concat<axis = 1>(x, w) }")},
      {"attribute-choice", kSum,
       Becomes(R"((float[1, 1, 4] x, float[1, 1, 2] w) => (float y) { y = Conv<auto_pad = "SAME_UPER">(x, w) })")},
      {"attribute-length", kSum,
       Becomes("(float[1, 1, 4] x, float[1, 1, 2] w) => (float y) { y = Conv<pads = [1]>(x, w) }")},
      {"attribute-range", kSum, Becomes("(float[2] x) => (int64[2] y) { y = Cast<to = 99>(x) }")},
      {"attributes-clash", kSum,
       Becomes("(float[3] x, float s, int8 p) => (int8[3] y) { y = QuantizeLinear<output_dtype = 2>(x, s, p) }")},
      {"operand-value", kSum,
       Becomes("(float[2] x) => (float[2] y) <int64[1] n = {-1}> { y = Tile(x, n) }")},
      {"operand-size", kSum, Becomes("(float[2] x) => (float[2, 2] y) <int64[2] n = {1, 2}> { y = Tile(x, n) }")},
      {"operand-kind", kSum,
       Becomes("(seq(float[2]) x, int64[2] w) => (seq(float[2]) y) { y = SequenceInsert(x, w) }")},
      {"declared-type", kSum, Becomes("(float[2, 3] x) => (float[2, 5] y) { y = Relu(x) }")},
      {"subgraph-inputs", kSum,
       Becomes(R"((int64 n, bool c, float[2] x) => (float[2] y) { y = Loop<
           body = b (int64 i, bool d) => (bool e, float[2] z) { e = Identity(d) z = Identity(x) }>(n, c, x) })")},
      {"subgraph-outputs", kSum,
       Becomes(R"((int64 n, bool c, float[2] x) => (float[2] y) { y = Loop<
           body = b (int64 i, bool d, float[2] v) => (bool e) { e = Identity(d) }>(n, c, x) })")},
      {"subgraph-type", kSum,
       Becomes(R"((int64 n, bool c, float[2] x) => (float[2] y) { y = Loop<
           body = b (int64 i, bool d, v) => (bool e, z) { e = Identity(d) z = Cast<to = 7>(v) }>(n, c, x) })")},
      {"symbol-is-number", kSum,
       Becomes("(float[N, 2] x) => (float[N, 2] y) { y = ReduceSum<keepdims = 1>(x) }")},
      {"condition-shape", kSum,
       Becomes(R"((int64[1] first) => (int64[1] last) {
           yes = Constant<value = bool {1}>()
           last = Loop("", yes, first) <body = b (int64 i, bool before, int64[1] j) => (bool more, int64[1] next) {
             one = Constant<value = int64 {1}>()
             next = Add(j, one)
             more = Less(next, one)
           }>
         })")},
      {"unreached-clash", kSum,
       Becomes(R"((float[2, 3] x) => (float[2, 3] y) {
           no = Constant<value = bool {0}>()
           y = If(no) <then_branch = t () => (a) { a = MatMul(x, x) }, else_branch = e () => (b) { b = Abs(x) }>
         })")},
      {"branches-differ", kSum,
       Becomes(R"((bool c, float[2] x) => (float[2] y) { y = If<
           then_branch = t () => (a) { a = Relu(x) }, else_branch = e () => (b) { b = Cast<to = 7>(x) }>(c) })")},
      {"inference-limit", kFunction,
       [](ModelProto& m) {  // 1000 calls that differ in an attribute, of a function with 1000 nodes
         Function(m).add_attribute("z");
         for (int i = 0; i < 1000; ++i) {
           *Function(m).add_node() = Function(m).node(1);
           Function(m).mutable_node(i + 2)->set_output(0, "b" + std::to_string(i));
           *m.mutable_graph()->add_node() = Node(m);
           Node(m, i + 1).set_output(0, "y" + std::to_string(i));
           *Node(m, i + 1).add_attribute() = Node(m).attribute(0);
           Node(m, i + 1).mutable_attribute(1)->set_name("z");
           Node(m, i + 1).mutable_attribute(1)->set_i(i);
         }
       }},
      // functions
      {"function-domain", kFunction, [](ModelProto& m) { Function(m).clear_domain(); }},
      {"duplicate-function", kFunction, [](ModelProto& m) { *m.add_functions() = Function(m); }},
      {"too-many-functions", kFunction,
       [](ModelProto& m) {
         for (int i = 0; i < 10000; ++i) m.add_functions()->set_name("f" + std::to_string(i));
       }},
      {"recursion", kTwoFunctions, [](ModelProto& m) { Function(m, 0).mutable_node(0)->set_op_type("f"); }},
      {"call-depth", kTwoFunctions,
       [](ModelProto& m) {
         for (int i = 0; i < 100; ++i) {
           *m.add_functions() = Function(m, 0);
           Function(m, i + 2).set_name("f" + std::to_string(i));
           Function(m, i + 2).mutable_node(0)->set_op_type(i == 0 ? "f" : "f" + std::to_string(i - 1));
         }
       }},
      {"duplicate-function-output", kFunction, [](ModelProto& m) { Function(m).add_output("b"); }},
      {"duplicate-function-attribute", kFunction, [](ModelProto& m) { Function(m).add_attribute("k"); }},
      {"function-attribute-twice", kFunction, [](ModelProto& m) { Function(m).add_attribute_proto()->set_name("k"); }},
      {"function-output-unknown", kFunction, [](ModelProto& m) { Function(m).set_output(0, "c"); }},
      {"function-opset", kFunction, [](ModelProto& m) { AddImport(m, "", 12); }},
      {"unused-function", kFunction, [](ModelProto& m) { Function(m).set_name("other"); }},
      {"unknown-function", kFunction, [](ModelProto& m) { Node(m).set_op_type("ff"); }},
      {"unchecked-operator", kFunction,
       [](ModelProto& m) {
         AddImport(m, "com.example", 1);
         Node(m).set_domain("com.example");
       }},
      {"call-arguments", kFunction, [](ModelProto& m) { Node(m).add_input("x"); }},
      {"call-outputs", kFunction, [](ModelProto& m) { Function(m).add_output("t"); }},
      {"call-attribute", kFunction, [](ModelProto& m) { Node(m).mutable_attribute(0)->set_name("kk"); }},
      {"call-attribute-missing", kFunction, [](ModelProto& m) { Node(m).clear_attribute(); }},
      {"call-attribute-type", kFunction,
       [](ModelProto& m) {
         Node(m).mutable_attribute(0)->set_type(onnx::AttributeProto::FLOAT);
         Node(m).mutable_attribute(0)->clear_i();
         Node(m).mutable_attribute(0)->set_f(1);
       }},
      // training
      {"training-inputs", kWeights,
       [](ModelProto& m) { MakeTraining(m).mutable_initialization()->add_input()->CopyFrom(m.graph().input(0)); }},
      {"binding-key", kWeights, [](ModelProto& m) { AddEntry(MakeTraining(m).mutable_update_binding(), "v", "u"); }},
      {"binding-value", kWeights, [](ModelProto& m) { AddEntry(MakeTraining(m).mutable_update_binding(), "w", "v"); }},
      {"duplicate-binding", kWeights,
       [](ModelProto& m) {
         onnx::TrainingInfoProto& training = MakeTraining(m);
         for (int i = 0; i < 2; ++i) AddEntry(training.mutable_update_binding(), "w", "u");
       }},
  };
  return cases;
}

}  // namespace onnxc::accident
