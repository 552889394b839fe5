#include "weights/tensors.h"

#include <google/protobuf/descriptor.h>

#include <bit>
#include <limits>
#include <type_traits>
#include <unordered_set>

#include "check/tensor_size.h"
#include "tables/element_types.h"

namespace onnxc {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using Visitor = std::function<void(onnx::TensorProto*, const Place&)>;

static_assert(std::endian::native == std::endian::little, "data are written as they stand in memory");

/// The messages that a tensor may stand in, at any depth.
const std::unordered_set<const Descriptor*>& Holders() {
  static const std::unordered_set<const Descriptor*> holders = [] {
    std::unordered_set<const Descriptor*> found = {onnx::TensorProto::descriptor()};
    const auto* file = onnx::ModelProto::descriptor()->file();
    for (std::size_t before = 0; before != found.size();) {
      before = found.size();
      for (int i = 0; i < file->message_type_count(); ++i) {
        const Descriptor* type = file->message_type(i);
        for (int k = 0; k < type->field_count(); ++k) {
          if (found.contains(type->field(k)->message_type())) found.insert(type);
        }
      }
    }
    return found;
  }();
  return holders;
}

void Visit(Message* message, const Place& place, const Visitor& visitor) {
  if (message->GetDescriptor() == onnx::TensorProto::descriptor()) {
    return visitor(static_cast<onnx::TensorProto*>(message), place);
  }
  const auto* reflection = message->GetReflection();
  for (int k = 0; k < message->GetDescriptor()->field_count(); ++k) {
    const FieldDescriptor* field = message->GetDescriptor()->field(k);
    if (field->message_type() == nullptr || !Holders().contains(field->message_type())) continue;
    const bool is_list = field->is_repeated();
    const int count = is_list ? reflection->FieldSize(*message, field) : reflection->HasField(*message, field) ? 1 : 0;
    for (int i = 0; i < count; ++i) {
      Message* child =
          is_list ? reflection->MutableRepeatedMessage(message, field, i) : reflection->MutableMessage(message, field);
      Visit(child, place.Child(*child, field->number(), i), visitor);
    }
  }
}

/// The entries of a typed field, each as `bytes` bytes; false where one has more.
template <typename Number>
bool Pack(const google::protobuf::RepeatedField<Number>& values, std::size_t bytes, bool is_signed, std::string* raw) {
  raw->reserve(bytes * static_cast<std::size_t>(values.size()));
  for (const Number value : values) {
    if constexpr (std::is_integral_v<Number>) {
      if (bytes < sizeof(Number)) {
        const Number half = static_cast<Number>(Number{1} << (8 * bytes - 1));
        const bool fits = is_signed ? value >= -half && value < half : value >= 0 && value / 2 < half;
        if (!fits) return false;
      }
    }
    raw->append(reinterpret_cast<const char*>(&value), bytes);
  }
  return true;
}

bool PackData(const onnx::TensorProto& tensor, const ElementType& type, std::string* raw) {
  const auto bits = static_cast<std::size_t>(type.bits);
  const bool is_signed = type.is_signed && type.literal == Literal::kInteger && bits >= 8;
  switch (type.storage) {
    case Storage::kInt32: return Pack(tensor.int32_data(), bits < 8 ? 1 : bits / 8, is_signed, raw);
    case Storage::kInt64: return Pack(tensor.int64_data(), sizeof(std::int64_t), true, raw);
    case Storage::kUint64: return Pack(tensor.uint64_data(), bits / 8, false, raw);
    case Storage::kFloat: return Pack(tensor.float_data(), sizeof(float), true, raw);
    case Storage::kDouble: return Pack(tensor.double_data(), sizeof(double), true, raw);
    case Storage::kString:
    case Storage::kNone: break;
  }
  return false;
}

}  // namespace

void ForEachTensor(Message* message, const Visitor& visitor) { Visit(message, Place{*message}, visitor); }

bool IsPartOfSparse(const Place& place) {
  return place.parent != nullptr && place.parent->message.GetDescriptor() == onnx::SparseTensorProto::descriptor();
}

bool IsExternal(const onnx::TensorProto& tensor) { return tensor.data_location() == onnx::TensorProto::EXTERNAL; }

std::optional<std::uint64_t> DataSize(const onnx::TensorProto& tensor) {
  const ElementType* type = FindElementType(tensor.data_type());
  if (type == nullptr || type->bits == 0) return std::nullopt;
  std::int64_t elements = 1;
  for (const std::int64_t dim : tensor.dims()) {
    const auto product = dim < 0 ? std::nullopt : Multiply(elements, dim);
    if (!product.has_value()) return std::nullopt;
    elements = *product;
  }
  return ByteSize(*type, elements);
}

std::optional<std::string_view> RawBytes(const onnx::TensorProto& tensor, std::string* scratch) {
  const std::optional<std::uint64_t> size = DataSize(tensor);
  if (!size.has_value()) return std::nullopt;
  if (tensor.raw_data().size() == *size) return tensor.raw_data();
  scratch->clear();
  if (!tensor.raw_data().empty() || !PackData(tensor, *FindElementType(tensor.data_type()), scratch)) {
    return std::nullopt;
  }
  if (scratch->size() != *size) return std::nullopt;
  return *scratch;
}

}  // namespace onnxc
