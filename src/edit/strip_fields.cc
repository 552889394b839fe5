// Removes documentation, metadata, names of nodes and declared types, wherever the schema has them.
#include <google/protobuf/descriptor.h>
#include <onnxc/strip.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "check/declaration.h"
#include "edit/unused.h"
#include "source/message_cast.h"
#include "source/names.h"
#include "wire/nesting.h"

namespace onnxc {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;
using onnx::FunctionProto;
using onnx::ModelProto;
using onnx::NodeProto;
using Entry = onnx::StringStringEntryProto;

/// What a field of a message contains, by its name and its type, so that fields of newer schemas are found, too.
enum class Content : std::uint8_t { kOther, kDocs, kMetadata, kNodeName, kValueInfo };

Content ContentOf(const FieldDescriptor& field) {
  const Descriptor* const type = field.message_type();
  if (field.name() == "doc_string" && type == nullptr) return Content::kDocs;
  if (field.name() == "metadata_props" && type == Entry::descriptor()) return Content::kMetadata;
  if (field.name() == "value_info" && type == onnx::ValueInfoProto::descriptor()) return Content::kValueInfo;
  const bool is_node_name =
      field.containing_type() == NodeProto::descriptor() && field.number() == NodeProto::kNameFieldNumber;
  return is_node_name ? Content::kNodeName : Content::kOther;
}

/// The fields of each type of message that have one of these contents, or contain messages that have.
class FieldTable {
 public:
  struct Fields {
    std::vector<std::pair<const FieldDescriptor*, Content>> contents;
    std::vector<const FieldDescriptor*> messages;
  };

  const Fields& Of(const Descriptor* type) {
    const auto [found, is_new] = fields_.try_emplace(type);
    for (int i = 0; is_new && i < type->field_count(); ++i) {
      const FieldDescriptor* const field = type->field(i);
      if (const Content content = ContentOf(*field); content != Content::kOther) {
        found->second.contents.emplace_back(field, content);
      } else if (field->message_type() != nullptr && HasContents(field->message_type())) {
        found->second.messages.push_back(field);
      }
    }
    return found->second;
  }

 private:
  /// Returns whether a message of the type may contain, at any depth, a field with one of the contents.
  static bool HasContents(const Descriptor* type) {
    std::set<const Descriptor*> seen = {type};
    for (std::vector<const Descriptor*> waiting = {type}; !waiting.empty();) {
      const Descriptor* const next = waiting.back();
      waiting.pop_back();
      for (int i = 0; i < next->field_count(); ++i) {
        if (ContentOf(*next->field(i)) != Content::kOther) return true;
        const Descriptor* const inner = next->field(i)->message_type();
        if (inner != nullptr && seen.insert(inner).second) waiting.push_back(inner);
      }
    }
    return false;
  }

  std::map<const Descriptor*, Fields> fields_;
};

/// Calls `visit` with each message in the field.
template <typename Visit>
void ForEachMessage(Message* message, const FieldDescriptor* field, const Visit& visit) {
  const Reflection& reflection = *message->GetReflection();
  if (!field->is_repeated()) {
    if (reflection.HasField(*message, field)) visit(reflection.MutableMessage(message, field));
    return;
  }
  for (int i = 0; i < reflection.FieldSize(*message, field); ++i) {
    visit(reflection.MutableRepeatedMessage(message, field, i));
  }
}

/// Removes the members of a list for which `is_wanted` returns false. Returns their number.
template <typename Member, typename IsWanted>
int KeepMembers(Message* message, const FieldDescriptor* field, const IsWanted& is_wanted) {
  const Reflection& reflection = *message->GetReflection();
  const int count = reflection.FieldSize(*message, field);
  int kept = 0;
  for (int i = 0; i < count; ++i) {
    if (!is_wanted(static_cast<const Member&>(reflection.GetRepeatedMessage(*message, field, i)))) continue;
    if (i != kept) reflection.SwapElements(message, field, i, kept);
    ++kept;
  }
  for (int i = kept; i < count; ++i) reflection.RemoveLast(message, field);
  return count - kept;
}

class FieldStripping {
 public:
  FieldStripping(ModelProto* model, const StripOptions& options, Stripped* stripped)
      : model_(model), options_(options), stripped_(*stripped) {}

  void Run() {
    Visit(model_);
    for (NodeProto* const node : named_) {
      const bool may_be_meant = !node->name().empty() && strings_.contains(node->name());
      ++(may_be_meant ? stripped_.kept_names : stripped_.names);
      if (!may_be_meant) node->clear_name();
    }
  }

 private:
  void Visit(Message* message) {
    const FieldTable::Fields& fields = table_.Of(message->GetDescriptor());
    for (const auto& [field, content] : fields.contents) Strip(message, field, content);
    if (options_.names) AddStrings(*message);
    for (const FieldDescriptor* const field : fields.messages) {
      ForEachMessage(message, field, [&](Message* inner) { Visit(inner); });
    }
  }

