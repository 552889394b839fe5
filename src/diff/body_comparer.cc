#include "diff/body_comparer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <google/protobuf/descriptor.h>

#include <algorithm>

#include "diff/equality.h"
#include "print/brief.h"
#include "source/free_names.h"
#include "source/message_cast.h"
#include "source/plain_node.h"

namespace onnxc::diff {
namespace {

using onnx::NodeProto;

/// Returns a short name for the node.
std::string_view Label(const NodeProto& node) {
  for (const std::string& name : node.output()) {
    if (!name.empty()) return name;
  }
  return node.name().empty() ? node.op_type() : node.name();
}

std::string List(const google::protobuf::RepeatedPtrField<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + (name.empty() ? "\"\"" : name);
  return "(" + OneLine(list) + ")";
}

/// Returns the operator with its domain, such as `ai.onnx.ml.Scaler`.
std::string OperatorOf(const NodeProto& node) {
  const std::string name = node.domain().empty() ? node.op_type() : node.domain() + "." + node.op_type();
  return OneLine(node.overload().empty() ? name : name + ":" + node.overload());
}

/// Describes how the attributes of a node differ from those of the node that it replaced: `alpha = 0.1, without axis`.
std::string AttributesComparedTo(const NodeProto& before, const NodeProto& after) {
  const auto by_name = [](const NodeProto& node) {
    NameMap<const onnx::AttributeProto*> attributes;
    for (const onnx::AttributeProto& attribute : node.attribute()) attributes.emplace(attribute.name(), &attribute);
    return attributes;
  };
  const auto old_attributes = by_name(before);
  const auto new_attributes = by_name(after);
  std::vector<std::string> changes;
  for (const onnx::AttributeProto& attribute : after.attribute()) {
    const auto old = old_attributes.find(attribute.name());
    if (old != old_attributes.end() && SameMessage(*old->second, attribute)) continue;
    changes.push_back(attribute.name() + " = " + Brief(attribute));
  }
  for (const onnx::AttributeProto& attribute : before.attribute()) {
    if (!new_attributes.contains(attribute.name())) changes.push_back("without " + attribute.name());
  }
  return OneLine(fmt::format("{}", fmt::join(changes, ", ")));
}

std::vector<std::string_view> NamesOf(const std::vector<const onnx::TensorProto*>& tensors) {
  std::vector<std::string_view> names;
  for (const onnx::TensorProto* tensor : tensors) names.push_back(tensor->name());
  return names;
}

}  // namespace

BodyComparer::BodyComparer(const Both& at, const Body& before, const Body& after, const BodyFields& fields,
                           Comparer* comparer)
    : at_(at),
      before_(before),
      after_(after),
      fields_(fields),
      comparer_(*comparer),
      match_(MatchBodies(before, after, comparer->counterparts(), !comparer->IsIgnored(Aspect::kNames))),
      counterparts_(&comparer->counterparts()) {
  FindCounterparts();
}

void BodyComparer::FindCounterparts() {
  Declare(match_.inputs, before_.inputs, after_.inputs);
  removed_.resize(At(before_.nodes.size()));
  added_.resize(At(after_.nodes.size()));
  for (int i = 0; i < before_.nodes.size(); ++i) {
    const NodeProto& node = before_.nodes[i];
    const int pair = match_.nodes.AfterOf(i);
    if (pair < 0) removed_[At(i)] = &effects_.emplace_back();
    for (int k = 0; k < node.output_size(); ++k) {
      const bool has_pair = pair >= 0 && k < after_.nodes[pair].output_size() && !after_.nodes[pair].output(k).empty();
      has_pair ? counterparts_.Pair(node.output(k), after_.nodes[pair].output(k))
               : counterparts_.AddRemoved(node.output(k), removed_[At(i)]);
    }
  }
  for (int i = 0; i < after_.nodes.size(); ++i) {
    if (match_.nodes.BeforeOf(i) >= 0) continue;
    added_[At(i)] = &effects_.emplace_back();
    for (const std::string& output : after_.nodes[i].output()) counterparts_.AddNew(output, added_[At(i)]);
  }
  Declare(match_.initializers, NamesOf(before_.initializers), NamesOf(after_.initializers));
}

void BodyComparer::Declare(const Matching& matching, const std::vector<std::string_view>& before,
                           const std::vector<std::string_view>& after) {
  for (int i = 0; i < matching.before_size(); ++i) {
    const int pair = matching.AfterOf(i);
    pair < 0 ? counterparts_.AddRemoved(before[At(i)], nullptr) : counterparts_.Pair(before[At(i)], after[At(pair)]);
  }
  for (int i = 0; i < matching.after_size(); ++i) {
    if (matching.BeforeOf(i) < 0) counterparts_.AddNew(after[At(i)], nullptr);
  }
}

void BodyComparer::Run() {
  CompareInputs();
  CompareOutputs();
  CompareInitializers();
  CompareNodes();
}

// ---- lists of values

std::string BodyComparer::ElementPath(bool is_old, int field, int index) const {
  const Place& place = is_old ? at_.before : at_.after;
  const google::protobuf::FieldDescriptor& descriptor = *place.message.GetDescriptor()->FindFieldByNumber(field);
  if (descriptor.message_type() == nullptr) return PathOf({place, field, index});
  return PathOf(
      place.Child(place.message.GetReflection()->GetRepeatedMessage(place.message, &descriptor, index), field, index));
}

void BodyComparer::ReportElement(Kind kind, int field, int index) {
  const bool is_old = kind == Kind::kRemoved;
  const Place& place = is_old ? at_.before : at_.after;
  const google::protobuf::Reflection& reflection = *place.message.GetReflection();
  const google::protobuf::FieldDescriptor& descriptor = *place.message.GetDescriptor()->FindFieldByNumber(field);
  const bool is_name = descriptor.message_type() == nullptr;
  std::string brief = is_name ? OneLine(reflection.GetRepeatedString(place.message, &descriptor, index))
                              : Brief(reflection.GetRepeatedMessage(place.message, &descriptor, index));
  comparer_.Report(kind, Aspect::kModel, ElementPath(is_old, field, index), is_old ? brief : "", is_old ? "" : brief);
}

void BodyComparer::ReportOrder(const Matching& matching, int field, Aspect aspect) {
  const Matching::Disorder disorder = matching.FindDisorder();
  if (disorder.count == 0) return;
  const std::string others = disorder.count == 1 ? "" : fmt::format(", with {} others", disorder.count - 1);
  comparer_.Report(Kind::kChanged, aspect, ElementPath(false, field, disorder.first), "", "",
                   fmt::format("moved, was at {}{}", matching.BeforeOf(disorder.first), others));
}

void BodyComparer::CompareInputs() {
  const bool are_names = fields_.initializer == 0;
  for (int i = 0; i < match_.inputs.before_size(); ++i) {
    if (match_.inputs.AfterOf(i) < 0) ReportElement(Kind::kRemoved, fields_.input, i);
  }
  for (int i = 0; i < match_.inputs.after_size(); ++i) {
    const int pair = match_.inputs.BeforeOf(i);
    if (pair < 0) {
      ReportElement(Kind::kAdded, fields_.input, i);
      continue;
    }
    comparer_.ReportName({at_.after, fields_.input, i}, before_.inputs[At(pair)], after_.inputs[At(i)]);
    if (are_names) continue;
    const auto& before = static_cast<const onnx::GraphProto&>(at_.before.message).input(pair);
    const auto& after = static_cast<const onnx::GraphProto&>(at_.after.message).input(i);
    comparer_.Compare(at_.Child(before, after, fields_.input, pair, i));
  }
  ReportOrder(match_.inputs, fields_.input, Aspect::kModel);
}

Matching BodyComparer::MatchOutputs() const {
  Matching matching(before_.outputs.size(), after_.outputs.size());
  const auto pair_equal = [&](auto name_of) {
    NameMap<int> places;
    for (int i = matching.after_size(); i-- > 0;) {
      if (matching.BeforeOf(i) < 0) places[after_.outputs[At(i)]] = i;
    }
    for (int i = 0; i < matching.before_size(); ++i) {
      const std::optional<std::string_view> name = name_of(before_.outputs[At(i)]);
      const auto found = name ? places.find(*name) : places.end();
      if (found != places.end() && matching.AreFree(i, found->second)) matching.Pair(i, found->second);
    }
  };
  const auto in_order = [&] {
    int next = 0;
    for (int i = 0; i < matching.before_size(); ++i) {
      if (matching.AfterOf(i) >= 0) continue;
      while (next < matching.after_size() && matching.BeforeOf(next) >= 0) ++next;
      if (next < matching.after_size()) matching.Pair(i, next);
    }
  };
  if (comparer_.IsIgnored(Aspect::kNames)) {
    if (matching.before_size() == matching.after_size()) in_order();
  } else {
    pair_equal([](std::string_view name) { return std::optional(name); });
  }
  pair_equal([&](std::string_view name) { return counterparts_.Of(name); });
  in_order();
  return matching;
}

void BodyComparer::CompareOutputs() {
  const Matching matching = MatchOutputs();
  for (int i = 0; i < matching.before_size(); ++i) {
    if (matching.AfterOf(i) < 0) ReportElement(Kind::kRemoved, fields_.output, i);
  }
  for (int i = 0; i < matching.after_size(); ++i) {
    const int pair = matching.BeforeOf(i);
    pair < 0 ? ReportElement(Kind::kAdded, fields_.output, i) : CompareOutput(pair, i);
  }
  ReportOrder(matching, fields_.output, Aspect::kModel);
}

void BodyComparer::CompareOutput(int before, int after) {
  const std::string_view old_name = before_.outputs[At(before)];
  const std::string_view new_name = after_.outputs[At(after)];
  const bool is_same_value = counterparts_.Of(old_name) == new_name;
  const bool is_explained =
      counterparts_.EffectsOfNew(new_name) != nullptr || counterparts_.EffectsOfRemoved(old_name) != nullptr;
  const bool has_names = !comparer_.IsIgnored(Aspect::kNames);
  const bool keeps_name = old_name == new_name && (has_names || is_explained);
  if (!is_same_value && !keeps_name && (has_names || !is_explained)) {
    comparer_.Report(Kind::kChanged, Aspect::kModel, ElementPath(false, fields_.output, after), OneLine(old_name),
                     OneLine(new_name), "another value");
  }
  if (fields_.initializer == 0) return;
  const auto& old_value = static_cast<const onnx::GraphProto&>(at_.before.message).output(before);
  const auto& new_value = static_cast<const onnx::GraphProto&>(at_.after.message).output(after);
  comparer_.CompareFields(at_.Child(old_value, new_value, fields_.output, before, after),
                          Fields(onnx::ValueInfoProto::kNameFieldNumber));
}

void BodyComparer::CompareInitializers() {
  NameSet changed_weights;
  const Matching& matching = match_.initializers;
  for (int i = 0; i < matching.before_size(); ++i) {
    if (matching.AfterOf(i) < 0) ReportElement(Kind::kRemoved, fields_.initializer, i);
  }
  for (int i = 0; i < matching.after_size(); ++i) {
    const int pair = matching.BeforeOf(i);
    if (pair < 0) {
      ReportElement(Kind::kAdded, fields_.initializer, i);
      continue;
    }
    const onnx::TensorProto& before = *before_.initializers[At(pair)];
    const onnx::TensorProto& after = *after_.initializers[At(i)];
    const Both tensors = at_.Child(before, after, fields_.initializer, pair, i);
    comparer_.ReportName(tensors.after, before.name(), after.name());
    const std::size_t differences = comparer_.differences().size();
    comparer_.Compare(tensors);
    if (comparer_.differences().size() > differences) changed_weights.insert(after.name());
  }
  ReportOrder(matching, fields_.initializer, Aspect::kStorage);
  if (comparer_.IsMarking() && !changed_weights.empty()) MarkReaders(changed_weights);
}

void BodyComparer::MarkReaders(const NameSet& values) {
  for (const NodeProto& node : after_.nodes) {
    ForEachFreeName(node, [&](const std::string& name, const google::protobuf::Message& reader, auto&&...) {
      if (!values.contains(name)) return;
      // If no node reads the weight itself, a graph or an attribute inside of this node does.
      const auto* const inside = MessageCast<NodeProto>(reader);
      comparer_.Mark(inside == nullptr ? node : *inside, NodeChange::kChanged);
    });
  }
}

// ---- nodes

void BodyComparer::CompareNodes() {
  std::vector<std::pair<std::size_t, const Effects*>> reported;
  const auto report = [&](Kind kind, int node, const Effects* effects) {
    ReportElement(kind, fields_.node, node);
    reported.emplace_back(comparer_.differences().size() - 1, effects);
  };
  int next = 0;  // index of the next old node; removed nodes are reported at their old places
  const auto report_removed = [&](int end) {
    for (; next < end; ++next) {
      if (match_.nodes.AfterOf(next) < 0) report(Kind::kRemoved, next, removed_[At(next)]);
    }
  };
  for (int i = 0; i < after_.nodes.size(); ++i) {
    const int pair = match_.nodes.BeforeOf(i);
    if (pair < 0) {
      comparer_.Mark(after_.nodes[i], NodeChange::kAdded);
      report(Kind::kAdded, i, added_[At(i)]);
    } else {
      report_removed(pair);
      CompareNode(pair, i);
    }
  }
  report_removed(before_.nodes.size());
  for (const auto& [difference, effects] : reported) ReportEffects(difference, *effects);
  ReportOrder(match_.nodes, fields_.node, Aspect::kStorage);
}

void BodyComparer::ReportEffects(std::size_t difference, const Effects& effects) {
  std::string& detail = comparer_.differences()[difference].detail;
  detail += fmt::format("{}", fmt::join(effects.shown, ", "));
  if (effects.count > Effects::kShown) detail += fmt::format(", and {} more", effects.count - Effects::kShown);
}

void BodyComparer::CompareNode(int before, int after) {
  const NodeProto& old_node = before_.nodes[before];
  const NodeProto& new_node = after_.nodes[after];
  const Both node = at_.Child(old_node, new_node, fields_.node, before, after);
  Comparer::Subject subject(new_node);
  const auto about = comparer_.About(&subject);
  CompareReads(node, old_node, new_node);
  CompareWrites(node, old_node, new_node);
  const bool sees_changes = counterparts_.IsChanging() && std::ranges::any_of(old_node.attribute(), HoldsGraphs);
  if (!sees_changes && SameMessage(old_node, new_node)) return;

  const bool is_replaced = old_node.op_type() != new_node.op_type() || old_node.domain() != new_node.domain() ||
                           old_node.overload() != new_node.overload();
  if (is_replaced) {
    comparer_.Report(Kind::kChanged, Aspect::kModel, PathOf(node.after), OperatorOf(old_node), OperatorOf(new_node),
                     AttributesComparedTo(old_node, new_node));
  }
  constexpr FieldSet kDone =
      Fields(NodeProto::kOpTypeFieldNumber, NodeProto::kDomainFieldNumber, NodeProto::kOverloadFieldNumber,
             NodeProto::kInputFieldNumber, NodeProto::kOutputFieldNumber);
  // A different operator has different attributes, so they are not compared.
  comparer_.CompareFields(node, is_replaced ? kDone | Fields(NodeProto::kAttributeFieldNumber) : kDone);
}

bool BodyComparer::IsEffect(std::string_view reader, std::string_view before, std::string_view after) {
  Effects* effects = counterparts_.EffectsOfNew(after);
  if (effects == nullptr) effects = counterparts_.EffectsOfRemoved(before);
  if (effects == nullptr || before.empty() || after.empty()) return false;
  effects->Add([&] {
    const std::string reads = fmt::format("{} reads {}", OneLine(reader), OneLine(after));
    return before == after ? reads : fmt::format("{} instead of {}", reads, OneLine(before));
  });
  return true;
}

void BodyComparer::CompareReads(const Both& node, const NodeProto& before, const NodeProto& after) {
  const std::string_view reader = Label(after);
  int changes = before.input_size() == after.input_size() ? 0 : 2;
  int last = 0;
  for (int i = 0; i < std::min(before.input_size(), after.input_size()); ++i) {
    const auto counterpart =
        before.input(i).empty() ? std::optional<std::string_view>("") : counterparts_.Of(before.input(i));
    if (counterpart == after.input(i) || IsEffect(reader, before.input(i), after.input(i))) continue;
    ++changes;
    last = i;
  }
  if (changes == 0) return;
  if (changes == 1) {
    const std::string path = PathOf({node.after, NodeProto::kInputFieldNumber, last});
    return comparer_.Report(Kind::kChanged, Aspect::kModel, path, OneLine(before.input(last)),
                            OneLine(after.input(last)));
  }
  comparer_.Report(Kind::kChanged, Aspect::kModel, Comparer::PathOfField(node.after, "input"), List(before.input()),
                   List(after.input()));
}

void BodyComparer::CompareWrites(const Both& node, const NodeProto& before, const NodeProto& after) {
  bool is_changed = before.output_size() != after.output_size();
  for (int i = 0; i < std::min(before.output_size(), after.output_size()); ++i) {
    const std::string& old_name = before.output(i);
    const std::string& new_name = after.output(i);
    if (old_name == new_name) continue;
    is_changed |= old_name.empty() || new_name.empty();
    if (old_name.empty() || new_name.empty()) continue;
    Effects* effects = counterparts_.EffectsOfNew(old_name);
    if (effects == nullptr) effects = counterparts_.EffectsOfRemoved(new_name);
    if (effects != nullptr) {
      effects->Add([&] {
        return fmt::format("{} writes {} instead of {}", OneLine(after.op_type()), OneLine(new_name),
                           OneLine(old_name));
      });
    } else {
      comparer_.ReportName({node.after, NodeProto::kOutputFieldNumber, i}, old_name, new_name);
    }
  }
  if (!is_changed) return;
  comparer_.Report(Kind::kChanged, Aspect::kModel, Comparer::PathOfField(node.after, "output"), List(before.output()),
                   List(after.output()));
}

}  // namespace onnxc::diff
