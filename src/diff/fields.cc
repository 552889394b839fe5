// Compares any field of any message.
#include <fmt/format.h>
#include <google/protobuf/descriptor.h>

#include <algorithm>
#include <array>

#include "diff/comparer.h"
#include "diff/equality.h"
#include "diff/key_field.h"
#include "diff/match.h"
#include "print/brief.h"
#include "source/names.h"

namespace onnxc::diff {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

/// Returns the aspect of a field. Some fields have an aspect because of their names; all others belong to the model.
Aspect AspectOf(const FieldDescriptor& field) {
  if (field.name() == "doc_string") return Aspect::kDocs;
  if (field.name() == "metadata_props") return Aspect::kMetadata;
  const Descriptor* const type = field.containing_type();
  const bool is_name = field.name() == "name" || field.name() == "tensor_name";
  for (const Descriptor* named :
       {onnx::NodeProto::descriptor(), onnx::GraphProto::descriptor(), onnx::ValueInfoProto::descriptor(),
        onnx::TensorProto::descriptor(), onnx::TensorAnnotation::descriptor(), onnx::ShardingSpecProto::descriptor()}) {
    if (is_name && type == named) return Aspect::kNames;
  }
  return Aspect::kModel;
}

std::vector<const Message*> ElementsOf(const Message& message, const FieldDescriptor& field) {
  std::vector<const Message*> elements;
  const google::protobuf::Reflection& reflection = *message.GetReflection();
  for (int i = 0; i < reflection.FieldSize(message, &field); ++i) {
    elements.push_back(&reflection.GetRepeatedMessage(message, &field, i));
  }
  return elements;
}

/// Pairs elements with the same key: first the equal ones at the beginning and at the end, then the others in order.
void PairInOrder(const std::vector<const Message*>& old_list, const std::vector<const Message*>& new_list,
                 std::vector<int> before, std::vector<int> after, Matching* matching) {
  const auto same = [&](int i, int j) {
    return SameMessage(*old_list[static_cast<std::size_t>(i)], *new_list[static_cast<std::size_t>(j)]);
  };
  while (before.size() > 1 && after.size() > 1 && same(before.back(), after.back())) {
    matching->Pair(before.back(), after.back());
    before.pop_back();
    after.pop_back();
  }
  std::size_t first = 0;
  const std::size_t common = std::min(before.size(), after.size());
  for (; first < common && same(before[first], after[first]); ++first) matching->Pair(before[first], after[first]);
  for (; first < common; ++first) matching->Pair(before[first], after[first]);
}

bool IsIn(FieldSet fields, const FieldDescriptor& field) {
  return field.number() < 64 && (fields >> field.number() & 1) != 0;
}

}  // namespace

const FieldDescriptor* KeyField(const Descriptor& type) {
  if (&type == onnx::TensorProto::descriptor() || &type == onnx::GraphProto::descriptor()) return nullptr;
  static constexpr std::array kKeys = {"key", "name", "tensor_name", "configuration_id", "domain", "axis"};
  for (const char* key : kKeys) {
    const FieldDescriptor* const field = type.FindFieldByName(key);
    if (field != nullptr && !field->is_repeated() && field->message_type() == nullptr) return field;
  }
  return nullptr;
}

void Comparer::CompareFields(const Both& at, FieldSet except) {
  const Descriptor& type = *at.before.message.GetDescriptor();
  for (int i = 0; i < type.field_count(); ++i) {
    if (!IsIn(except, *type.field(i))) CompareField(at, *type.field(i));
  }
  if (UnknownFields(at.before.message) != UnknownFields(at.after.message)) {
    Report(Kind::kChanged, Aspect::kModel, PathOf(at.after), "", "", "fields that this version does not know");
  }
}

void Comparer::CompareOnly(const Both& at, FieldSet fields) {
  const Descriptor& type = *at.before.message.GetDescriptor();
  for (int i = 0; i < type.field_count(); ++i) {
    if (IsIn(fields, *type.field(i))) CompareField(at, *type.field(i));
  }
}

void Comparer::CompareField(const Both& at, const FieldDescriptor& field) {
  const Aspect aspect = AspectOf(field);
  if (IsIgnored(aspect)) return;
  const During<Aspect> inside(&aspect_, aspect == Aspect::kModel ? aspect_ : aspect);
  const Message& before = at.before.message;
  const Message& after = at.after.message;
  const google::protobuf::Reflection& reflection = *before.GetReflection();
  if (field.message_type() == nullptr) {
    if (!SameField(before, after, field)) CompareScalar(at, field, aspect);
  } else if (field.is_repeated()) {
    CompareList(at, field);
  } else if (reflection.HasField(before, &field) && reflection.HasField(after, &field)) {
    Compare(at.Child(reflection.GetMessage(before, &field), reflection.GetMessage(after, &field), field.number()));
  } else if (reflection.HasField(before, &field)) {
    ReportRemoved(at.before.Child(reflection.GetMessage(before, &field), field.number()));
  } else if (reflection.HasField(after, &field)) {
    ReportAdded(at.after.Child(reflection.GetMessage(after, &field), field.number()));
  }
}

