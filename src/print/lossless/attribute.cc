// Attributes.
#include "print/lossless/printer.h"

namespace onnxc::print {
namespace {

using Kind = AttributeForm::Kind;

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
  if (form.kind == Kind::kValue) AddClausesInside(attribute, *form.type, &rest);
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

// No pragma stands before a tensor or graph within an attribute: its clauses stand before the attribute, for all that
// is inside. They follow the first member that needs any; a member that differs is left with annotations or a record.
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
  const auto each = [](const auto& members, const auto& visit) {
    for (const auto& member : members) visit(member);
  };
  switch (type.code) {
    case onnx::AttributeProto::TENSOR: return tensor(attribute.t());
    case onnx::AttributeProto::SPARSE_TENSOR: return sparse(attribute.sparse_tensor());
    case onnx::AttributeProto::GRAPH: return graph(attribute.g());
    case onnx::AttributeProto::TENSORS: return each(attribute.tensors(), tensor);
    case onnx::AttributeProto::SPARSE_TENSORS: return each(attribute.sparse_tensors(), sparse);
    case onnx::AttributeProto::GRAPHS: return each(attribute.graphs(), graph);
    default: return;
  }
}

bool LosslessPrinter::SaysItsType(const onnx::AttributeProto& attribute, const AttributeType& type) {
  const auto all = [&](const auto& members) {
    return !members.empty() && std::ranges::all_of(members, [&](const auto& member) { return IsNative(member); });
  };
  const auto sparse = [&](const onnx::SparseTensorProto& tensor) { return IsNative(tensor, TensorRole::kElsewhere); };
  switch (type.code) {
    case onnx::AttributeProto::TENSOR: return IsNative(attribute.t());
    case onnx::AttributeProto::GRAPH: return IsNative(attribute.g());
    case onnx::AttributeProto::TYPE_PROTO: return IsNative(attribute.tp());
    case onnx::AttributeProto::SPARSE_TENSOR: return sparse(attribute.sparse_tensor());
    case onnx::AttributeProto::TENSORS: return all(attribute.tensors());
    case onnx::AttributeProto::GRAPHS: return all(attribute.graphs());
    case onnx::AttributeProto::TYPE_PROTOS: return all(attribute.type_protos());
    case onnx::AttributeProto::SPARSE_TENSORS:
      return !attribute.sparse_tensors().empty() && std::ranges::all_of(attribute.sparse_tensors(), sparse);
    case onnx::AttributeProto::FLOATS: return !attribute.floats().empty();
    case onnx::AttributeProto::INTS: return !attribute.ints().empty();
    case onnx::AttributeProto::STRINGS: return !attribute.strings().empty();
    default: return true;
  }
}

void LosslessPrinter::AttributeValue(const onnx::AttributeProto& attribute, const AttributeType& type) {
  if (!SaysItsType(attribute, type)) {
    out_.Put(": ");
    out_.Put(type.keyword);
  }
  out_.Put(" = ");
  switch (type.code) {
    case onnx::AttributeProto::FLOAT: return out_.FloatLiteral(attribute.f());
    case onnx::AttributeProto::INT: return out_.Number(attribute.i());
    case onnx::AttributeProto::STRING: return out_.String(attribute.s());
    case onnx::AttributeProto::TENSOR: return Member(attribute.t());
    case onnx::AttributeProto::GRAPH: return Member(attribute.g());
    case onnx::AttributeProto::TYPE_PROTO: return Member(attribute.tp());
    case onnx::AttributeProto::SPARSE_TENSOR: return Member(attribute.sparse_tensor());
    default:
      out_.Put('[');
      AttributeMembers(attribute, type);
      out_.Put(']');
  }
}

void LosslessPrinter::AttributeMembers(const onnx::AttributeProto& attribute, const AttributeType& type) {
  const auto member = [&](const auto& value) { Member(value); };
  switch (type.code) {
    case onnx::AttributeProto::FLOATS: {
      bool first = true;
      return out_.List(attribute.floats(), [&](float value) {
        std::exchange(first, false) ? out_.FloatLiteral(value) : out_.Number(value);
      });
    }
    case onnx::AttributeProto::INTS:
      return out_.List(attribute.ints(), [&](std::int64_t value) { out_.Number(value); });
    case onnx::AttributeProto::STRINGS:
      return out_.List(attribute.strings(), [&](const std::string& value) { out_.String(value); });
    case onnx::AttributeProto::TENSORS: return out_.List(attribute.tensors(), member);
    case onnx::AttributeProto::GRAPHS: return out_.List(attribute.graphs(), member);
    case onnx::AttributeProto::TYPE_PROTOS: return out_.List(attribute.type_protos(), member);
    case onnx::AttributeProto::SPARSE_TENSORS: return out_.List(attribute.sparse_tensors(), member);
    default: return;
  }
}

// A value or a member of a list: natively, or as a record in place.
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
