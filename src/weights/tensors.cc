#include "weights/tensors.h"

#include <google/protobuf/descriptor.h>

#include <unordered_set>

#include "tables/element_count.h"
#include "tables/element_types.h"
#include "tables/raw_data.h"

namespace onnxc {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using Visitor = std::function<void(onnx::TensorProto*, const Place&)>;

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

}  // namespace

void ForEachTensor(Message* message, const Visitor& visitor) { Visit(message, Place{*message}, visitor); }

bool IsPartOfSparse(const Place& place) {
  return place.parent != nullptr && place.parent->message.GetDescriptor() == onnx::SparseTensorProto::descriptor();
}

bool IsExternal(const onnx::TensorProto& tensor) { return tensor.data_location() == onnx::TensorProto::EXTERNAL; }

std::optional<std::uint64_t> DataSize(const onnx::TensorProto& tensor) {
  const ElementType* type = FindElementType(tensor.data_type());
  if (type == nullptr || type->bits == 0) return std::nullopt;
  const std::optional<std::int64_t> elements = Product(tensor.dims());
  if (!elements.has_value()) return std::nullopt;
  return ByteSize(*type, *elements);
}

std::optional<std::string_view> RawBytes(const onnx::TensorProto& tensor, std::string* scratch) {
  const std::optional<std::uint64_t> size = DataSize(tensor);
  if (!size.has_value()) return std::nullopt;
  if (tensor.raw_data().size() == *size) return tensor.raw_data();
  scratch->clear();
  if (!tensor.raw_data().empty() || !AppendRaw(tensor, *FindElementType(tensor.data_type()), scratch)) {
    return std::nullopt;
  }
  if (scratch->size() != *size) return std::nullopt;
  return *scratch;
}

}  // namespace onnxc
