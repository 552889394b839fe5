// Converts models of PyTorch's fork: methods, domains and types.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "old/conversion.h"
#include "old_schemas/torch_2018.pb.h"
#include "source/names.h"
#include "source/report.h"

namespace onnxc::old {
namespace {

namespace pb = google::protobuf;

/// The first IR version that has everything that models of the fork are converted to: functions, and metadata_props in
/// all messages.
constexpr int kIrVersion = 10;

constexpr const char* kMethods = "torch.methods";

/// Adds `value` to the value infos of the function if it contains more than a name.
void AddValueInfo(const onnx::ValueInfoProto& value, onnx::FunctionProto* function) {
  const bool tells = value.has_type() || value.has_doc_string() || !value.metadata_props().empty();
  if (tells) *function->add_value_info() = value;
}

void AddConstant(onnx::TensorProto* tensor, onnx::FunctionProto* function) {
  onnx::NodeProto* const node = function->add_node();
  node->add_output(tensor->name());
  node->set_op_type("Constant");
  onnx::AttributeProto* const value = node->add_attribute();
  value->set_name("value");
  value->set_type(onnx::AttributeProto::TENSOR);
  value->mutable_t()->Swap(tensor);
}

/// Moves the contents of a graph of the current schema to a function.
void MoveIntoFunction(onnx::GraphProto* graph, onnx::FunctionProto* function) {
  if (graph->has_doc_string()) function->set_doc_string(graph->doc_string());
  NameSet constants;
  for (const onnx::TensorProto& tensor : graph->initializer()) constants.insert(tensor.name());
  for (const onnx::ValueInfoProto& input : graph->input()) {
    if (!constants.contains(input.name()))
      function->add_input(input.name());  // inputs of functions cannot have
                                          // defaults
    AddValueInfo(input, function);
  }
  for (const onnx::ValueInfoProto& output : graph->output()) {
    function->add_output(output.name());
    AddValueInfo(output, function);
  }
  for (const onnx::ValueInfoProto& value : graph->value_info()) *function->add_value_info() = value;
  for (onnx::TensorProto& tensor : *graph->mutable_initializer()) AddConstant(&tensor, function);
  for (onnx::NodeProto& node : *graph->mutable_node()) function->add_node()->Swap(&node);
  function->mutable_metadata_props()->Swap(graph->mutable_metadata_props());
}

/// Returns the names of the functions that the methods become: each has the name of its method, or a unique name if the
/// method has none.
std::vector<std::string> NamesOfMethods(Conversion& conversion, const Place& model) {
  const auto& methods = static_cast<const torch_2018::ModelProto&>(model.message).methods();
  OwnedNameSet taken;
  std::vector<std::string> names;
  for (int i = 0; i < methods.size(); ++i) {
    names.push_back(methods[i].name());
    if (names.back().empty() || taken.insert(names.back()).second) continue;
    conversion.Refuse({model, torch_2018::ModelProto::kMethodsFieldNumber, i},
                      fmt::format("the method '{}' appears twice", Quoted(names.back())));
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!names[i].empty()) continue;
    names[i] = fmt::format("method_{}", i);
    while (!taken.insert(names[i]).second) names[i] += '_';
  }
  return names;
}

bool IsDomainOfCaffe2(std::string_view domain) {
  return domain == "caffe2" || domain.starts_with("caffe2.") || domain.ends_with("_caffe2");
}

/// Returns whether all members have the same type.
bool IsOfOneType(const torch_2018::TypeProto::Sequence& sequence) {
  if (sequence.sequence_type() == torch_2018::TypeProto::Sequence::TUPLE) return false;
  std::string first = sequence.has_elem_type() ? sequence.elem_type().SerializeAsString() : "";
  bool is_known = sequence.has_elem_type();
  for (const torch_2018::TypeProto& type : sequence.elem_type_list()) {
    std::string other = type.SerializeAsString();
    if (is_known && other != first) return false;
    first = std::move(other);
    is_known = true;
  }
  return true;
}

}  // namespace

void MapTorchVersion(Conversion& conversion, const Place& from, pb::Message* to) {
  const std::int64_t version = static_cast<const torch_2018::ModelProto&>(from.message).ir_version();
  static_cast<onnx::ModelProto&>(*to).set_ir_version(kIrVersion);
  if (IsVersionOfTorch(version)) return;
  conversion.Refuse({from, torch_2018::ModelProto::kIrVersionFieldNumber},
                    fmt::format("ir_version {} is not that of PyTorch's fork, which is 259 (0x103)", version));
}

