// Prints tensors: typed and raw data, and references to external data.
#include <optional>
#include <type_traits>

#include "print/reference/printer.h"
#include "tables/data_fields.h"
#include "tables/element_count.h"
#include "tables/raw_elements.h"

namespace onnxc::print {
namespace {

/// Returns the size that raw data should have, or nothing if it cannot be computed.
std::optional<std::int64_t> RawSize(const onnx::TensorProto& tensor, const ElementType& type) {
  const std::optional<std::int64_t> elements = Product(tensor.dims());
  return elements ? ByteSize(type, *elements) : std::nullopt;
}

bool HoldsExternalData(const onnx::TensorProto& tensor) {
  return tensor.data_location() == onnx::TensorProto::EXTERNAL && !tensor.external_data().empty();
}

bool HoldsRawData(const onnx::TensorProto& tensor, const ElementType& type) {
  return !tensor.raw_data().empty() && type.bits != 0;
}

}  // namespace

void Printer::Tensor(const onnx::TensorProto& tensor, TensorRole place) {
  const ElementType* type = Element(tensor.data_type(), "data_type");
  const bool is_external = HoldsExternalData(tensor);
  int data_field = onnx::TensorProto::kExternalDataFieldNumber;
  if (!is_external) {
    if (tensor.data_location() == onnx::TensorProto::EXTERNAL) {
      losses_.Add("data_location", "EXTERNAL without external_data");
    }
    data_field = type == nullptr               ? 0
                 : HoldsRawData(tensor, *type) ? onnx::TensorProto::kRawDataFieldNumber
                                               : FieldOf(type->storage);
  }
  losses_.AddOthers(tensor, kCarried<onnx::TensorProto> | Fields(data_field));

  // A tensor whose type has no keyword is printed as a tensor of floats without its data.
  out_.Put(type == nullptr ? kElementTypes[onnx::TensorProto::FLOAT].keyword : type->keyword);
  if (!tensor.dims().empty()) {
    out_.Put('[');
    out_.List(tensor.dims(), ",", [&](std::int64_t dim) { out_.Number(dim); });
    out_.Put(']');
  }
  TensorName(tensor, place);
  if (is_external) return Pairs(tensor.external_data(), "external_data");
  if (type == nullptr) return out_.Put(" {}");
  TensorData(tensor, *type);
}

void Printer::TensorName(const onnx::TensorProto& tensor, TensorRole place) {
  if (place == TensorRole::kInitializer) {
    out_.Put(' ');
    out_.Name(tensor.name());
    return out_.Put(" = ");
  }
  if (syntax::IsIdentifier(tensor.name())) {
    out_.Put(' ');
    return out_.Put(tensor.name());
  }
  if (!tensor.name().empty()) {
    losses_.Add("name", "the name '{}' of a tensor that is not an initializer", Quoted(tensor.name()));
  }
  // The '=' is needed, because a bracket directly after a type without a shape would be read as the shape.
  if (HoldsExternalData(tensor)) out_.Put(" = ");
}

void Printer::TensorData(const onnx::TensorProto& tensor, const ElementType& type) {
  out_.Put(type.storage == Storage::kString ? "{" : " {");
  if (HoldsRawData(tensor, type)) {
    RawData(tensor, type);
  } else {
    TypedData(tensor, type);
  }
  out_.Put('}');
}

void Printer::TypedData(const onnx::TensorProto& tensor, const ElementType& type) {
  const auto integers = [&](const auto& values) { (void)out_.Numbers(values, ",", threads_); };
  switch (type.storage) {
    case Storage::kInt32: return integers(tensor.int32_data());
    case Storage::kInt64: return integers(tensor.int64_data());
    case Storage::kUint64: return integers(tensor.uint64_data());
    case Storage::kFloat: return Floats(tensor.float_data(), ",", "float_data");
    case Storage::kDouble: return Floats(tensor.double_data(), ",", "double_data");
    case Storage::kString:
      return out_.List(tensor.string_data(), ", ", [&](const std::string& value) { out_.String(value); });
    case Storage::kNone: return;
  }
}

void Printer::RawData(const onnx::TensorProto& tensor, const ElementType& type) {
  const std::string_view raw = tensor.raw_data();
  const std::optional<std::int64_t> size = RawSize(tensor, type);
  if (!size) losses_.Add("raw_data", "data whose size cannot be computed from the dimensions");
  if (size && static_cast<std::uint64_t>(*size) != raw.size())
    losses_.AddWrong("raw_data", "{} bytes of data where {} are needed", raw.size(), *size);

  const auto integers = [&]<typename Element>(std::type_identity<Element>) {
    (void)out_.Numbers(RawElements<Element>(raw), ",", threads_);
  };
  const bool is_signed = type.literal == Literal::kInteger && type.is_signed;
  switch (type.storage) {
    case Storage::kFloat: return Floats(RawElements<float>(raw), ",", "raw_data");
    case Storage::kDouble: return Floats(RawElements<double>(raw), ",", "raw_data");
    case Storage::kInt64: return integers(std::type_identity<std::int64_t>());
    case Storage::kUint64:
      return type.bits == 32 ? integers(std::type_identity<std::uint32_t>())
                             : integers(std::type_identity<std::uint64_t>());
    case Storage::kInt32: break;
    case Storage::kString:
    case Storage::kNone: return;
  }
  switch (type.bits) {
    case 32: return integers(std::type_identity<std::int32_t>());
    case 16:
      return is_signed ? integers(std::type_identity<std::int16_t>()) : integers(std::type_identity<std::uint16_t>());
    case 8:
      return is_signed ? integers(std::type_identity<std::int8_t>()) : integers(std::type_identity<std::uint8_t>());
    default: return integers(std::type_identity<std::uint8_t>());  // packed elements: one number for each byte
  }
}

}  // namespace onnxc::print
