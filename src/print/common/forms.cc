#include "print/common/forms.h"

#include <algorithm>
#include <functional>

#include "tables/raw_data.h"

namespace onnxc::print {
namespace {

/// Returns whether the entry can be written as `key: value`. In a newer schema, an entry may have more fields than
/// these two.
bool IsPair(const onnx::StringStringEntryProto& entry) {
  return entry.GetDescriptor()->field_count() == 2 && entry.has_key() && entry.has_value() &&
         entry.GetReflection()->GetUnknownFields(entry).empty();
}

}  // namespace

AttributeForm FormOf(const onnx::AttributeProto& attribute) {
  using Kind = AttributeForm::Kind;
  const AttributeType* type = FindAttributeType(attribute.type());
  const bool is_typeless = type == nullptr && attribute.type() == onnx::AttributeProto::UNDEFINED;
  if (attribute.has_ref_attr_name() && (!attribute.ref_attr_name().empty() || TypeOfValue(attribute) == nullptr)) {
    return {is_typeless || type != nullptr ? Kind::kReference : Kind::kRecord, type};
  }
  if (!attribute.has_type()) type = TypeOfValue(attribute);
  if (type == nullptr || (type->is_message && !HasValue(attribute, *type))) return {};
  return {Kind::kValue, type};
}

TensorForm FormOf(const onnx::TensorProto& tensor) {
  TensorForm form{.type = FindElementType(tensor.data_type())};
  if (form.type == nullptr) return form;
  form.is_external = tensor.data_location() == onnx::TensorProto::EXTERNAL && !tensor.external_data().empty() &&
                     std::ranges::all_of(tensor.external_data(), IsPair);
  if (form.is_external || form.type->storage == Storage::kString) return form;
  const auto bytes = static_cast<std::size_t>(std::max(form.type->bits, 8)) / 8;
  form.fits_raw = !tensor.raw_data().empty() && tensor.raw_data().size() % bytes == 0;
  form.fits_typed = CountEntries(tensor, form.type->storage) > 0;
  return form;
}

}  // namespace onnxc::print
