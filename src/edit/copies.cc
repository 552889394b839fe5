#include "edit/copies.h"

#include <fmt/format.h>

#include <algorithm>

#include "check/context.h"
#include "edit/keep.h"
#include "source/free_names.h"
#include "source/message_cast.h"
#include "source/report.h"
#include "tables/signatures.h"

namespace onnxc::edit {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using onnx::AttributeProto;
using onnx::FunctionProto;
using onnx::GraphProto;
using onnx::NodeProto;
using onnx::ValueInfoProto;

bool IsField(const FieldDescriptor* field, const google::protobuf::Descriptor* owner, int number) {
  return field != nullptr && field->containing_type() == owner && field->number() == number;
}

/// Returns whether the node needs a value for the attribute. A Constant has only one attribute, and needs it.
bool NeedsValue(const NodeProto& node, std::string_view attribute, const Signature& signature) {
  const std::string_view domain = NodeDomain(node.domain());
  if (domain.empty() && node.op_type() == "Constant") return true;
  const auto import = signature.imports.find(domain);
  if (import == signature.imports.end()) return false;
  const Operator* const op = FindOperator(domain, node.op_type(), check::VersionFor(import->second));
  return op != nullptr && std::ranges::any_of(Attributes(*op), [&](const OperatorAttribute& formal) {
           return formal.required && Word(formal) == attribute;
         });
}

/// Adds what the call says about itself to a node that replaces it. The node's own metadata count more.
void Describe(const NodeProto& call, NodeProto* node) {
  OwnedNameSet keys;
  for (const auto& entry : node->metadata_props()) keys.insert(entry.key());
  for (const auto& entry : call.metadata_props()) {
    if (keys.insert(entry.key()).second) *node->add_metadata_props() = entry;
  }
  const auto first = std::ranges::find_if(call.output(), [](const std::string& name) { return !name.empty(); });
  const auto& outputs = node->output();
  const bool computes_it = first != call.output().end() && std::ranges::find(outputs, *first) != outputs.end();
  if (!computes_it || call.doc_string().empty()) return;
  node->set_doc_string(call.doc_string() + (node->doc_string().empty() ? "" : "\n") + node->doc_string());
}

}  // namespace

std::string FreshNames::New(std::string wanted) {
  if (taken_.insert(wanted).second) return wanted;
  for (int& number = next_.try_emplace(wanted, 2).first->second;;) {
    std::string name = fmt::format("{}_{}", wanted, number++);
    if (taken_.insert(name).second) return name;
  }
}

Copies::Copies(const onnx::ModelProto& model, std::size_t* left) : names_(model), left_(left) {
  const auto sites = names_.sites();
  for (NameId i = 0; i < sites.size(); ++i) sites_.try_emplace(sites[i].message, i);
  for (NameId i = 0; i < names_.scopes().size(); ++i) scopes_.try_emplace(names_.scopes()[i].message, i);
  for (const Entity& entity : names_.entities()) {
    if (entity.kind == EntityKind::kValue) values_.Take(entity.name);
    if (entity.kind == EntityKind::kNode) nodes_.Take(entity.name);
  }
}

const Signature& Copies::SignatureOf(const FunctionProto& function) {
  const auto [found, is_new] = signatures_.try_emplace(&function);
  Signature& signature = found->second;
  if (!is_new) return signature;
  const auto find = [&](std::string_view name) { return names_.Find(EntityKind::kValue, scopes_.at(&function), name); };
  for (const std::string& input : function.input()) signature.inputs.insert(find(input));
  for (const AttributeProto& attribute : function.attribute_proto()) {
    signature.defaults.try_emplace(attribute.name(), &attribute);
  }
  for (const auto& import : function.opset_import()) {
    signature.imports.try_emplace(NodeDomain(import.domain()), import.version());
  }
  std::unordered_set<NameId> declared = signature.inputs;
  for (const ValueInfoProto& value : function.value_info()) {
    const NameId id = find(value.name());
    if (id == kNoName || !names_.entities()[id].is_defined || !declared.insert(id).second) continue;
    signature.declarations.emplace_back(id, &value);
  }
  return signature;
}

