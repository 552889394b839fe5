// Prints attributes.
#include "print/lossless/printer.h"

namespace onnxc::print {
namespace {

using google::protobuf::RepeatedPtrField;
using Kind = AttributeForm::Kind;

bool HoldsMessages(const AttributeType& type) { return type.is_message || FindAttributeType(type.other)->is_message; }

}  // namespace

void LosslessPrinter::Whole(const onnx::AttributeProto& attribute) {
  depth_ = -1;  // Attribute() counts the attribute itself
  Top(ChooseScope(attribute), {});
  Attribute(attribute);
}

void LosslessPrinter::Attribute(const onnx::AttributeProto& attribute) {
  const DepthGuard guard(*this);
  if (!guard) return RecordInPlace(onnx::AttributeProto());
  const AttributeForm form = FormOf(attribute);
  if (form.kind == Kind::kRecord) return RecordInPlace(attribute);

  const ClauseScope outer = scope_;
  FieldSet carried = kCarried<onnx::AttributeProto>;
  if (form.kind == Kind::kValue) carried |= Fields(form.type->field);
  Rest rest = RestOf(attribute, carried, form);
  if (form.kind == Kind::kValue && HoldsMessages(*form.type)) AddClausesInside(attribute, *form.type, &rest);
  Before(attribute, rest, Style::kInline);
  out_.Name(attribute.name());
  if (form.kind == Kind::kReference) {
    if (form.type != nullptr) {
      out_.Put(": ");
      out_.Put(form.type->keyword);
    }
    out_.Put(" = @");
    out_.Name(attribute.ref_attr_name());
  } else {
    AttributeValue(attribute, *form.type);
  }
  scope_ = outer;
}

// A pragma cannot come before a tensor or graph inside of an attribute, so its clauses are written before the
// attribute, and apply to all members. They are chosen for the first member that needs clauses; members that need other
// clauses get annotations or are written as records.
void LosslessPrinter::AddClausesInside(const onnx::AttributeProto& attribute, const AttributeType& type, Rest* rest) {
  const auto add = [&](Row row, bool written, bool present, bool is_default) {
    if (scope_.Expects(row, written, is_default) == present) return;
    scope_[row] = present ? Presence::kSet : Presence::kUnset;
    rest->clauses.push_back({present, NameOf(row).message, NameOf(row).field});
  };
  const std::size_t outside = rest->clauses.size();
  const auto is_settled = [&] { return rest->clauses.size() > outside || !rest->storage.empty(); };
  const auto tensor = [&](const onnx::TensorProto& member) {
    const TensorForm form = FormOf(member);
    if (form.type == nullptr || is_settled()) return;
    if (form.fits_raw != form.fits_typed && form.fits_raw != scope_.raw) {
      scope_.raw = form.fits_raw;
      rest->storage.push_back(form.fits_raw ? "raw" : "typed");
    }
    VisitRows(member, form, TensorRole::kElsewhere, add);
  };
  const auto sparse = [&](const onnx::SparseTensorProto& member) { tensor(member.values()); };
  const auto graph = [&](const onnx::GraphProto& member) {
    if (!is_settled()) VisitRows(member, add);
  };
  const auto none = [](const auto&) {};
  VisitValue(
      attribute, type.kind(),
      Overloaded{
          tensor, sparse, graph,
          [&](const RepeatedPtrField<onnx::TensorProto>& members) { std::ranges::for_each(members, tensor); },
          [&](const RepeatedPtrField<onnx::SparseTensorProto>& members) { std::ranges::for_each(members, sparse); },
          [&](const RepeatedPtrField<onnx::GraphProto>& members) { std::ranges::for_each(members, graph); }, none});
}

bool LosslessPrinter::SaysItsType(const onnx::AttributeProto& attribute, const AttributeType& type) {
  const auto all = [&](const auto& members) {
    return !members.empty() && std::ranges::all_of(members, [&](const auto& member) { return IsNative(member); });
  };
  const auto sparse = [&](const onnx::SparseTensorProto& tensor) { return IsNative(tensor, TensorRole::kElsewhere); };
  switch (type.kind()) {
    case AttributeKind::kFloat:
    case AttributeKind::kInt:
    case AttributeKind::kString: return true;
    case AttributeKind::kTensor: return IsNative(attribute.t());
    case AttributeKind::kGraph: return IsNative(attribute.g());
    case AttributeKind::kTypeProto: return IsNative(attribute.tp());
    case AttributeKind::kSparseTensor: return sparse(attribute.sparse_tensor());
    case AttributeKind::kTensors: return all(attribute.tensors());
    case AttributeKind::kGraphs: return all(attribute.graphs());
    case AttributeKind::kTypeProtos: return all(attribute.type_protos());
    case AttributeKind::kSparseTensors:
      return !attribute.sparse_tensors().empty() && std::ranges::all_of(attribute.sparse_tensors(), sparse);
    case AttributeKind::kFloats:
    case AttributeKind::kInts:
    case AttributeKind::kStrings: return HasValue(attribute, type);
  }
  return false;
}

void LosslessPrinter::AttributeValue(const onnx::AttributeProto& attribute, const AttributeType& type) {
  if (!SaysItsType(attribute, type)) {
    out_.Put(": ");
    out_.Put(type.keyword);
  }
  out_.Put(" = ");
  const auto members = [&](const auto& list, const auto& write) {
    out_.Put('[');
    out_.List(list, write);
    out_.Put(']');
  };
  VisitValue(attribute, type.kind(),
             Overloaded{[&](float value) { out_.FloatLiteral(value); }, [&](std::int64_t value) { out_.Number(value); },
                        [&](const std::string& value) { out_.String(value); },
                        [&](const google::protobuf::RepeatedField<float>& list) {
                          bool first = true;
                          members(list, [&](float value) {
                            std::exchange(first, false) ? out_.FloatLiteral(value) : out_.Number(value);
                          });
                        },
                        [&](const google::protobuf::RepeatedField<std::int64_t>& list) {
                          members(list, [&](std::int64_t value) { out_.Number(value); });
                        },
                        [&](const RepeatedPtrField<std::string>& list) {
                          members(list, [&](const std::string& value) { out_.String(value); });
                        },
                        [&]<typename Proto>(const RepeatedPtrField<Proto>& list) {
                          members(list, [&](const Proto& member) { Member(member); });
                        },
                        [&]<typename Proto>(const Proto& message) { Member(message); }});
}

// Prints a value or a member of a list: in its native form, or as an inline record.
void LosslessPrinter::Member(const onnx::TensorProto& tensor) {
  const DepthGuard guard(*this);
  IsNative(tensor) ? Tensor(tensor) : RecordInPlace(tensor);
}
void LosslessPrinter::Member(const onnx::SparseTensorProto& tensor) {
  const DepthGuard guard(*this);
  IsNative(tensor, TensorRole::kElsewhere) ? SparseTensor(tensor, TensorRole::kElsewhere) : RecordInPlace(tensor);
}
void LosslessPrinter::Member(const onnx::GraphProto& graph) {
  const DepthGuard guard(*this);
  IsNative(graph) ? Graph(graph) : RecordInPlace(graph);
}
void LosslessPrinter::Member(const onnx::TypeProto& type) {
  const DepthGuard guard(*this);
  Type(type);
}

}  // namespace onnxc::print