void Comparer::CompareScalar(const Both& at, const FieldDescriptor& field, Aspect aspect) {
  const Message& before = at.before.message;
  const Message& after = at.after.message;
  if (aspect == Aspect::kNames) {
    const std::string old_name = before.GetReflection()->GetString(before, &field);
    const std::string new_name = after.GetReflection()->GetString(after, &field);
    if (counterparts().Of(old_name) == new_name) return;  // the renamed value is reported at its definition
    return ReportName({at.after, field.number()}, old_name, new_name);
  }
  const auto is_missing = [&field](const Message& message) {
    return !field.is_repeated() && !message.GetReflection()->HasField(message, &field);
  };
  const auto brief = [&](const Message& message) { return is_missing(message) ? "" : Brief(message, field); };
  const Kind kind = is_missing(before) ? Kind::kAdded : is_missing(after) ? Kind::kRemoved : Kind::kChanged;
  const Place& place = kind == Kind::kRemoved ? at.before : at.after;
  Report(kind, aspect, PathOfField(place, field.name()), brief(before), brief(after));
}

std::string Comparer::KeyOf(const Message& message, bool is_old) const {
  const Descriptor& type = *message.GetDescriptor();
  if (&type == onnx::FunctionProto::descriptor()) {
    const auto& function = static_cast<const onnx::FunctionProto&>(message);
    return JoinedKey({function.domain(), function.name(), function.overload()});
  }
  const bool is_sparse = &type == onnx::SparseTensorProto::descriptor();
  const FieldDescriptor* const field = KeyField(type);
  if (!is_sparse && field == nullptr) return {};
  std::string key =
      is_sparse ? static_cast<const onnx::SparseTensorProto&>(message).values().name() : Brief(message, *field);
  const bool is_value = is_sparse || AspectOf(*field) == Aspect::kNames;
  if (!is_value) return key;
  if (!is_sparse) {
    const std::string name = message.GetReflection()->GetString(message, field);
    const auto counterpart = is_old ? counterparts().Of(name) : name;
    return counterpart ? "=" + std::string(*counterpart) : "-" + name;
  }
  const auto counterpart = is_old ? counterparts().Of(key) : key;
  return counterpart ? "=" + std::string(*counterpart) : "-" + key;
}

/// Returns whether the element is about a value of an added or removed node. Such an element is reported as a part of
/// the node.
bool Comparer::IsPartOfNode(const Message& element, bool is_old) const {
  if (element.GetDescriptor() != onnx::ValueInfoProto::descriptor()) return false;
  const std::string& name = static_cast<const onnx::ValueInfoProto&>(element).name();
  return is_old ? counterparts().IsRemoved(name) : counterparts().IsNew(name);
}

void Comparer::CompareList(const Both& at, const FieldDescriptor& field) {
  if (!counterparts().IsChanging() && SameField(at.before.message, at.after.message, field)) return;
  const std::vector<const Message*> before = ElementsOf(at.before.message, field);
  const std::vector<const Message*> after = ElementsOf(at.after.message, field);
  OwnedNameMap<std::pair<std::vector<int>, std::vector<int>>> groups;
  for (std::size_t i = 0; i < before.size(); ++i) groups[KeyOf(*before[i], true)].first.push_back(static_cast<int>(i));
  for (std::size_t i = 0; i < after.size(); ++i) groups[KeyOf(*after[i], false)].second.push_back(static_cast<int>(i));
  Matching matching(before.size(), after.size());
  for (auto& [key, group] : groups) {
    PairInOrder(before, after, std::move(group.first), std::move(group.second), &matching);
  }

  for (int i = 0; i < matching.before_size(); ++i) {
    const Message& element = *before[static_cast<std::size_t>(i)];
    if (matching.AfterOf(i) >= 0 || IsPartOfNode(element, true)) continue;
    ReportRemoved(at.before.Child(element, field.number(), i));
  }
  for (int i = 0; i < matching.after_size(); ++i) {
    const Message& element = *after[static_cast<std::size_t>(i)];
    const int pair = matching.BeforeOf(i);
    if (pair >= 0) {
      Compare(at.Child(*before[static_cast<std::size_t>(pair)], element, field.number(), pair, i));
    } else if (!IsPartOfNode(element, false)) {
      ReportAdded(at.after.Child(element, field.number(), i));
    }
  }
  if (const Matching::Disorder disorder = matching.FindDisorder(); disorder.count > 0) {
    const Place moved =
        at.after.Child(*after[static_cast<std::size_t>(disorder.first)], field.number(), disorder.first);
    Report(Kind::kChanged, Aspect::kStorage, PathOf(moved), "", "",
           fmt::format("moved, was at {}", matching.BeforeOf(disorder.first)));
  }
}

}  // namespace onnxc::diff