/// Inputs that the call omits have no names yet, because a function may have many of them.
Call Copies::Bind(const NodeProto& node, const FunctionProto& function) {
  Call call{.node = node, .function = function, .signature = SignatureOf(function)};
  call.prefix = prefixes_.New(node.name().empty() ? function.name() : node.name());
  const NameId scope = scopes_.at(&function);
  for (int i = 0; i < std::min(node.input_size(), function.input_size()); ++i) {
    call.names[names_.Find(EntityKind::kValue, scope, function.input(i))] = node.input(i);
  }
  for (int i = 0; i < std::min(node.output_size(), function.output_size()); ++i) {
    if (node.output(i).empty()) continue;
    const NameId output = names_.Find(EntityKind::kValue, scope, function.output(i));
    if (call.signature.inputs.contains(output)) call.names.try_emplace(output);
    if (output == kNoName || !names_.entities()[output].is_defined) {
      call.problem = fmt::format("the function does not compute its output '{}'", Quoted(function.output(i)));
    } else if (const auto [name, is_new] = call.names.try_emplace(output, node.output(i)); !is_new) {
      call.aliases.emplace_back(node.output(i), name->second);
      if (name->second.empty()) {
        call.problem =
            fmt::format("its output '{}' is an input of the function that the call omits", Quoted(node.output(i)));
      }
    }
  }
  for (const AttributeProto& attribute : node.attribute()) call.given.try_emplace(attribute.name(), &attribute);
  return call;
}

void Copies::Copy(const NodeProto& node, NodeProto* copy, Call* call) {
  *copy = node;
  Rename(node, nullptr, copy, call);
  given_ = 0;
  GiveValues(copy, call, 0);
  Describe(call->node, copy);
}

void Copies::AddAliases(const Call& call, google::protobuf::RepeatedPtrField<NodeProto>* nodes) {
  for (const auto& [output, value] : call.aliases) {
    NodeProto* const node = nodes->Add();
    node->add_input(value);
    node->add_output(output);
    node->set_op_type("Identity");
    Describe(call.node, node);
  }
}

void Copies::Copy(const ValueInfoProto& value, ValueInfoProto* copy, Call* call) {
  *copy = value;
  Rename(value, nullptr, copy, call);
}

/// Gives the names at the call to a copied message and the messages inside of it. `holder` is the field that contains
/// the message.
void Copies::Rename(const Message& from, const FieldDescriptor* holder, Message* to, Call* call) {
  if (const auto* const node = MessageCast<NodeProto>(from); node != nullptr && holder != nullptr) {
    origins_.insert_or_assign(static_cast<const NodeProto*>(to), OriginOf(node));
  }
  const auto sites = names_.sites();
  const auto first = sites_.find(&from);
  for (NameId i = first == sites_.end() ? kNoName : first->second; i < sites.size() && sites[i].message == &from; ++i) {
    SetName(sites[i], holder, to, call);
  }
  const auto& reflection = *from.GetReflection();
  std::vector<const FieldDescriptor*> fields;
  reflection.ListFields(from, &fields);
  for (const FieldDescriptor* const field : fields) {
    if (field->message_type() == nullptr) continue;
    if (!field->is_repeated()) {
      Rename(reflection.GetMessage(from, field), field, reflection.MutableMessage(to, field), call);
      continue;
    }
    for (int i = 0; i < reflection.FieldSize(from, field); ++i) {
      Rename(reflection.GetRepeatedMessage(from, field, i), field, reflection.MutableRepeatedMessage(to, field, i),
             call);
    }
  }
}

