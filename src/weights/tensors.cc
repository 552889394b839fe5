#include "weights/tensors.h"

#include <google/protobuf/descriptor.h>

#include <unordered_set>

#include "tables/raw_data.h"

namespace onnxc::weights {
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

bool CanMoveData(const onnx::TensorProto& tensor) {
  return !IsExternal(tensor) && tensor.external_data().empty() && HasWholeData(tensor);
}

}  // namespace onnxc::weights