void MapMethods(Conversion& conversion, const Place& from, pb::Message* to) {
  const auto& old_model = static_cast<const torch_2018::ModelProto&>(from.message);
  auto& model = static_cast<onnx::ModelProto&>(*to);
  constexpr int kField = torch_2018::ModelProto::kMethodsFieldNumber;
  const auto imports = model.opset_import();
  onnx::OperatorSetIdProto* const import = model.add_opset_import();
  import->set_domain(kMethods);
  import->set_version(1);
  const std::vector<std::string> names = NamesOfMethods(conversion, from);
  for (int i = 0; i < old_model.methods_size(); ++i) {
    const torch_2018::GraphProto& method = old_model.methods(i);
    onnx::GraphProto graph;
    conversion.Copy(from.Child(method, kField, i), &graph);
    onnx::FunctionProto* const function = model.add_functions();
    function->set_name(names[static_cast<std::size_t>(i)]);
    function->set_domain(kMethods);
    if (!conversion.Spend(imports.SpaceUsedExcludingSelfLong())) {
      return conversion.Refuse({from, kField, i}, conversion.TooMuch("the imports of all methods"));
    }
    *function->mutable_opset_import() = imports;
    MoveIntoFunction(&graph, function);
  }
}

void MapNodeDomain(Conversion& conversion, const Place& from, pb::Message* to) {
  const auto& node = static_cast<const torch_2018::NodeProto&>(from.message);
  static_cast<onnx::NodeProto&>(*to).set_domain(node.domain());
  if (!IsDomainOfCaffe2(node.domain())) return;
  conversion.Lose({from, torch_2018::NodeProto::kDomainFieldNumber}, "the meaning of " + node.op_type(),
                  "it is an operator of caffe2");
}

void MapSpecialType(Conversion& conversion, const Place& from, pb::Message* to) {
  const auto& type = static_cast<const torch_2018::TypeProto&>(from.message);
  auto& result = static_cast<onnx::TypeProto&>(*to);
  constexpr int kField = torch_2018::TypeProto::kSpecialTypeFieldNumber;
  if (result.value_case() != onnx::TypeProto::VALUE_NOT_SET) {
    return conversion.Lose({from, kField}, "special_type", "ONNX allows only one value here");
  }
  result.mutable_opaque_type()->set_domain("caffe2");
  if (type.special_type().has_type_name()) result.mutable_opaque_type()->set_name(type.special_type().type_name());
  conversion.CopyMapped(from.Child(type.special_type(), kField), result.mutable_opaque_type());
}

void MapSequenceType(Conversion& conversion, const Place& from, pb::Message* to) {
  using Sequence = torch_2018::TypeProto::Sequence;
  const Sequence& sequence = static_cast<const torch_2018::TypeProto&>(from.message).sequence_type();
  auto& result = static_cast<onnx::TypeProto&>(*to);
  constexpr int kField = torch_2018::TypeProto::kSequenceTypeFieldNumber;
  if (result.value_case() != onnx::TypeProto::VALUE_NOT_SET) {
    return conversion.Lose({from, kField}, "sequence_type", "ONNX allows only one value here");
  }
  const Place place = from.Child(sequence, kField);
  if (!IsOfOneType(sequence)) {
    result.mutable_opaque_type()->set_domain("torch");
    result.mutable_opaque_type()->set_name(sequence.sequence_type() == Sequence::TUPLE ? "tuple" : "list");
    if (sequence.has_elem_type()) conversion.AddMetadata(place, Sequence::kElemTypeFieldNumber);
    return conversion.CopyMapped(place, result.mutable_opaque_type());
  }
  onnx::TypeProto::Sequence* const list = result.mutable_sequence_type();
  if (sequence.has_elem_type()) {
    conversion.Copy(place.Child(sequence.elem_type(), Sequence::kElemTypeFieldNumber), list->mutable_elem_type());
  } else if (!sequence.elem_type_list().empty()) {
    conversion.Copy(place.Child(sequence.elem_type_list(0), Sequence::kElemTypeListFieldNumber),
                    list->mutable_elem_type());
  }
  conversion.CopyMapped(place, list);
}

}  // namespace onnxc::old