  void Strip(Message* message, const FieldDescriptor* field, Content content) {
    const Reflection& reflection = *message->GetReflection();
    switch (content) {
      case Content::kOther: return;
      case Content::kDocs:
        if (!options_.docs || !reflection.HasField(*message, field)) return;
        ++stripped_.docs;
        return reflection.ClearField(message, field);
      case Content::kMetadata: return StripMetadata(message, field);
      case Content::kNodeName:
        if (options_.names && reflection.HasField(*message, field)) named_.push_back(static_cast<NodeProto*>(message));
        return;
      case Content::kValueInfo: return StripTypes(message, field);
    }
  }

  /// Returns the function if it is one of a library, so that its metadata and types may declare an operator.
  [[nodiscard]] const FunctionProto* DeclarationIn(const Message& message) const {
    return model_->has_graph() ? nullptr : MessageCast<FunctionProto>(message);
  }

  void StripTypes(Message* message, const FieldDescriptor* field) {
    if (options_.value_info) {
      NameSet declared;
      if (const FunctionProto* const function = DeclarationIn(*message)) {
        declared.insert(function->input().begin(), function->input().end());
        declared.insert(function->output().begin(), function->output().end());
      }
      stripped_.value_info += KeepMembers<onnx::ValueInfoProto>(
          message, field, [&](const onnx::ValueInfoProto& value) { return declared.contains(value.name()); });
    }
    ForEachMessage(message, field, [&](Message* inner) { Visit(inner); });
  }

  void StripMetadata(Message* message, const FieldDescriptor* field) {
    if (options_.metadata) {
      const FunctionProto* const function = DeclarationIn(*message);
      const NameSet declaring = function == nullptr ? NameSet() : DeclaringKeys(*function);
      stripped_.metadata +=
          KeepMembers<Entry>(message, field, [&](const Entry& entry) { return declaring.contains(entry.key()); });
    }
    ForEachMessage(message, field, [&](Message* inner) {
      const auto& entry = static_cast<const Entry&>(*inner);
      strings_.insert({entry.key(), entry.value()});
    });
  }

  /// Returns the keys of the metadata that declare a parameter of a library's operator, or its type.
  static NameSet DeclaringKeys(const FunctionProto& function) {
    NameSet names;
    for (const auto* const list : {&function.input(), &function.output(), &function.attribute()}) {
      names.insert(list->begin(), list->end());
    }
    for (const auto& attribute : function.attribute_proto()) names.insert(attribute.name());
    NameSet types;  // the first word of a type may be a type variable, as in "T[N]"
    for (const auto& entry : function.metadata_props()) {
      if (!names.contains(entry.key())) continue;
      std::string_view type = entry.value();
      type.remove_prefix(std::min(type.find_first_not_of(' '), type.size()));
      types.insert(type.substr(0, type.find_first_of(" [?.")));
    }
    names.insert(types.begin(), types.end());
    std::erase_if(names, [](std::string_view name) { return !check::IsDeclaringKey(name); });
    return names;
  }

  /// Adds the strings that may refer to a node, though only the operator or another tool knows.
  void AddStrings(const Message& message) {
    const auto* const attribute = MessageCast<onnx::AttributeProto>(message);
    if (attribute == nullptr) return;
    strings_.insert(attribute->s());
    strings_.insert(attribute->strings().begin(), attribute->strings().end());
  }

  ModelProto* model_;
  const StripOptions& options_;
  Stripped& stripped_;
  FieldTable table_;
  std::vector<NodeProto*> named_;
  NameSet strings_;  // in metadata and attributes
};

}  // namespace

Diagnostics Strip(ModelProto* model, const StripOptions& options, Stripped* stripped) {
  Diagnostics found = wire::CheckNesting(*model);
  if (!found.ok()) return found;
  Stripped unasked;
  if (stripped == nullptr) stripped = &unasked;
  *stripped = {};
  if (options.training) {
    stripped->training = model->training_info_size();
    model->clear_training_info();
  }
  if (options.unused) edit::RemoveUnusedNodes(model, stripped);
  if (options.weights) {  // after what is unused, because unused weights would become inputs
    const auto count = [&] {
      const onnx::GraphProto& graph = model->graph();
      return std::int64_t{graph.initializer_size()} + graph.sparse_initializer_size() + graph.node_size();
    };
    const std::int64_t before = count();
    found.Append(StripWeights(model));
    stripped->weights = before - count();
  }
  if (options.unused) edit::RemoveUnusedFunctions(model, stripped);
  if (options.docs || options.metadata || options.names || options.value_info) {
    FieldStripping(model, options, stripped).Run();
  }
  return found;
}

}  // namespace onnxc
