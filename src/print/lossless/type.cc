// Prints types and shapes.
#include "print/lossless/printer.h"

namespace onnxc::print {
namespace {

using TypeProto = onnx::TypeProto;

bool IsElement(bool is_set, int code) { return is_set && FindElementType(code) != nullptr; }

}  // namespace

void LosslessPrinter::Whole(const onnx::TypeProto& type) { Type(type); }

void LosslessPrinter::Whole(const onnx::TensorShapeProto& shape) {
  IsWhole(shape, kCarried<onnx::TensorShapeProto>) ? Dims(shape) : Record(shape);
}

template <typename Proto>
bool LosslessPrinter::IsNativeTensorType(const Proto& type) {
  return IsElement(type.has_elem_type(), type.elem_type()) && IsWhole(type, kCarried<Proto>) &&
         (!type.has_shape() || IsWhole(type.shape(), kCarried<onnx::TensorShapeProto>));
}

// The types inside may be records, so only the type's own fields are tested.
bool LosslessPrinter::IsNative(const onnx::TypeProto& type) {
  switch (type.value_case()) {
    case TypeProto::kTensorType: return IsNativeTensorType(type.tensor_type());
    case TypeProto::kSparseTensorType: return IsNativeTensorType(type.sparse_tensor_type());
    case TypeProto::kSequenceType:
      return type.sequence_type().has_elem_type() && IsWhole(type.sequence_type(), kCarried<TypeProto::Sequence>);
    case TypeProto::kOptionalType:
      return type.optional_type().has_elem_type() && IsWhole(type.optional_type(), kCarried<TypeProto::Optional>);
    case TypeProto::kMapType:
      return IsElement(type.map_type().has_key_type(), type.map_type().key_type()) &&
             type.map_type().has_value_type() && IsWhole(type.map_type(), kCarried<TypeProto::Map>);
    case TypeProto::kOpaqueType:
      return (type.opaque_type().has_name() || !type.opaque_type().has_domain()) &&
             IsWhole(type.opaque_type(), kCarried<TypeProto::Opaque>);
    case TypeProto::VALUE_NOT_SET: break;
  }
  return false;
}

void LosslessPrinter::Type(const onnx::TypeProto& type) {
  if (!IsNative(type)) return RecordInPlace(type);
  Rest rest = RestWithoutRows(type, kCarried<onnx::TypeProto>);
  ClausesToFields(type, &rest);
  Before(type, rest, Style::kInline);
  TypeItself(type);
}

void LosslessPrinter::TypeItself(const onnx::TypeProto& type) {
  const auto inner = [&](const onnx::TypeProto& element) {
    const DepthGuard guard(*this, 2);
    guard ? Type(element) : out_.Put("opaque()");
  };
  switch (type.value_case()) {
    case TypeProto::kTensorType: return TensorType(type.tensor_type());
    case TypeProto::kSparseTensorType:
      out_.Put("sparse_tensor(");
      TensorType(type.sparse_tensor_type());
      break;
    case TypeProto::kSequenceType:
      out_.Put("seq(");
      inner(type.sequence_type().elem_type());
      break;
    case TypeProto::kOptionalType:
      out_.Put("optional(");
      inner(type.optional_type().elem_type());
      break;
    case TypeProto::kMapType:
      out_.Put("map(");
      out_.Put(FindElementType(type.map_type().key_type())->keyword);
      out_.Put(", ");
      inner(type.map_type().value_type());
      break;
    default: out_.Put("opaque("); OpaqueNames(type.opaque_type());
  }
  out_.Put(')');
}

template <typename Proto>
void LosslessPrinter::TensorType(const Proto& type) {
  const DepthGuard guard(*this, 1 + (type.has_shape() ? 1 : 0) + (type.shape().dim().empty() ? 0 : 1));
  out_.Put(FindElementType(type.elem_type())->keyword);
  if (!type.has_shape()) return out_.Put("[]");
  if (type.shape().dim().empty()) return;
  out_.Put('[');
  Dims(type.shape());
  out_.Put(']');
}

void LosslessPrinter::OpaqueNames(const onnx::TypeProto::Opaque& opaque) {
  const DepthGuard guard(*this);
  if (opaque.has_domain()) {
    DottedName(opaque.domain());
    out_.Put(", ");
  }
  if (!opaque.has_name()) return;
  opaque.has_domain() ? out_.Name(opaque.name()) : DottedName(opaque.name());
}

void LosslessPrinter::Dims(const onnx::TensorShapeProto& shape) {
  out_.List(shape.dim(), [&](const onnx::TensorShapeProto::Dimension& dim) { Dim(dim); });
}

void LosslessPrinter::Dim(const onnx::TensorShapeProto::Dimension& dim) {
  Rest rest = RestWithoutRows(dim, kCarried<onnx::TensorShapeProto::Dimension>);
  ClausesToFields(dim, &rest);
  Before(dim, rest, Style::kInline);
  switch (dim.value_case()) {
    case onnx::TensorShapeProto::Dimension::kDimValue: return out_.Number(dim.dim_value());
    case onnx::TensorShapeProto::Dimension::kDimParam: return out_.Name(dim.dim_param());
    case onnx::TensorShapeProto::Dimension::VALUE_NOT_SET: break;
  }
  out_.Put('?');  // also if a newer schema has other kinds of values
}

}  // namespace onnxc::print