void Copies::SetName(const NameSite& site, const FieldDescriptor* holder, Message* to, Call* call) {
  const Entity& entity = names_.entities()[site.entity];
  const auto& reflection = *to->GetReflection();
  if (entity.kind == EntityKind::kDimension) return reflection.ClearField(to, site.field);
  if (entity.kind == EntityKind::kNode) {
    return reflection.SetString(to, site.field, nodes_.New(fmt::format("{}_{}", call->prefix, entity.name)));
  }
  if (entity.kind != EntityKind::kValue) return;
  if (site.field->is_repeated()) {
    reflection.SetRepeatedString(to, site.field, site.index, ValueAt(site, holder, call));
  } else {
    reflection.SetString(to, site.field, ValueAt(site, holder, call));
  }
}

/// Returns the name of a value of the function. Values that are named only in annotations or declarations, and do not
/// exist, get names that do not exist either.
std::string Copies::ValueAt(const NameSite& site, const FieldDescriptor* holder, Call* call) {
  const Entity& entity = names_.entities()[site.entity];
  const auto new_name = [&] { return values_.New(fmt::format("{}_{}", call->prefix, entity.name)); };
  const bool is_input = IsField(site.field, NodeProto::descriptor(), NodeProto::kInputFieldNumber);
  const bool is_output = IsField(site.field, NodeProto::descriptor(), NodeProto::kOutputFieldNumber);
  const bool is_result = IsField(holder, GraphProto::descriptor(), GraphProto::kOutputFieldNumber);
  if (!entity.is_defined && (is_input || is_result)) {
    call->problem = fmt::format("its nodes read '{}', which is no value of the function", Quoted(entity.name));
  }
  const bool is_formal = call->signature.inputs.contains(site.entity);
  if (is_output && is_formal) {
    call->problem = fmt::format("a node of the function computes its input '{}'", Quoted(entity.name));
  }
  const auto [found, is_new] = call->names.try_emplace(site.entity);
  if (is_new && !is_formal) found->second = new_name();
  if (found->second.empty() && is_result) {
    call->problem =
        fmt::format("it omits the input '{}', which is an output of a graph in the function", Quoted(entity.name));
  }
  return found->second.empty() && !is_input ? new_name() : found->second;
}

void Copies::GiveValues(GraphProto* graph, Call* call, std::size_t depth) {
  if (depth > kDeepestGraph) return;  // the result is refused
  for (NodeProto& node : *graph->mutable_node()) GiveValues(&node, call, depth);
}

/// Replaces the attributes that refer to attributes of the function, also those in graphs that are default values.
/// Without a value, such an attribute is removed.
void Copies::GiveValues(NodeProto* node, Call* call, std::size_t depth) {
  auto* const attributes = node->mutable_attribute();
  std::vector<bool> has_value(static_cast<std::size_t>(attributes->size()), true);
  for (int i = 0; i < attributes->size(); ++i) {
    AttributeProto& attribute = *attributes->Mutable(i);
    if (!attribute.ref_attr_name().empty()) {
      const std::string name = attribute.name();
      const auto given = call->given.find(attribute.ref_attr_name());
      const auto usual = call->signature.defaults.find(attribute.ref_attr_name());
      const bool is_given = given != call->given.end();
      if (!is_given && usual == call->signature.defaults.end()) {
        if (NeedsValue(*node, name, call->signature)) {
          call->problem = fmt::format("it does not set the attribute '{}'", Quoted(attribute.ref_attr_name()));
        }
        has_value[static_cast<std::size_t>(i)] = false;
        continue;
      }
      const AttributeProto& value = is_given ? *given->second : *usual->second;
      given_ += value.ByteSizeLong();
      if (given_ > *left_) {
        *left_ = 0;
        return;
      }
      attribute = value;
      attribute.set_name(name);
      if (is_given) continue;  // it refers to attributes of the function around the call
      Rename(value, nullptr, &attribute, call);
    }
    if (attribute.has_g()) GiveValues(attribute.mutable_g(), call, depth + 1);
    for (GraphProto& graph : *attribute.mutable_graphs()) GiveValues(&graph, call, depth + 1);
  }
  Keep(attributes, [&](const AttributeProto&, int i) { return has_value[static_cast<std::size_t>(i)]; });
}

}  // namespace onnxc::edit
