// Tests each field of the schema alone, in each place where its message can be, with each special value: printing and
// parsing gives the same bytes.
#include <google/protobuf/descriptor.h>
#include <google/protobuf/unknown_field_set.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "tables/element_types.h"
#include "testing/places.h"
#include "testing/plain_message.h"
#include "testing/proto.h"
#include "testing/random_message.h"
#include "testing/roundtrip.h"
#include "testing/variants.h"

namespace onnxc::testing {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;
using namespace std::string_literals;

/// Counts the models of a test, and reports the first few that are not the same after printing and parsing.
class Tally {
 public:
  ~Tally() {
    ::testing::Test::RecordProperty("variants", variants_);
    std::printf("%d variants, %d do not come back\n", variants_, lost_);
    EXPECT_EQ(lost_, 0);
  }
  Tally() = default;
  Tally(const Tally&) = delete;
  Tally& operator=(const Tally&) = delete;

  void Expect(const std::string& name, const Message& message) {
    ++variants_;
    if (!FindLoss(message) || ++lost_ > 10) return;
    ADD_FAILURE() << Describe(name, message, &FindLoss);
  }

 private:
  int variants_ = 0;
  int lost_ = 0;
};

/// Sets the field in a message that is otherwise plain, and in a message that has no other field.
TEST(Fields, ComeBackInEveryPlace) {
  Tally tally;
  for (const Place& place : AllPlaces()) {
    const auto* type = place.empty() ? onnx::ModelProto::descriptor() : place.back()->message_type();
    for (int i = 0; i < type->field_count(); ++i) {
      for (const Variant& variant : VariantsOf(type->field(i))) {
        for (const bool is_plain : {true, false}) {
          onnx::ModelProto model;
          Message* message = MakePlace(place, &model);
          if (is_plain) MakePlain(message, type->field(i)->message_type() == nullptr ? nullptr : type->field(i));
          variant.apply(message);
          ASSERT_TRUE(Normalise(&model));
          tally.Expect(ToString(place) + ": " + variant.name + (is_plain ? "" : ", nothing else"), model);
        }
      }
    }
  }
}

TEST(Fields, ComeBackUnknownInEveryPlace) {
  Tally tally;
  for (const Place& place : AllPlaces()) {
    onnx::ModelProto model;
    Message* message = MakePlace(place, &model);
    MakePlain(message);
    auto* fields = message->GetReflection()->MutableUnknownFields(message);
    fields->AddVarint(900, 7);  // numbers that are not in the newer schema in tests/package/ either
    const std::string bytes = "\xff\"\\\n";
    fields->AddLengthDelimited(901, bytes);
    fields->AddGroup(902)->AddFixed32(1, 1);
    fields->AddFixed64(903, 1);
    tally.Expect(ToString(place), model);
  }
}

/// Every element type with any number of elements in any data field, in each place where a tensor can be.
TEST(Fields, TensorDataComeBack) {
  static constexpr int kDataFields[] = {4, 5, 6, 7, 9, 10, 11};
  Tally tally;
  std::map<const FieldDescriptor*, Place> places;  // the shortest path to each field that contains tensors
  for (const Place& place : AllPlaces()) {
    if (place.empty() || place.back()->message_type() != onnx::TensorProto::descriptor()) continue;
    Place& known = places[place.back()];
    if (known.empty() || place.size() < known.size()) known = place;
  }
  for (const auto& [holder, place] : places) {
    for (int code = -1; code <= 30; ++code) {
      for (const int number : kDataFields) {
        for (const int count : {0, 1, 2, 3, 4, 8, 9}) {
          for (const int dim : {-1, 0, 1, count}) {  // -1: none
            onnx::ModelProto model;
            auto* tensor = dynamic_cast<onnx::TensorProto*>(MakePlace(place, &model));
            tensor->set_data_type(code);
            tensor->set_name("w");
            if (dim >= 0) tensor->add_dims(dim);
            const auto* field = onnx::TensorProto::descriptor()->FindFieldByNumber(number);
            if (number == onnx::TensorProto::kRawDataFieldNumber) {
              tensor->set_raw_data("\x01\x80\xff\x7f\0\0\xc0\x7f\x01"s.substr(0, static_cast<std::size_t>(count)));
            } else {
              const std::vector<Variant> variants = VariantsOf(field);
              for (int i = 1; i <= count; ++i)
                variants[static_cast<std::size_t>(i) % (variants.size() - 1) + 1].apply(tensor);
            }
            ASSERT_TRUE(Normalise(&model));
            tally.Expect(ToString(place) + ": type " + std::to_string(code) + ", " + std::to_string(count) + " in " +
                             std::string(field->name()) + ", dim " + std::to_string(dim),
                         model);
          }
        }
      }
    }
  }
}

/// Cases that need more than one field.
TEST(Fields, SpecialCombinationsComeBack) {
  static const std::pair<const char*, const char*> kGraphs[] = {
      {"value without type, named like a type", R"(input { name: "float" })"},
      {"value without type, named like a type constructor", R"(input { name: "seq" } output { name: "map" })"},
      {"initializer without name", R"(initializer { dims: 1 data_type: 1 float_data: 1 })"},
      {"initializer that is an input", R"(input { name: "w" type { tensor_type { elem_type: 1 } } }
                                          initializer { name: "w" dims: 1 data_type: 1 float_data: 1 })"},
      {"initializers between values",
       R"(value_info { name: "a" } initializer { name: "b" data_type: 1 dims: 0 } value_info { name: "c" })"},
      {"output that is an initializer",
       R"(output { name: "w" } initializer { name: "w" data_type: 7 dims: 1 int64_data: 3 })"},
      {"two initializers of one name", R"(initializer { name: "w" data_type: 7 dims: 1 int64_data: 3 }
                                          initializer { name: "w" data_type: 7 dims: 1 int64_data: 4 })"},
      {"external, no entries", R"(initializer { name: "w" data_type: 1 dims: 1 data_location: EXTERNAL })"},
      {"external, with data", R"(initializer { name: "w" data_type: 1 dims: 1 float_data: 1 data_location: EXTERNAL
                                               external_data { key: "location" value: "w" } })"},
      {"external, with raw data",
       R"(initializer { name: "w" data_type: 1 dims: 1 raw_data: "1234" data_location: EXTERNAL
                                                   external_data { key: "location" value: "w" } })"},
      {"external data, location unset",
       R"(initializer { name: "w" data_type: 1 dims: 1 external_data { key: "location" value: "w" } })"},
      {"external data, location default", R"(initializer { name: "w" data_type: 1 dims: 1 data_location: DEFAULT
                                                           external_data { key: "location" value: "w" } })"},
      {"external data, half an entry", R"(initializer { name: "w" data_type: 1 dims: 1 data_location: EXTERNAL
                                                        external_data { key: "location" } external_data { value: "w" } })"},
      {"raw and typed data", R"(initializer { name: "w" data_type: 1 dims: 1 float_data: 1 raw_data: "1234" })"},
      {"empty raw data", R"(initializer { name: "w" data_type: 1 dims: 0 raw_data: "" })"},
      {"no data for an element", R"(initializer { name: "w" data_type: 1 dims: 2 })"},
      {"raw and typed tensors", R"(initializer { name: "a" data_type: 1 dims: 1 raw_data: "1234" }
                                   initializer { name: "b" data_type: 1 dims: 1 float_data: 1 })"},
      {"nodes with and without a domain", R"(node { op_type: "A" domain: "" } node { op_type: "B" })"},
      {"node of an operator with dots", R"(node { op_type: "a.B" domain: "c" } node { op_type: "B" domain: "c.a" })"},
      {"node of a domain that begins or ends with a dot",
       R"(node { op_type: "A" domain: ".a" } node { op_type: "A" domain: "a." })"},
      {"node with overload but no operator", R"(node { overload: "o" } node { op_type: "" overload: "o" })"},
      {"node with a name but no outputs",
       R"(node { name: "n" op_type: "A" } node { name: "" op_type: "A" input: "" })"},
      {"quantization",
       R"(quantization_annotation { tensor_name: "y" quant_parameter_tensor_names { key: "S" value: "s" } })"},
      {"two sparse initializers", R"(sparse_initializer { values { name: "s" dims: 1 data_type: 1 float_data: 1 }
                                     indices { dims: 1 dims: 2 data_type: 7 int64_data: 0 int64_data: 1 } dims: 3 dims: 2 }
                                     sparse_initializer { values { name: "t" dims: 0 data_type: 1 } indices { dims: 0 data_type: 7 } dims: 3 })"},
      {"sparse initializer, other counts",
       R"(sparse_initializer { values { name: "s" dims: 2 data_type: 1 float_data: 1 }
                                              indices { dims: 3 data_type: 7 int64_data: 0 } dims: 3 })"},
      {"sparse initializer, raw parts",
       R"(sparse_initializer { values { name: "s" dims: 1 data_type: 1 raw_data: "1234" }
                                           indices { dims: 1 data_type: 7 raw_data: "\001\000\000\000\000\000\000\000" } dims: 3 })"},
      {"sparse initializer, indices with a name",
       R"(sparse_initializer { values { name: "s" dims: 1 data_type: 1 float_data: 1 }
                                                     indices { name: "i" dims: 1 data_type: 7 int64_data: 0 } dims: 3 })"},
  };
  static const std::pair<const char*, const char*> kAttributes[] = {
      {"reference without type", R"(name: "a" ref_attr_name: "p")"},
      {"reference and value", R"(name: "a" ref_attr_name: "p" i: 1 type: INT)"},
      {"empty reference", R"(name: "a" ref_attr_name: "" type: INT)"},
      {"reference to another name", R"(name: "a" ref_attr_name: "p q" type: TENSOR)"},
      {"type and value differ", R"(name: "a" type: INT f: 1)"},
      {"two values", R"(name: "a" type: INT i: 1 f: 1)"},
      {"list and value", R"(name: "a" type: INTS ints: 1 i: 1)"},
      {"no name", R"(i: 1 type: INT)"},
      {"empty name", R"(name: "" i: 1 type: INT)"},
      {"type only", R"(name: "a" type: GRAPH)"},
      {"undefined", R"(name: "a" type: UNDEFINED)"},
      {"undefined with value", R"(name: "a" type: UNDEFINED i: 1)"},
      {"doc string only", R"(doc_string: "d")"},
      {"floats that look like integers", R"(name: "a" type: FLOATS floats: 1 floats: 2)"},
      {"floats, the second with a dot", R"(name: "a" type: FLOATS floats: 1 floats: 2.5)"},
      {"floats without type", R"(name: "a" floats: 1 floats: 2)"},
      {"float without type", R"(name: "a" f: 1)"},
      {"tensor without data, like a type", R"(name: "a" type: TENSOR t { data_type: 1 dims: 3 })"},
      {"tensor with a name without data", R"(name: "a" type: TENSOR t { data_type: 1 name: "w" })"},
      {"tensor with a quoted name", R"(name: "a" type: TENSOR t { data_type: 1 dims: 1 float_data: 1 name: "w/1" })"},
      {"tensor with an empty name", R"(name: "a" type: TENSOR t { data_type: 1 dims: 1 float_data: 1 name: "" })"},
      {"external tensor without name", R"(name: "a" type: TENSOR t { data_type: 1 dims: 1 data_location: EXTERNAL
                                                                    external_data { key: "location" value: "w" } })"},
      {"external tensor with name", R"(name: "a" type: TENSOR t { data_type: 1 dims: 1 name: "w" data_location: EXTERNAL
                                                                 external_data { key: "location" value: "w" } })"},
      {"graph named like a type", R"(name: "a" type: GRAPH g { name: "seq" })"},
      {"graph named inf", R"(name: "a" type: GRAPH g { name: "inf" })"},
      {"graph without name", R"(name: "a" type: GRAPH g { node { op_type: "A" } })"},
      {"graph with a quoted name", R"(name: "a" type: GRAPH g { name: "g h" node { op_type: "A" } })"},
      {"graphs named like types",
       R"(name: "a" type: GRAPHS graphs { name: "float" } graphs { name: "nan" } graphs { name: "" } graphs {})"},
      {"tensors, one like a type",
       R"(name: "a" type: TENSORS tensors { data_type: 1 } tensors { data_type: 1 float_data: 1 })"},
      {"types, one empty",
       R"(name: "a" type: TYPE_PROTOS type_protos { tensor_type { elem_type: 1 } } type_protos {})"},
      {"sparse tensors",
       R"(name: "a" type: SPARSE_TENSORS sparse_tensors { values { dims: 1 data_type: 1 float_data: 1 }
                            indices { dims: 1 data_type: 7 int64_data: 2 } dims: 5 } sparse_tensors {})"},
      {"sparse tensor without indices",
       R"(name: "a" type: SPARSE_TENSOR sparse_tensor { values { dims: 1 data_type: 1 float_data: 1 } dims: 5 })"},
  };
  static const std::pair<const char*, const char*> kTypes[] = {
      {"denotation only", R"(denotation: "d")"},
      {"opaque, dotted name", R"(opaque_type { domain: "d" name: "a.b" })"},
      {"opaque, dotted name alone", R"(opaque_type { name: "a.b" })"},
      {"opaque, dotted domain alone", R"(opaque_type { domain: "a.b" })"},
      {"opaque, empty domain", R"(opaque_type { domain: "" name: "n" })"},
      {"opaque, other characters", R"(opaque_type { domain: "d-e" name: "a b" })"},
      {"map without key", R"(map_type { value_type { tensor_type { elem_type: 1 } } })"},
      {"map without value", R"(map_type { key_type: 7 })"},
      {"map of maps with denotations",
       R"(denotation: "o" map_type { key_type: 8 value_type { denotation: "i" map_type { key_type: 7 value_type {} } } })"},
      {"dims without value",
       R"(tensor_type { elem_type: 1 shape { dim {} dim { dim_param: "" } dim { dim_param: "?" } dim { denotation: "d" } } })"},
      {"shape without element type", R"(tensor_type { shape { dim { dim_value: 1 } } })"},
      {"sparse with rank 0", R"(sparse_tensor_type { elem_type: 1 shape {} })"},
      {"element type that is no type", R"(tensor_type { elem_type: 99 shape {} })"},
  };
  static const std::pair<const char*, const char*> kModels[] = {
      {"nothing", ""},
      {"functions alone", R"(functions { name: "f" } functions { name: "g" domain: "d" })"},
      {"functions alone, with opset imports",
       R"(functions { name: "f" domain: "d" opset_import { domain: "" version: 17 } })"},
      {"header alone", R"(ir_version: 7 opset_import { domain: "" version: 17 })"},
      {"header and functions", R"(ir_version: 7 functions { name: "f" })"},
      {"header like a function's", R"(domain: "d" graph { name: "g" })"},
      {"header like a function's, no graph", R"(domain: "d" doc_string: "s")"},
      {"empty graph", "graph {}"},
      {"empty function", "graph {} functions {}"},
      {"opset imports with and without domains",
       R"(opset_import { version: 17 } opset_import { domain: "" version: 17 } opset_import {})"},
      {"configuration",
       R"(graph {} configuration { name: "c" num_devices: 2 device: "a" device: "" } configuration {})"},
      {"training",
       R"(graph {} training_info { initialization { name: "i" } algorithm {} initialization_binding { key: "a" value: "b" } } training_info {})"},
      {"function with formal types",
       R"(functions { name: "f" input: "a" output: "b" value_info { name: "a" type { tensor_type { elem_type: 1 } } }
                                        value_info { name: "b" } value_info { name: "c" type {} } })"},
      {"function, value infos in another order", R"(functions { name: "f" input: "a" output: "b"
          value_info { name: "b" type { tensor_type { elem_type: 1 } } } value_info { name: "a" type { tensor_type { elem_type: 1 } } } })"},
      {"function with defaults",
       R"(functions { name: "f" attribute: "k" attribute: "k l" attribute_proto { name: "m" i: 1 type: INT }
                                    attribute_proto { name: "n" type: FLOAT } attribute_proto {} })"},
      {"function, empty overload", R"(functions { name: "f" overload: "" domain: "" doc_string: "" })"},
  };
  Tally tally;
  const auto read = [](const char* text) { return FromTextProto<onnx::ModelProto>(text); };
  for (const auto& [name, text] : kModels) tally.Expect(name, read(text));
  for (const auto& [name, text] : kGraphs) {
    const std::string graph = text;
    tally.Expect(name, read(("graph { name: \"g\" " + graph + " }").c_str()));
    tally.Expect(
        name + " in a subgraph"s,
        read(("graph { node { op_type: \"If\" attribute { name: \"a\" type: GRAPH g { " + graph + " } } } }").c_str()));
    tally.Expect(name + " in training"s,
                 read(("graph {} training_info { algorithm { name: \"g\" " + graph + "} }").c_str()));
  }
  for (const auto& [name, text] : kAttributes) {
    const std::string attribute = text;
    tally.Expect(name, read(("graph { name: \"g\" node { op_type: \"A\" attribute { " + attribute + " } } }").c_str()));
    tally.Expect(name + " as a default"s, read(("functions { name: \"f\" attribute_proto { " + attribute +
                                                " } attribute_proto { " + attribute + " } }")
                                                   .c_str()));
    tally.Expect(name, FromTextProto<onnx::AttributeProto>(attribute));
  }
  for (const auto& [name, text] : kTypes) {
    const std::string type = text;
    tally.Expect(name, read(("graph { name: \"g\" input { name: \"x\" type { " + type + " } } }").c_str()));
    tally.Expect(
        name + " in seq"s,
        read(("graph { name: \"g\" output { name: \"x\" type { sequence_type { elem_type { " + type + " } } } } }")
                 .c_str()));
    tally.Expect(
        name + " in an attribute"s,
        read(("graph { node { op_type: \"A\" attribute { name: \"a\" type: TYPE_PROTO tp { " + type + " } } } }")
                 .c_str()));
    tally.Expect(name, FromTextProto<onnx::TypeProto>(type));
  }
}

}  // namespace
}  // namespace onnxc::testing
