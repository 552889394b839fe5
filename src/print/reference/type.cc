// Prints types and shapes. A type for which the dialect has no syntax is replaced by `opaque()`, a type about which
// nothing is known.
#include "print/reference/printer.h"

namespace onnxc::print {

void Printer::Type(const onnx::TypeProto& type) {
  if (TooDeep(type)) {
    losses_.Add("", "types that are nested so deeply");
    return out_.Put("opaque()");
  }
  Others(type);
  switch (type.value_case()) {
    case onnx::TypeProto::kTensorType: {
      const Path::Scope at(losses_.path(), "tensor_type");
      return TensorType(type.tensor_type(), "", "");
    }
    case onnx::TypeProto::kSparseTensorType: {
      const Path::Scope at(losses_.path(), "sparse_tensor_type");
      return TensorType(type.sparse_tensor_type(), "sparse_tensor(", ")");
    }
    case onnx::TypeProto::kSequenceType: {
      const Path::Scope at(losses_.path(), "sequence_type");
      return ContainerType(type.sequence_type(), "seq(");
    }
    case onnx::TypeProto::kOptionalType: {
      const Path::Scope at(losses_.path(), "optional_type");
      return ContainerType(type.optional_type(), "optional(");
    }
    case onnx::TypeProto::kMapType: {
      const Path::Scope at(losses_.path(), "map_type");
      return MapType(type.map_type());
    }
    case onnx::TypeProto::kOpaqueType: {
      const Path::Scope at(losses_.path(), "opaque_type");
      return OpaqueType(type.opaque_type());
    }
    case onnx::TypeProto::VALUE_NOT_SET: break;
  }
  losses_.Add("", "a type without any field");
  out_.Put("opaque()");
}

const ElementType* Printer::Element(int code, std::string_view field) {
  const ElementType* type = FindElementType(code);
  if (type == nullptr) losses_.Add(field, "the element type {}", code);
  return type;
}

template <typename Proto>
void Printer::TensorType(const Proto& type, std::string_view before, std::string_view after) {
  Others(type);
  const ElementType* element = Element(type.elem_type(), "elem_type");
  if (element == nullptr) return out_.Put("opaque()");
  out_.Put(before);
  out_.Put(element->keyword);
  if (!type.has_shape() || !type.shape().dim().empty()) out_.Put('[');
  if (type.has_shape()) {
    const Path::Scope at(losses_.path(), "shape");
    Dims(type.shape());
  }
  if (!type.has_shape() || !type.shape().dim().empty()) out_.Put(']');
  out_.Put(after);
}

template <typename Proto>
void Printer::ContainerType(const Proto& type, std::string_view before) {
  Others(type);
  out_.Put(before);
  ElementOf(type.has_elem_type(), type.elem_type(), "elem_type");
  out_.Put(')');
}

void Printer::MapType(const onnx::TypeProto::Map& map) {
  Others(map);
  const ElementType* key = Element(map.key_type(), "key_type");
  if (key == nullptr) return out_.Put("opaque()");
  out_.Put("map(");
  out_.Put(key->keyword);
  out_.Put(", ");
  ElementOf(map.has_value_type(), map.value_type(), "value_type");
  out_.Put(')');
}

void Printer::ElementOf(bool is_set, const onnx::TypeProto& type, std::string_view field) {
  if (!is_set) {
    losses_.Add(field, "a value without a type");
    return out_.Put("opaque()");
  }
  const Path::Scope at(losses_.path(), field);
  Type(type);
}

void Printer::OpaqueType(const onnx::TypeProto::Opaque& opaque) {
  Others(opaque);
  out_.Put("opaque(");
  if (opaque.name().empty()) {
    if (!opaque.domain().empty()) losses_.Add("domain", "the domain of an opaque type without a name");
  } else if (opaque.domain().empty()) {
    DottedName(opaque.name(), "name");
  } else {
    DottedName(opaque.domain(), "domain");
    out_.Put(',');
    Identifier(opaque.name(), "name");
  }
  out_.Put(')');
}

void Printer::Dims(const onnx::TensorShapeProto& shape) {
  int index = 0;
  Others(shape);
  out_.List(shape.dim(), ",", [&](const onnx::TensorShapeProto::Dimension& dim) {
    const Path::Scope at(losses_.path(), "dim", index++);
    Dim(dim);
  });
}

void Printer::Dim(const onnx::TensorShapeProto::Dimension& dim) {
  Others(dim);
  switch (dim.value_case()) {
    case onnx::TensorShapeProto::Dimension::kDimValue: return out_.Number(dim.dim_value());
    case onnx::TensorShapeProto::Dimension::kDimParam: return out_.Name(dim.dim_param());
    case onnx::TensorShapeProto::Dimension::VALUE_NOT_SET: break;
  }
  out_.Put('?');  // also if a newer schema has other kinds of values
}

void Printer::LoneShape(const onnx::TensorShapeProto& shape) {
  Dims(shape);
  if (!shape.dim().empty()) return;
  losses_.Add("", "a separate shape without dimensions");
  out_.Put('?');
}

}  // namespace onnxc::print
