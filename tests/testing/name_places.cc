#include "testing/name_places.h"

#include <gtest/gtest.h>

#include <set>
#include <string_view>

#include "testing/plain_message.h"

namespace onnxc::testing {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

std::string NameOf(const FieldDescriptor* field) {
  const std::string package(field->file()->package());
  return std::string(field->full_name()).substr(package.empty() ? 0 : package.size() + 1);
}

bool EndsWith(const Place& place, std::initializer_list<const char*> fields) {
  if (place.size() < fields.size()) return false;
  auto at = place.end() - static_cast<std::ptrdiff_t>(fields.size());
  for (const char* const field : fields) {
    if (NameOf(*at++) != field) return false;
  }
  return true;
}

}  // namespace

Meaning MeaningOf(const Place& place, const FieldDescriptor* field) {
  static const std::map<std::string, Meaning> kEverywhere = {
      {"FunctionProto.domain", Meaning::kDomain},
      {"FunctionProto.input", Meaning::kValue},
      {"FunctionProto.name", Meaning::kFunction},
      {"FunctionProto.output", Meaning::kValue},
      {"NodeProto.domain", Meaning::kDomain},
      {"NodeProto.input", Meaning::kValue},
      {"NodeProto.name", Meaning::kNode},
      {"NodeProto.op_type", Meaning::kFunction},
      {"NodeProto.output", Meaning::kValue},
      {"OperatorSetIdProto.domain", Meaning::kDomain},
      {"ShardingSpecProto.tensor_name", Meaning::kValue},
      {"SimpleShardedDimProto.dim_param", Meaning::kDimension},
      {"TensorAnnotation.tensor_name", Meaning::kValue},
      {"TensorShapeProto.Dimension.dim_param", Meaning::kDimension},
      {"ValueInfoProto.name", Meaning::kValue},
  };
  static const std::set<std::string> kOthers = {"AttributeProto.doc_string",
                                                "AttributeProto.name",
                                                "AttributeProto.ref_attr_name",
                                                "DeviceConfigurationProto.device",
                                                "DeviceConfigurationProto.name",
                                                "FunctionProto.attribute",
                                                "FunctionProto.doc_string",
                                                "FunctionProto.overload",
                                                "GraphProto.doc_string",
                                                "GraphProto.name",
                                                "ModelProto.doc_string",
                                                "ModelProto.domain",
                                                "ModelProto.producer_name",
                                                "ModelProto.producer_version",
                                                "NodeDeviceConfigurationProto.configuration_id",
                                                "NodeProto.doc_string",
                                                "NodeProto.overload",
                                                "TensorProto.doc_string",
                                                "TensorShapeProto.Dimension.denotation",
                                                "TypeProto.Opaque.domain",
                                                "TypeProto.Opaque.name",
                                                "TypeProto.denotation",
                                                "ValueInfoProto.doc_string"};
  const std::string name = NameOf(field);
  if (const auto found = kEverywhere.find(name); found != kEverywhere.end()) return found->second;
  if (name == "TensorProto.name") {
    const bool is_value = EndsWith(place, {"GraphProto.initializer"}) ||
                          EndsWith(place, {"GraphProto.sparse_initializer", "SparseTensorProto.values"});
    return is_value ? Meaning::kValue : Meaning::kOther;
  }
  if (name.starts_with("StringStringEntryProto.")) {
    const bool is_binding = EndsWith(place, {"TrainingInfoProto.initialization_binding"}) ||
                            EndsWith(place, {"TrainingInfoProto.update_binding"});
    const bool is_value = name.ends_with(".key")
                              ? is_binding || EndsWith(place, {"FunctionProto.metadata_props"})
                              : is_binding || EndsWith(place, {"TensorAnnotation.quant_parameter_tensor_names"});
    return is_value ? Meaning::kValue : Meaning::kOther;
  }
  EXPECT_TRUE(kOthers.contains(name)) << "what does " << name << " name?";
  return Meaning::kOther;
}

std::string ToString(const StringPlace& place) {
  return ToString(place.place) + "." + std::string(place.field->name());
}

std::vector<StringPlace> AllStringPlaces(int graphs) {
  std::vector<StringPlace> strings;
  for (const Place& place : AllPlaces(graphs)) {
    const auto* const type = place.empty() ? onnx::ModelProto::descriptor() : place.back()->message_type();
    for (int i = 0; i < type->field_count(); ++i) {
      const FieldDescriptor* const field = type->field(i);
      if (field->type() == FieldDescriptor::TYPE_STRING) strings.push_back({place, field, MeaningOf(place, field)});
    }
  }
  return strings;
}

onnx::ModelProto ModelWithNames(const NamesByMeaning& names) {
  onnx::ModelProto model;
  model.set_ir_version(11);
  auto* import = model.add_opset_import();
  import->set_domain("");
  import->set_version(21);
  import = model.add_opset_import();
  import->set_domain(names.at(Meaning::kDomain));
  import->set_version(1);
  onnx::GraphProto* const graph = model.mutable_graph();
  graph->set_name("main");
  onnx::ValueInfoProto* const input = graph->add_input();
  input->set_name(names.at(Meaning::kValue));
  auto* const type = input->mutable_type()->mutable_tensor_type();
  type->set_elem_type(onnx::TensorProto::FLOAT);
  type->mutable_shape()->add_dim()->set_dim_param(names.at(Meaning::kDimension));
  onnx::NodeProto* const node = graph->add_node();
  node->set_name(names.at(Meaning::kNode));
  node->set_domain(names.at(Meaning::kDomain));
  node->set_op_type(names.at(Meaning::kFunction));
  node->add_input(names.at(Meaning::kValue));
  node->add_output("result");
  onnx::FunctionProto* const function = model.add_functions();
  function->set_domain(names.at(Meaning::kDomain));
  function->set_name(names.at(Meaning::kFunction));
  function->add_input("p");
  function->add_output("p");
  return model;
}

void AddString(const StringPlace& string, const std::string& name, const std::string& domain, onnx::ModelProto* model) {
  if (EndsWith(string.place, {"FunctionProto.metadata_props"}) && string.field->name() == "key") {
    Place function = string.place;
    function.pop_back();
    auto* const owner = static_cast<onnx::FunctionProto*>(MakePlace(function, model));
    MakePlain(owner, string.place.back());
    owner->add_input(name);
    owner->add_metadata_props()->set_key(name);
    return;
  }
  Message* const message = MakePlace(string.place, model);
  MakePlain(message);
  if (string.meaning == Meaning::kFunction && message->GetDescriptor() == onnx::NodeProto::descriptor()) {
    static_cast<onnx::NodeProto*>(message)->set_domain(domain);
  }
  const auto* const reflection = message->GetReflection();
  if (string.field->is_repeated()) {
    reflection->AddString(message, string.field, name);
  } else {
    reflection->SetString(message, string.field, name);
  }
}

}  // namespace onnxc::testing
