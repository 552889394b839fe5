#include "testing/full_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "testing/name_places.h"
#include "testing/plain_message.h"
#include "testing/variants.h"

namespace onnxc::testing {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;
using onnx::GraphProto;
using onnx::NodeProto;

const char* NameOfMeaning(Meaning meaning) {
  switch (meaning) {
    case Meaning::kValue: return "x";
    case Meaning::kNode: return "node";
    case Meaning::kFunction: return "g";
    case Meaning::kDimension: return "N";
    case Meaning::kDomain: return "local";
    case Meaning::kOther: break;
  }
  return "text";
}

/// Adds a value to the field.
void SetField(const FieldDescriptor* field, const std::string& text, Message* message) {
  const Reflection* const reflection = message->GetReflection();
  const bool is_list = field->is_repeated();
  switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_STRING:
      return is_list ? (reflection->*StringSetter(&Reflection::AddString))(message, field, text)
                     : (reflection->*StringSetter(&Reflection::SetString))(message, field, text);
    case FieldDescriptor::CPPTYPE_INT32:
      return is_list ? reflection->AddInt32(message, field, 1) : reflection->SetInt32(message, field, 1);
    case FieldDescriptor::CPPTYPE_INT64:
      return is_list ? reflection->AddInt64(message, field, 1) : reflection->SetInt64(message, field, 1);
    case FieldDescriptor::CPPTYPE_UINT64:
      return is_list ? reflection->AddUInt64(message, field, 1) : reflection->SetUInt64(message, field, 1);
    case FieldDescriptor::CPPTYPE_FLOAT:
      return is_list ? reflection->AddFloat(message, field, 1) : reflection->SetFloat(message, field, 1);
    case FieldDescriptor::CPPTYPE_DOUBLE:
      return is_list ? reflection->AddDouble(message, field, 1) : reflection->SetDouble(message, field, 1);
    case FieldDescriptor::CPPTYPE_ENUM:
      return is_list ? reflection->AddEnumValue(message, field, 1) : reflection->SetEnumValue(message, field, 1);
    case FieldDescriptor::CPPTYPE_MESSAGE:
      return MakePlain(is_list ? reflection->AddMessage(message, field) : reflection->MutableMessage(message, field));
    default: ADD_FAILURE() << field->full_name() << " has a type of which no value is known here";
  }
}

NodeProto* AddNode(const std::string& domain, const std::string& op_type, const std::string& input,
                   const std::string& output, GraphProto* graph) {
  NodeProto* const node = graph->add_node();
  node->set_domain(domain);
  node->set_op_type(op_type);
  node->add_input(input);
  node->add_output(output);
  return node;
}

/// Gives each value that the graph computes or contains its own name. Returns the names.
std::vector<std::string> NameValues(GraphProto* graph) {
  std::vector<std::string> values;
  const auto name = [&](const char* kind) { return values.emplace_back(kind + std::to_string(values.size())); };
  for (auto& input : *graph->mutable_input()) input.set_name(name("input"));
  for (auto& tensor : *graph->mutable_initializer()) tensor.set_name(name("tensor"));
  for (auto& tensor : *graph->mutable_sparse_initializer()) tensor.mutable_values()->set_name(name("sparse"));
  for (int i = 0; i < graph->node_size(); ++i) {
    for (std::string& output : *graph->mutable_node(i)->mutable_output()) output = name("result");
  }
  return values;
}

/// Returns the declared type that the place added to a graph, or null.
const onnx::TypeProto* DeclaredType(const GraphProto& graph) {
  for (const auto* const list : {&graph.value_info(), &graph.output()}) {
    if (!list->empty() && list->at(0).has_type()) return &list->at(0).type();
  }
  return nullptr;
}

/// Calls `visit` with each message of this type in the message, wherever it is.
template <typename Inner>
void ForEachInside(Message* message, const std::function<void(Inner*)>& visit) {
  if (auto* const inner = dynamic_cast<Inner*>(message)) visit(inner);
  const Reflection* const reflection = message->GetReflection();
  std::vector<const FieldDescriptor*> fields;
  reflection->ListFields(*message, &fields);
  for (const FieldDescriptor* const field : fields) {
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) continue;
    if (!field->is_repeated()) ForEachInside(reflection->MutableMessage(message, field), visit);
    for (int i = 0; field->is_repeated() && i < reflection->FieldSize(*message, field); ++i) {
      ForEachInside(reflection->MutableRepeatedMessage(message, field, i), visit);
    }
  }
}

