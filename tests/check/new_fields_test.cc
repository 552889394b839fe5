// Each part of a model that its IR version lacks is reported, wherever it is: fields and element types.
#include <gtest/gtest.h>
#include <onnxc/checker.h>
#include <onnxc/set.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "source/report.h"
#include "tables/element_types.h"
#include "tables/ir_versions.h"
#include "testing/places.h"
#include "testing/plain_message.h"

namespace onnxc::testing {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

/// How often each part occurs in a message, by what findings call it; without the parts that `ir_version` has.
/// Functions are not looked at before the IR version that introduced them.
void CountNewer(const Message& message, std::int64_t ir_version, std::map<std::string, int>* counts) {
  const auto* const reflection = message.GetReflection();
  std::vector<const FieldDescriptor*> fields;
  reflection->ListFields(message, &fields);
  for (const FieldDescriptor* const field : fields) {
    const NewField* const row = FindNewField(*field);
    if (row != nullptr && row->since > ir_version) ++(*counts)[std::string(row->shown)];
    if (row != nullptr && row->since > ir_version && row->name == "functions") continue;
    const bool is_type = field->name() == "data_type" || field->name() == "elem_type";
    if (is_type && field->cpp_type() == FieldDescriptor::CPPTYPE_INT32) {
      const ElementType* const type = FindElementType(reflection->GetInt32(message, field));
      if (type != nullptr && type->since > ir_version) ++(*counts)[std::string(type->keyword)];
    }
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) continue;
    for (int i = 0; i < (field->is_repeated() ? reflection->FieldSize(message, field) : 1); ++i) {
      CountNewer(field->is_repeated() ? reflection->GetRepeatedMessage(message, field, i)
                                      : reflection->GetMessage(message, field),
                 ir_version, counts);
    }
  }
}

/// Returns how many findings there are about each part.
std::map<std::string, int> Reported(const onnx::ModelProto& model) {
  std::map<std::string, int> counts;
  const Diagnostics found = CheckModel(model, {.max_diagnostics = 100000, .external_files = false, .infer = false});
  for (const Diagnostic& each : found.items()) {
    if (each.kind != DiagnosticKind::kNewerThanIrVersion) continue;
    ++counts[each.message.substr(0, each.message.find(" was added"))];
  }
  return counts;
}

/// Checks that what is newer than `ir_version` is reported, and refused by a change to it.
void CheckIn(onnx::ModelProto model, int ir_version, const std::string& name) {
  std::map<std::string, int> expected;
  CountNewer(model, ir_version, &expected);
  ASSERT_FALSE(expected.empty()) << name;
  model.set_ir_version(ir_version);
  EXPECT_EQ(Reported(model), expected) << name << " in IR version " << ir_version << "\n" << model.DebugString();
  model.set_ir_version(onnx::IR_VERSION);
  EXPECT_TRUE(Reported(model).empty()) << name;
  const Diagnostics found = SetInModel(&model, {.ir_version = ir_version});
  EXPECT_TRUE(std::ranges::any_of(found.items(), [](const Diagnostic& each) {
    return each.kind == DiagnosticKind::kNewerThanIrVersion && each.severity == Severity::kError;
  })) << name;
}

/// Inputs and outputs of the model need a shape.
void GiveShape(Message* type) {
  if (auto* const tensor = dynamic_cast<onnx::TypeProto::Tensor*>(type)) tensor->mutable_shape();
  if (auto* const tensor = dynamic_cast<onnx::TypeProto::SparseTensor*>(type)) tensor->mutable_shape();
}

TEST(NewFields, AreReportedInEachPlace) {
  int parts = 0;
  for (const Place& place : AllPlaces(2)) {
    const auto* const type = place.empty() ? onnx::ModelProto::descriptor() : place.back()->message_type();
    if (!place.empty() && place.back()->name() == "indices") continue;  // wrong without values; see the next test
    for (int i = 0; i < type->field_count(); ++i) {
      const FieldDescriptor* const field = type->field(i);
      onnx::ModelProto model;
      Message* const message = MakePlace(place, &model);
      MakePlain(message, field);
      GiveShape(message);
      const auto* const reflection = message->GetReflection();
      const std::string name = ToString(place) + "." + std::string(field->name());
      if (const NewField* const row = FindNewField(*field)) {
        if (field->cpp_type() == FieldDescriptor::CPPTYPE_STRING) {
          reflection->SetString(message, field, "text");
        } else {
          Message* const part = field->is_repeated() ? reflection->AddMessage(message, field)
                                                     : reflection->MutableMessage(message, field);
          MakePlain(part);
          GiveShape(part);
        }
        CheckIn(model, row->since - 1, name);
        ++parts;
      } else if (field->name() == "data_type" || field->name() == "elem_type") {
        if (field->cpp_type() != FieldDescriptor::CPPTYPE_INT32) continue;
        for (const ElementType& element : kElementTypes) {
          if (element.since <= 3) continue;
          reflection->SetInt32(message, field, element.code);
          CheckIn(model, element.since - 1, name);
          ++parts;
        }
      }
    }
  }
  std::printf("%d parts\n", parts);
  EXPECT_GT(parts, 500);
}

TEST(NewFields, AreReportedInIndicesOfSparseTensors) {
  onnx::ModelProto model;
  onnx::NodeProto* const node = model.mutable_graph()->add_node();
  node->set_op_type("Constant");
  node->add_output("y");
  onnx::AttributeProto* const attribute = node->add_attribute();
  attribute->set_name("sparse_value");
  attribute->set_type(onnx::AttributeProto::SPARSE_TENSOR);
  onnx::SparseTensorProto& sparse = *attribute->mutable_sparse_tensor();
  sparse.add_dims(3);
  sparse.mutable_values()->add_dims(1);
  sparse.mutable_values()->set_data_type(onnx::TensorProto::FLOAT);
  sparse.mutable_values()->add_float_data(1);
  sparse.mutable_indices()->add_dims(1);
  sparse.mutable_indices()->set_data_type(onnx::TensorProto::INT64);
  sparse.mutable_indices()->add_int64_data(2);
  sparse.mutable_indices()->add_metadata_props()->set_key("k");
  CheckIn(model, 9, "indices");
}

// The schema says of each field in the table since when it exists, and has each of them.
TEST(NewFields, AreFieldsOfTheSchema) {
  for (const NewField& row : kNewFields) {
    const auto* const type = onnx::ModelProto::descriptor()->file()->FindMessageTypeByName(std::string(row.message));
    ASSERT_NE(type, nullptr) << row.message;
    const FieldDescriptor* const field = type->FindFieldByName(std::string(row.name));
    ASSERT_NE(field, nullptr) << row.name;
    EXPECT_EQ(FindNewField(*field), &row);
  }
}

}  // namespace
}  // namespace onnxc::testing
