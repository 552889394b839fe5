// Prints attributes.
#include "print/reference/printer.h"

namespace onnxc::print {
namespace {

/// Returns whether the attribute is a reference. A reference that is present but empty counts only if there is no
/// value.
bool IsReference(const onnx::AttributeProto& attribute) {
  return attribute.has_ref_attr_name() && (!attribute.ref_attr_name().empty() || TypeOfValue(attribute) == nullptr);
}

}  // namespace

bool Printer::IsUnspeakable(const onnx::AttributeProto& attribute, const AttributeType& type) {
  const bool has_value = HasValue(attribute, type);
  switch (type.kind()) {
    case AttributeKind::kSparseTensor: losses_.Add("sparse_tensor", "a sparse tensor"); return true;
    case AttributeKind::kSparseTensors:
      if (has_value) losses_.Add("sparse_tensors", "sparse tensors");
      return has_value;
    case AttributeKind::kGraph:
      if (!has_value || !TooDeep(attribute)) break;
      losses_.Add("g", "graphs that are nested so deeply");
      return true;
    case AttributeKind::kGraphs:
      if (!has_value || !TooDeep(attribute)) return false;
      losses_.Add("graphs", "graphs that are nested so deeply");
      return true;
    case AttributeKind::kTensor:
    case AttributeKind::kTypeProto: break;
    case AttributeKind::kFloat:  // the absence of a number, string or list means its default
    case AttributeKind::kInt:
    case AttributeKind::kString:
    case AttributeKind::kFloats:
    case AttributeKind::kInts:
    case AttributeKind::kStrings:
    case AttributeKind::kTensors:
    case AttributeKind::kTypeProtos: return false;
  }
  if (!has_value) losses_.Add("type", "an attribute of type {} without a value", type.keyword);
  return !has_value;
}

// `type` is the type of the value that is written, or null.
void Printer::Others(const onnx::AttributeProto& attribute, const AttributeType* type) {
  using Kind = AttributeForm::Kind;
  if (is_known_schema_ && IsBare(attribute, {type == nullptr ? Kind::kReference : Kind::kValue, type})) return;
  losses_.AddOthers(attribute, kCarried<onnx::AttributeProto> | (type == nullptr ? 0 : Fields(type->field)));
}

void Printer::Attribute(const onnx::AttributeProto& attribute, AttributeRole place) {
  const bool is_reference = IsReference(attribute);
  const AttributeType* type = FindAttributeType(attribute.type());
  if (type == nullptr && !is_reference) {
    losses_.Add("type", "an attribute without a type");
    type = TypeOfValue(attribute);
    if (type == nullptr) type = &kAttributeTypes[onnx::AttributeProto::INTS];
  }
  Others(attribute, is_reference ? nullptr : type);

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
  switch (type.kind()) {
    case AttributeKind::kFloat:
      if (!out_.Number(attribute.f())) losses_.Add("f", "the payload of a NaN");
      return;
    case AttributeKind::kInt: return out_.Number(attribute.i());
    case AttributeKind::kString: return out_.String(attribute.s());
    case AttributeKind::kTensor: {
      const Path::Scope at(losses_.path(), "t");
      return Tensor(attribute.t(), TensorRole::kElsewhere);
    }
    case AttributeKind::kGraph: {
      const Path::Scope at(losses_.path(), "g");
      return Subgraph(attribute.g());
    }
    case AttributeKind::kTypeProto: {
      const Path::Scope at(losses_.path(), "tp");
      return Type(attribute.tp());
    }
    case AttributeKind::kSparseTensor: return;  // reported by IsUnspeakable()
    case AttributeKind::kFloats:
    case AttributeKind::kInts:
    case AttributeKind::kStrings:
    case AttributeKind::kTensors:
    case AttributeKind::kGraphs:
    case AttributeKind::kTypeProtos:
    case AttributeKind::kSparseTensors:
      out_.Put('[');
      AttributeMembers(attribute, type);
      out_.Put(']');
  }
}

void Printer::AttributeMembers(const onnx::AttributeProto& attribute, const AttributeType& type) {
  int index = 0;
  // The reference's parser reads the members of such a list but does not keep them.
  const auto messages = [&](const auto& members, std::string_view field, auto print) {
    if (!members.empty()) losses_.Add(field, "the members of this list");
    out_.List(members, ", ", [&](const auto& member) {
      const Path::Scope at(losses_.path(), field, index++);
      print(member);
    });
  };
  switch (type.kind()) {
    case AttributeKind::kFloats: return Floats(attribute.floats(), ", ", "floats");
    case AttributeKind::kInts: return (void)out_.Numbers(attribute.ints(), ", ", threads_);
    case AttributeKind::kStrings:
      return out_.List(attribute.strings(), ", ", [&](const std::string& value) { out_.String(value); });
    case AttributeKind::kTensors:
      return messages(attribute.tensors(), "tensors",
                      [&](const onnx::TensorProto& tensor) { Tensor(tensor, TensorRole::kElsewhere); });
    case AttributeKind::kGraphs:
      return messages(attribute.graphs(), "graphs", [&](const onnx::GraphProto& graph) { Subgraph(graph); });
    case AttributeKind::kTypeProtos:
      return messages(attribute.type_protos(), "type_protos", [&](const onnx::TypeProto& member) { Type(member); });
    case AttributeKind::kSparseTensors:  // IsUnspeakable() reports a list with members
    case AttributeKind::kFloat:
    case AttributeKind::kInt:
    case AttributeKind::kString:
    case AttributeKind::kTensor:
    case AttributeKind::kGraph:
    case AttributeKind::kSparseTensor:
    case AttributeKind::kTypeProto: return;
  }
}

void Printer::Subgraph(const onnx::GraphProto& graph) {
  out_.Indent(3);
  Graph(graph, GraphRole::kAttribute);
  out_.Outdent(3);
}

// Prints an attribute without a value as an empty list of the type. So the attribute keeps its place, and no value is
// invented.
void Printer::NoValue(const AttributeType& type) {
  out_.Put(": ");
  out_.Put(type.is_list ? type.keyword : kAttributeTypes[static_cast<std::size_t>(type.other)].keyword);
  out_.Put(" = []");
}

}  // namespace onnxc::print