/// Lets quantization annotations name a value that exists, unless the place set another name.
void NameAnnotated(onnx::ModelProto* model) {
  ForEachInside<onnx::TensorAnnotation>(model, [](onnx::TensorAnnotation* annotation) {
    if (!annotation->has_tensor_name()) annotation->set_tensor_name("x");
    for (auto& entry : *annotation->mutable_quant_parameter_tensor_names()) {
      if (entry.value() == "v") entry.set_value("x");
    }
  });
}

/// Adds the function "g" of the domain "local", nodes that call functions which nothing calls, imports of all domains
/// that nodes use, and nodes that use domains which nothing uses.
void UseFunctionsAndDomains(onnx::ModelProto* model) {
  onnx::FunctionProto* const function = model->add_functions();
  MakePlain(function);
  function->set_name("g");
  function->set_overload("text");
  function->add_input("p");
  function->add_output("q");
  NodeProto* const body = function->add_node();
  MakePlain(body);
  body->set_input(0, "p");
  body->set_output(0, "q");
  MakePlain(function->add_opset_import());
  function->mutable_opset_import(0)->set_domain("");
  std::set<std::string> called;
  std::set<std::string> used = {"local"};
  ForEachInside<NodeProto>(model, [&](NodeProto* node) {
    called.insert(node->op_type());
    used.insert(node->domain());
  });
  for (onnx::FunctionProto& each : *model->mutable_functions()) {
    if (each.node().empty()) MakePlain(each.add_node());  // otherwise it only declares an operator
    if (called.contains(each.name())) continue;
    used.insert(each.domain());
    AddNode(each.domain(), each.name(), "x", "", model->mutable_graph())->set_overload(each.overload());
  }
  for (const auto& import : model->opset_import()) {
    if (used.insert(import.domain()).second) AddNode(import.domain(), "Use", "x", "", model->mutable_graph());
  }
  for (const auto& import : model->opset_import()) used.erase(import.domain());
  for (const std::string& domain : used) {
    onnx::OperatorSetIdProto* const import = model->add_opset_import();
    import->set_domain(domain);
    import->set_version(1);
  }
}

}  // namespace

void Connect(onnx::ModelProto* model) {
  GraphProto* const graph = model->mutable_graph();
  UseFunctionsAndDomains(model);
  NameAnnotated(model);
  const std::vector<std::string> values = NameValues(graph);
  NodeProto* const collect = AddNode("", "Collect", "x", "out", graph);
  collect->add_input("sized");
  for (const std::string& value : values) collect->add_input(value);
  const onnx::TypeProto* const declared = DeclaredType(*graph);
  for (const char* const name : {"x", "sized"}) {
    onnx::ValueInfoProto* const input = graph->add_input();
    MakePlain(input);
    input->set_name(name);
    input->mutable_type()->mutable_tensor_type()->mutable_shape()->add_dim()->set_dim_param("N");
  }
  if (declared != nullptr) *graph->mutable_input(graph->input_size() - 2)->mutable_type() = *declared;
  onnx::ValueInfoProto* const out = graph->add_output();
  MakePlain(out);
  out->set_name("out");
  out->mutable_type()->mutable_tensor_type()->mutable_shape();
}

void SetEveryField(const Place& place, int oneof_member, Message* message) {
  const Reflection* const reflection = message->GetReflection();
  const auto* const type = message->GetDescriptor();
  for (int i = 0; i < type->field_count(); ++i) {
    const FieldDescriptor* const field = type->field(i);
    const bool is_member = field->containing_oneof() != nullptr;
    if (is_member              ? field->number() != oneof_member
        : field->is_repeated() ? reflection->FieldSize(*message, field) > 0
                               : reflection->HasField(*message, field)) {
      continue;
    }
    SetField(field, field->type() == FieldDescriptor::TYPE_STRING ? NameOfMeaning(MeaningOf(place, field)) : "bytes",
             message);
  }
}

void ForEachFullModel(const std::vector<Place>& places,
                      const std::function<void(const std::string&, const onnx::ModelProto&)>& visit) {
  for (const Place& place : places) {
    const auto* const type = place.empty() ? onnx::ModelProto::descriptor() : place.back()->message_type();
    std::vector<int> members;
    for (int i = 0; i < type->field_count(); ++i) {
      if (type->field(i)->containing_oneof() != nullptr) members.push_back(type->field(i)->number());
    }
    if (members.empty()) members.push_back(0);
    for (const int member : members) {
      onnx::ModelProto model;
      Message* const message = MakePlace(place, &model);
      MakePlain(message);
      if (auto* const node = dynamic_cast<NodeProto*>(message)) {
        node->clear_op_type();  // it calls the function "g"
      }
      SetEveryField(place, member, message);
      Connect(&model);
      visit(ToString(place) + (member == 0 ? "" : "." + std::string(type->FindFieldByNumber(member)->name())), model);
    }
  }
}

}  // namespace onnxc::testing
