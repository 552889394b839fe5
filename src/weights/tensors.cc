#include "weights/tensors.h"

#include <google/protobuf/descriptor.h>

#include <unordered_map>
#include <vector>

#include "source/plain_node.h"
#include "tables/raw_data.h"

namespace onnxc::weights {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using Visitor = std::function<void(onnx::TensorProto*, const Place&)>;

using Fields = std::vector<const FieldDescriptor*>;

/// Returns, for each message type, the fields that may contain tensors at any depth.
const std::unordered_map<const Descriptor*, Fields>& Holders() {
  static const std::unordered_map<const Descriptor*, Fields> holders = [] {
    std::unordered_map<const Descriptor*, Fields> found;
    const auto* file = onnx::ModelProto::descriptor()->file();
    const auto holds = [&](const Descriptor* type) {
      return type == onnx::TensorProto::descriptor() || found.contains(type);
    };
    for (bool is_new = true; is_new;) {
      is_new = false;
      for (int i = 0; i < file->message_type_count(); ++i) {
        const Descriptor* type = file->message_type(i);
        Fields fields;
        for (int k = 0; k < type->field_count(); ++k) {
          if (holds(type->field(k)->message_type())) fields.push_back(type->field(k));
        }
        if (fields.empty() || found[type] == fields) continue;
        found[type] = std::move(fields);
        is_new = true;
      }
    }
    return found;
  }();
  return holders;
}

void Visit(Message* message, const Place& place, const Visitor& visitor) {
  const Descriptor* const type = message->GetDescriptor();
  if (type == onnx::TensorProto::descriptor()) return visitor(static_cast<onnx::TensorProto*>(message), place);
  const auto holder = Holders().find(type);
  if (holder == Holders().end()) return;
  const auto* reflection = message->GetReflection();
  for (const FieldDescriptor* field : holder->second) {
    if (field->message_type() == onnx::NodeProto::descriptor()) {  // there are many nodes, and most contain no tensor
      for (int i = 0; const onnx::NodeProto& node : NodesIn(*message)) {
        if (!IsPlainNode(node)) {
          Visit(const_cast<onnx::NodeProto*>(&node), place.Child(node, field->number(), i), visitor);
        }
        ++i;
      }
      continue;
    }
    const bool is_list = field->is_repeated();
    const int count = is_list ? reflection->FieldSize(*message, field) : reflection->HasField(*message, field) ? 1 : 0;
    for (int i = 0; i < count; ++i) {
      // Not MutableMessage(), which writes has-bits: other threads may read the message.
      const Message& child =
          is_list ? reflection->GetRepeatedMessage(*message, field, i) : reflection->GetMessage(*message, field);
      Visit(const_cast<Message*>(&child), place.Child(child, field->number(), i), visitor);
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
