#include "check/uses.h"

#include <algorithm>
#include <string>
#include <vector>

#include "source/message_cast.h"
#include "tables/limits.h"

namespace onnxc::check {
namespace {

const google::protobuf::Message& RootOf(const Place& place) {
  const Place* at = &place;
  while (at->parent != nullptr) at = at->parent;
  return at->message;
}

/// Adds all strings of a message to a set: whatever names a value, where it is defined, read or only mentioned.
void CollectStrings(const google::protobuf::Message& message, int depth, OwnedNameSet* strings) {
  if (depth > kMaxDepth) return;
  const google::protobuf::Reflection& reflection = *message.GetReflection();
  std::vector<const google::protobuf::FieldDescriptor*> fields;
  reflection.ListFields(message, &fields);
  std::string scratch;
  for (const google::protobuf::FieldDescriptor* const field : fields) {
    const int count = field->is_repeated() ? reflection.FieldSize(message, field) : 1;
    for (int i = 0; field->message_type() != nullptr && i < count; ++i) {
      CollectStrings(field->is_repeated() ? reflection.GetRepeatedMessage(message, field, i)
                                          : reflection.GetMessage(message, field),
                     depth + 1, strings);
    }
    for (int i = 0; field->type() == google::protobuf::FieldDescriptor::TYPE_STRING && i < count; ++i) {
      strings->emplace(field->is_repeated() ? reflection.GetRepeatedStringReference(message, field, i, &scratch)
                                            : reflection.GetStringReference(message, field, &scratch));
    }
  }
}

}  // namespace

void Uses::ReadAround(const Place& place) {
  const google::protobuf::Message* const root = &RootOf(place);
  if (root_ == root) return;
  root_ = root;
  if (const auto* const model = MessageCast<onnx::ModelProto>(*root_)) return Read(*model);
  if (const auto* const function = MessageCast<onnx::FunctionProto>(*root_)) return Read(*function);
  if (const auto* const graph = MessageCast<onnx::GraphProto>(*root_)) Read(*graph, 0);
}

int Uses::Reads(std::string_view name) const {
  const auto found = reads_.find(name);
  return found == reads_.end() ? 0 : found->second;
}

int Uses::Calls(std::string_view name) const {
  const auto found = calls_.find(name);
  return found == calls_.end() ? 0 : found->second;
}

const onnx::ValueInfoProto* Uses::Declaration(std::string_view name, const Place& place) const {
  for (const Place* at = &place; at != nullptr; at = at->parent) {
    if (const auto found = declared_.find({&at->message, name}); found != declared_.end()) return found->second;
  }
  return nullptr;
}

const onnx::ValueInfoProto* Uses::Output(std::string_view name, const Place& place) const {
  for (const Place* at = &place; at != nullptr; at = at->parent) {
    if (const auto found = outputs_.find({&at->message, name}); found != outputs_.end()) return found->second;
  }
  return nullptr;
}

bool Uses::IsOutput(std::string_view name, const Place& place) const {
  for (const Place* at = &place; at != nullptr; at = at->parent) {
    if (outputs_.contains({&at->message, name})) return true;
  }
  return false;
}

bool Uses::IsInput(std::string_view name, const Place& place) {
  const auto* const node = MessageCast<onnx::NodeProto>(place.message);
  if (node == nullptr) return false;
  if (node_ != node) {
    node_ = node;
    inputs_.clear();
    inputs_.insert(node->input().begin(), node->input().end());
  }
  return inputs_.contains(name);
}

bool Uses::IsName(std::string_view name, const Place& place) {
  const google::protobuf::Message* const root = &RootOf(place);
  if (named_ != root) {
    named_ = root;
    names_.clear();
    CollectStrings(*root, 0, &names_);
  }
  return names_.contains(name);
}

void Uses::Read(const onnx::ModelProto& model) {
  Read(model.graph(), 0);
  for (const onnx::TrainingInfoProto& training : model.training_info()) {
    Read(training.initialization(), 0);
    Read(training.algorithm(), 0);
  }
  for (const onnx::FunctionProto& function : model.functions()) Read(function);
  has_spare_input_ = HasSpareInputs(model);
}

bool Uses::HasSpareInputs(const onnx::ModelProto& model) const {
  const auto is_spare = [this](const auto& value) { return Reads(value.name()) == 0; };
  return std::ranges::any_of(model.graph().input(), is_spare) ||
         std::ranges::any_of(model.graph().initializer(), is_spare);
}

void Uses::Read(const onnx::FunctionProto& function) {
  Read(function.node(), 0);
  Declare(function, function.value_info());
  for (const std::string& output : function.output()) Give(function, output, nullptr);
}

void Uses::Read(const onnx::GraphProto& graph, int nested) {
  if (nested > kMaxGraphDepth) return;
  Read(graph.node(), nested);
  Declare(graph, graph.value_info());
  for (const onnx::ValueInfoProto& output : graph.output()) Give(graph, output.name(), &output);
}

void Uses::Read(const Nodes& nodes, int nested) {
  for (const onnx::NodeProto& node : nodes) {
    ++calls_[node.op_type()];
    for (const std::string& input : node.input()) ++reads_[input];
    for (const onnx::AttributeProto& attribute : node.attribute()) {
      if (attribute.has_g()) Read(attribute.g(), nested + 1);
      for (const onnx::GraphProto& graph : attribute.graphs()) Read(graph, nested + 1);
    }
  }
}

void Uses::Declare(const google::protobuf::Message& owner, const ValueInfos& values) {
  for (const onnx::ValueInfoProto& value : values) declared_.try_emplace({&owner, value.name()}, &value);
}

void Uses::Give(const google::protobuf::Message& owner, std::string_view name, const onnx::ValueInfoProto* output) {
  ++reads_[name];
  outputs_.try_emplace({&owner, name}, output);
}

}  // namespace onnxc::check
