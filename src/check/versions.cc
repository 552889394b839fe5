#include "check/versions.h"

#include <google/protobuf/descriptor.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <string_view>
#include <vector>

#include "check/corrections.h"
#include "source/message_cast.h"
#include "source/nodes.h"
#include "tables/element_types.h"
#include "tables/foreign_words.h"
#include "tables/ir_versions.h"
#include "tables/limits.h"
#include "tables/signatures.h"

namespace onnxc::check {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using onnx::ModelProto;
using onnx::NodeProto;

// The least IR version that is suggested. Older IR versions have no functions, and in the oldest ones each initializer
// must also be an input.
constexpr std::int64_t kLeastUsual = 8;

// The oldest IR versions that have all element types, and all fields, of a message.
struct Needed {
  std::int64_t for_types = 1;
  std::int64_t for_fields = 1;
};

void NeedType(std::int64_t code, Needed* needed) {
  const bool fits = code >= 0 && code <= std::numeric_limits<int>::max();
  const ElementType* const type = fits ? FindElementType(static_cast<int>(code)) : nullptr;
  if (type != nullptr) needed->for_types = std::max<std::int64_t>(needed->for_types, type->since);
}

void NeedField(const FieldDescriptor& field, Needed* needed) {
  const NewField* const row = FindNewField(field);
  if (row != nullptr) needed->for_fields = std::max<std::int64_t>(needed->for_fields, row->since);
}

void NeedParts(const Message& message, Needed* needed, int most_nested = kMaxDepth) {
  if (const auto* const attribute = MessageCast<onnx::AttributeProto>(message)) {
    if (attribute->has_i() && IsOfElementType(attribute->name())) NeedType(attribute->i(), needed);
  }
  const auto* const reflection = message.GetReflection();
  std::vector<const FieldDescriptor*> fields;
  reflection->ListFields(message, &fields);
  for (const FieldDescriptor* const field : fields) {
    NeedField(*field, needed);
    const std::string_view name = field->name();
    if (name == "elem_type" || name == "data_type") {
      if (field->cpp_type() == FieldDescriptor::CPPTYPE_INT32) NeedType(reflection->GetInt32(message, field), needed);
    }
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE || most_nested == 0) continue;
    if (!field->is_repeated()) {
      NeedParts(reflection->GetMessage(message, field), needed, most_nested - 1);
      continue;
    }
    for (int i = 0; i < reflection->FieldSize(message, field); ++i) {
      NeedParts(reflection->GetRepeatedMessage(message, field, i), needed, most_nested - 1);
    }
  }
}

Needed NeededBy(const ModelProto& model) {
  Needed needed;
  NeedParts(model, &needed);
  return needed;
}

bool HasAttributesOf(const Operator& op, const NodeProto& node) {
  return op.takes_any_attribute || std::ranges::all_of(node.attribute(), [&](const onnx::AttributeProto& attribute) {
           return FindAttribute(op, attribute.name()) != nullptr;
         });
}

// Returns `version` or, if the node's operator lacks an attribute of the node in this version of the standard
// operators, the first newer version in which the operator has all attributes of the node.
int VersionWith(const NodeProto& node, int version) {
  const auto versions = FindVersions(FindDomain(""), node.op_type());
  const auto is_old = [&](const Operator& op) { return op.since <= version; };
  const auto newer = std::ranges::partition_point(versions, is_old);
  const bool is_known = newer != versions.begin();
  if (versions.empty() || (is_known && HasAttributesOf(*std::prev(newer), node))) return version;
  const auto complete =
      std::find_if(newer, versions.end(), [&](const Operator& op) { return HasAttributesOf(op, node); });
  if (complete != versions.end()) return complete->since;
  return is_known ? version : versions.front().since;  // no version has the attributes
}

bool ImportsStandard(const ModelProto& model) {
  return std::ranges::any_of(model.opset_import(),
                             [](const auto& opset) { return NodeDomain(opset.domain()).empty(); });
}

bool UsesStandard(const ModelProto& model) {
  bool uses = model.opset_import().empty();
  ForEachNode(model, [&](const NodeProto& node) { uses = uses || NodeDomain(node.domain()).empty(); });
  return uses;
}

}  // namespace

int OpsetFor(const ModelProto& model) {
  int version = kUsualOpset;
  while (model.ir_version() > 0 && version > 1 && LeastIrVersion("", version) > model.ir_version()) --version;
  const int newest = NewestVersion(FindDomain(""));
  for (const onnx::FunctionProto& function : model.functions()) {
    for (const onnx::OperatorSetIdProto& opset : function.opset_import()) {
      if (!NodeDomain(opset.domain()).empty()) continue;
      version = static_cast<int>(std::clamp<std::int64_t>(opset.version(), version, std::max(version, newest)));
    }
  }
  const std::int64_t ir_version = NeededBy(model).for_types;
  while (version < newest && LeastIrVersion("", version) < ir_version) ++version;
  ForEachNode(model, [&](const NodeProto& node) {
    if (NodeDomain(node.domain()).empty()) version = VersionWith(node, version);
  });
  return version;
}

std::int64_t IrVersionFor(const ModelProto& model) {
  const Needed needed = NeededBy(model);
  std::int64_t version = std::max({kLeastUsual, needed.for_types, needed.for_fields});
  const auto add = [&](const auto& imports) {
    for (const onnx::OperatorSetIdProto& opset : imports) {
      version = std::max(version, LeastIrVersion(NodeDomain(opset.domain()), opset.version()));
    }
  };
  add(model.opset_import());
  for (const onnx::FunctionProto& function : model.functions()) add(function.opset_import());
  if (!ImportsStandard(model) && UsesStandard(model)) version = std::max(version, LeastIrVersion("", OpsetFor(model)));
  return version;
}

}  // namespace onnxc::check
