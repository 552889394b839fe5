#include "wire/nesting.h"

#include <google/protobuf/descriptor.h>
#include <onnxc/proto.h>

#include <algorithm>
#include <map>
#include <vector>

#include "source/plain_node.h"
#include "source/report.h"

namespace onnxc::wire {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

/// An upper bound of the levels of messages inside of a node whose attributes contain no messages, and inside of a
/// value info with the type of a tensor. In such a node, the deepest messages are those of the device configurations,
/// with four levels. In such a value info, the deepest messages are dimensions, also with four levels.
constexpr int kBelowPlain = 10;

/// Returns whether the value has the type of a tensor, which contains no other types, or no type. `message` must be a
/// ValueInfoProto.
bool IsPlainValue(const Message& message) {
  const auto type = static_cast<const onnx::ValueInfoProto&>(message).type().value_case();
  return type == onnx::TypeProto::VALUE_NOT_SET || type == onnx::TypeProto::kTensorType;
}

struct Type {
  struct Field {
    const FieldDescriptor* descriptor;
    const Type* type;
  };
  std::vector<Field> fields = {};  ///< the fields that contain messages
  int height = 0;                  ///< maximum nesting of messages inside; a value above the limit means unlimited
  bool is_node = false;
  bool is_value = false;
};
using Types = std::map<const Descriptor*, Type>;

Type& Add(const Descriptor* descriptor, Types* types) {
  const auto [entry, is_new] = types->try_emplace(descriptor);
  if (!is_new) return entry->second;
  entry->second.is_node = descriptor == onnx::NodeProto::descriptor();
  entry->second.is_value = descriptor == onnx::ValueInfoProto::descriptor();
  for (int i = 0; i < descriptor->field_count(); ++i) {
    const FieldDescriptor* const field = descriptor->field(i);
    if (field->message_type() == nullptr) continue;
    const Type& type = Add(field->message_type(), types);
    entry->second.fields.push_back({field, &type});
  }
  return entry->second;
}

const Types& AllTypes() {
  static const Types types = [] {
    Types all;
    const auto* const file = onnx::ModelProto::descriptor()->file();
    for (int i = 0; i < file->message_type_count(); ++i) Add(file->message_type(i), &all);
    for (int round = 0; round <= kMaxDepth; ++round) {
      for (auto& [descriptor, type] : all) {
        for (const Type::Field& field : type.fields) type.height = std::max(type.height, field.type->height + 1);
      }
    }
    return all;
  }();
  return types;
}

/// Returns whether messages are nested more than `left` levels deep in the message. Only messages whose types allow
/// such a nesting are inspected.
bool IsTooDeep(const Message& message, const Type& type, int left) {
  if (type.height <= left) return false;
  const google::protobuf::Reflection& reflection = *message.GetReflection();
  for (const Type::Field& field : type.fields) {
    if (field.type->height < left) continue;
    if (field.type->is_node && left > kBelowPlain) {  // there are many nodes, and most contain no messages
      const auto is_too_deep = [&](const onnx::NodeProto& node) {
        return !IsPlainNode(node) && IsTooDeep(node, *field.type, left - 1);
      };
      if (std::ranges::any_of(NodesIn(message), is_too_deep)) return true;
      continue;
    }
    const bool is_list = field.descriptor->is_repeated();
    const int count = is_list ? reflection.FieldSize(message, field.descriptor)
                              : static_cast<int>(reflection.HasField(message, field.descriptor));
    if (count > 0 && left == 0) return true;
    for (int i = 0; i < count; ++i) {
      const Message& child = is_list ? reflection.GetRepeatedMessage(message, field.descriptor, i)
                                     : reflection.GetMessage(message, field.descriptor);
      if (field.type->is_value && left > kBelowPlain && IsPlainValue(child)) continue;
      if (IsTooDeep(child, *field.type, left - 1)) return true;
    }
  }
  return false;
}

}  // namespace

Diagnostics CheckNesting(const Message& message, int around) {
  const auto type = AllTypes().find(message.GetDescriptor());
  if (type == AllTypes().end() || !IsTooDeep(message, type->second, kMaxDepth - around)) return {};
  return Only(MakeDiagnostic(diag::kNestingTooDeep, kNowhere));
}

}  // namespace onnxc::wire
