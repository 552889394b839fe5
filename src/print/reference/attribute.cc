// Attributes.
#include "print/reference/printer.h"

namespace onnxc::print {
namespace {

/// Whether a value of this type is there.
bool HasValue(const onnx::AttributeProto& attribute, const AttributeType& type) {
  const google::protobuf::FieldDescriptor* field = attribute.GetDescriptor()->FindFieldByNumber(type.field);
  if (field == nullptr) return false;
  const google::protobuf::Reflection& reflection = *attribute.GetReflection();
  return field->is_repeated() ? reflection.FieldSize(attribute, field) > 0 : reflection.HasField(attribute, field);
}

/// The type of the first value that is there, or null.
const AttributeType* TypeOfValue(const onnx::AttributeProto& attribute) {
  for (const AttributeType& type : kAttributeTypes) {
    if (HasValue(attribute, type)) return &type;
  }
  return nullptr;
}

/// A reference that is present but empty is one only where there is no value.
bool IsReference(const onnx::AttributeProto& attribute) {
  return attribute.has_ref_attr_name() && (!attribute.ref_attr_name().empty() || TypeOfValue(attribute) == nullptr);
}

}  // namespace

bool Printer::IsUnspeakable(const onnx::AttributeProto& attribute, const AttributeType& type) {
  const bool has_value = HasValue(attribute, type);
  switch (type.code) {
    case onnx::AttributeProto::SPARSE_TENSOR: losses_.Add("sparse_tensor", "a sparse tensor"); return true;
    case onnx::AttributeProto::SPARSE_TENSORS:
      if (has_value) losses_.Add("sparse_tensors", "sparse tensors");
      return has_value;
    case onnx::AttributeProto::GRAPH:
      if (!has_value || !TooDeep(attribute)) break;
      losses_.Add("g", "graphs nested so deep");
      return true;
    case onnx::AttributeProto::GRAPHS:
      if (!has_value || !TooDeep(attribute)) return false;
      losses_.Add("graphs", "graphs nested so deep");
      return true;
    case onnx::AttributeProto::TENSOR:
    case onnx::AttributeProto::TYPE_PROTO: break;
    default: return false;  // the absence of a number or string is the default
  }
  if (!has_value) losses_.Add("type", "an attribute of type {} without a value", type.keyword);
  return !has_value;
}

void Printer::Attribute(const onnx::AttributeProto& attribute, AttributeRole place) {
  const bool is_reference = IsReference(attribute);
  const AttributeType* type = FindAttributeType(attribute.type());
  if (type == nullptr && !is_reference) {
    losses_.Add("type", "an attribute without a type");
    type = TypeOfValue(attribute);
    if (type == nullptr) type = &kAttributeTypes[onnx::AttributeProto::INTS];
  }
  Others(attribute, is_reference ? 0 : Fields(type->field));

  if (place == AttributeRole::kFunction) {
    out_.Name(attribute.name());
  } else {
    Identifier(attribute.name(), "name");
  }
  if (!is_reference) return AttributeValue(attribute, *type);
  if (type != nullptr) {
    out_.Put(": ");
    out_.Put(type->keyword);
  }
  out_.Put(" = @");
  out_.Name(attribute.ref_attr_name());
}

void Printer::AttributeValue(const onnx::AttributeProto& attribute, const AttributeType& type) {
  if (IsUnspeakable(attribute, type)) return NoValue(type);
  out_.Put(": ");
  out_.Put(type.keyword);
  out_.Put(" = ");
  switch (type.code) {
    case onnx::AttributeProto::FLOAT:
      if (!out_.Number(attribute.f())) losses_.Add("f", "the payload of a NaN");
      return;
    case onnx::AttributeProto::INT: return out_.Number(attribute.i());
    case onnx::AttributeProto::STRING: return out_.String(attribute.s());
    case onnx::AttributeProto::TENSOR: {
      const Path::Scope at(losses_.path(), "t");
      return Tensor(attribute.t(), TensorRole::kElsewhere);
    }
    case onnx::AttributeProto::GRAPH: {
      const Path::Scope at(losses_.path(), "g");
      return Subgraph(attribute.g());
    }
    case onnx::AttributeProto::TYPE_PROTO: {
      const Path::Scope at(losses_.path(), "tp");
      return Type(attribute.tp());
    }
    default:
      out_.Put('[');
      AttributeMembers(attribute, type);
      out_.Put(']');
  }
}

void Printer::AttributeMembers(const onnx::AttributeProto& attribute, const AttributeType& type) {
  int index = 0;
  // The reference reads over the members of such a list and forgets them.
  const auto messages = [&](const auto& members, std::string_view field, auto print) {
    if (!members.empty()) losses_.Add(field, "the members of this list");
    out_.List(members, ", ", [&](const auto& member) {
      const Path::Scope at(losses_.path(), field, index++);
      print(member);
    });
  };
  switch (type.code) {
    case onnx::AttributeProto::FLOATS: return Floats(attribute.floats(), ", ", "floats");
    case onnx::AttributeProto::INTS:
      return out_.List(attribute.ints(), ", ", [&](std::int64_t value) { out_.Number(value); });
    case onnx::AttributeProto::STRINGS:
      return out_.List(attribute.strings(), ", ", [&](const std::string& value) { out_.String(value); });
    case onnx::AttributeProto::TENSORS:
      return messages(attribute.tensors(), "tensors",
                      [&](const onnx::TensorProto& tensor) { Tensor(tensor, TensorRole::kElsewhere); });
    case onnx::AttributeProto::GRAPHS:
      return messages(attribute.graphs(), "graphs", [&](const onnx::GraphProto& graph) { Subgraph(graph); });
    case onnx::AttributeProto::TYPE_PROTOS:
      return messages(attribute.type_protos(), "type_protos", [&](const onnx::TypeProto& member) { Type(member); });
    default: return;  // sparse tensors: an empty list
  }
}

void Printer::Subgraph(const onnx::GraphProto& graph) {
  out_.Indent(3);
  Graph(graph, GraphRole::kAttribute);
  out_.Outdent(3);
}

// An empty list of the type keeps the attribute's place and says of its value nothing that is not so.
void Printer::NoValue(const AttributeType& type) {
  out_.Put(": ");
  out_.Put(type.is_list ? type.keyword : kAttributeTypes[static_cast<std::size_t>(type.other)].keyword);
  out_.Put(" = []");
}

}  // namespace onnxc::print
