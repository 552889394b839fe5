#include "testing/plain_message.h"

#include "tables/attribute_types.h"

namespace onnxc::testing {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

void Plain(onnx::ModelProto* model, const FieldDescriptor* holder) {
  if (holder == nullptr || holder->number() != onnx::ModelProto::kGraphFieldNumber)
    model->mutable_graph()->set_name("main");
  model->set_ir_version(10);
  auto* import = model->add_opset_import();
  import->set_domain("");
  import->set_version(21);
}

void Plain(onnx::FunctionProto* function) {
  function->set_name("f");
  function->set_domain("local");
}

void Plain(onnx::NodeProto* node) {
  node->add_output("y");
  node->set_op_type("Op");
  node->add_input("x");
}

void Plain(onnx::AttributeProto* attribute, const FieldDescriptor* holder) {
  attribute->set_name("a");
  for (const AttributeType& type : kAttributeTypes) {
    if (holder == nullptr || type.field != holder->number()) continue;
    attribute->set_type(static_cast<onnx::AttributeProto::AttributeType>(type.code));
    return;
  }
  attribute->set_type(onnx::AttributeProto::INT);
  attribute->set_i(1);
}

void Plain(onnx::TensorProto* tensor) {
  tensor->add_dims(1);
  tensor->set_data_type(onnx::TensorProto::FLOAT);
  tensor->add_float_data(1.5f);
}

void Plain(onnx::SparseTensorProto* sparse) {
  Plain(sparse->mutable_values());
  sparse->mutable_values()->set_name("s");
  auto* indices = sparse->mutable_indices();
  indices->add_dims(1);
  indices->set_data_type(onnx::TensorProto::INT64);
  indices->add_int64_data(2);
  sparse->add_dims(3);
}

void PlainElement(onnx::TypeProto* type) { type->mutable_tensor_type()->set_elem_type(onnx::TensorProto::FLOAT); }

}  // namespace

void MakePlain(Message* message, const FieldDescriptor* holder) {
  if (auto* model = dynamic_cast<onnx::ModelProto*>(message)) return Plain(model, holder);
  if (auto* function = dynamic_cast<onnx::FunctionProto*>(message)) return Plain(function);
  if (auto* graph = dynamic_cast<onnx::GraphProto*>(message)) return graph->set_name("g");
  if (auto* node = dynamic_cast<onnx::NodeProto*>(message)) return Plain(node);
  if (auto* attribute = dynamic_cast<onnx::AttributeProto*>(message)) return Plain(attribute, holder);
  if (auto* tensor = dynamic_cast<onnx::TensorProto*>(message)) return Plain(tensor);
  if (auto* sparse = dynamic_cast<onnx::SparseTensorProto*>(message)) {
    if (holder == nullptr) Plain(sparse);
    return;
  }
  if (auto* value = dynamic_cast<onnx::ValueInfoProto*>(message)) {
    value->set_name("x");
    if (holder == nullptr) PlainElement(value->mutable_type());
    return;
  }
  if (auto* import = dynamic_cast<onnx::OperatorSetIdProto*>(message)) {
    import->set_domain("d");
    return import->set_version(1);
  }
  if (auto* entry = dynamic_cast<onnx::StringStringEntryProto*>(message)) {
    entry->set_key("k");
    return entry->set_value("v");
  }
  if (auto* type = dynamic_cast<onnx::TypeProto*>(message)) {
    if (holder == nullptr) PlainElement(type);
    return;
  }
  if (auto* tensor = dynamic_cast<onnx::TypeProto::Tensor*>(message))
    return tensor->set_elem_type(onnx::TensorProto::FLOAT);
  if (auto* tensor = dynamic_cast<onnx::TypeProto::SparseTensor*>(message)) {
    return tensor->set_elem_type(onnx::TensorProto::FLOAT);
  }
  if (auto* map = dynamic_cast<onnx::TypeProto::Map*>(message)) {
    map->set_key_type(onnx::TensorProto::INT64);
    if (holder == nullptr) PlainElement(map->mutable_value_type());
    return;
  }
  if (holder != nullptr) return;
  if (auto* sequence = dynamic_cast<onnx::TypeProto::Sequence*>(message))
    return PlainElement(sequence->mutable_elem_type());
  if (auto* optional = dynamic_cast<onnx::TypeProto::Optional*>(message))
    return PlainElement(optional->mutable_elem_type());
  if (auto* opaque = dynamic_cast<onnx::TypeProto::Opaque*>(message)) return opaque->set_name("o");
  if (auto* dim = dynamic_cast<onnx::TensorShapeProto::Dimension*>(message)) dim->set_dim_value(3);
}

}  // namespace onnxc::testing
