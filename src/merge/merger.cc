#include "merge/merger.h"

#include <fmt/format.h>
#include <google/protobuf/unknown_field_set.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string_view>

#include "diff/equality.h"
#include "diff/key_field.h"
#include "print/brief.h"
#include "source/message_cast.h"
#include "source/names.h"
#include "source/report.h"
#include "tables/signatures.h"

namespace onnxc::merge {
namespace {

using diff::At;
using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using onnx::AttributeProto;
using onnx::NodeProto;
using onnx::TensorProto;

bool Same(const Message& one, const Message& other) { return SameMessage(one, other, diff::Presence::kCounts); }

std::string_view WordOf(Side side) { return side == Side::kOurs ? "ours" : "theirs"; }

Place ChildOf(const Place& place, const FieldDescriptor& field, int index) {
  const auto& reflection = *place.message.GetReflection();
  const Message& child = field.is_repeated() ? reflection.GetRepeatedMessage(place.message, &field, index)
                                             : reflection.GetMessage(place.message, &field);
  return place.Child(child, field.number(), index);
}

int SizeOf(const Place& place, const FieldDescriptor& field) {
  return place.message.GetReflection()->FieldSize(place.message, &field);
}

template <typename Proto>
bool AreAll(const Three& at, bool (Proto::*has)() const) {
  return std::ranges::all_of(std::array{&at.base, &at.ours, &at.theirs}, [&](const Place* place) {
    const auto* const message = MessageCast<Proto>(place->message);
    return message != nullptr && (message->*has)();
  });
}

bool CallTheSame(const NodeProto& one, const NodeProto& other) {
  return one.op_type() == other.op_type() && one.domain() == other.domain() && one.overload() == other.overload();
}

/// Returns the fields of the message that are one value. The attributes and inputs of a node belong to its operator, so
/// they are merged one by one only if no version has replaced the operator.
FieldSet TogetherIn(const Three& at) {
  const Descriptor* const type = at.base.message.GetDescriptor();
  if (type == TensorProto::descriptor()) {
    return ~Fields(TensorProto::kNameFieldNumber, TensorProto::kDocStringFieldNumber,
                   TensorProto::kMetadataPropsFieldNumber);
  }
  if (type == AttributeProto::descriptor() && !AreAll(at, &AttributeProto::has_g)) {
    return ~Fields(AttributeProto::kNameFieldNumber, AttributeProto::kDocStringFieldNumber);
  }
  const auto* const base = MessageCast<NodeProto>(at.base.message);
  if (base == nullptr) return 0;
  const auto is_replaced = [&](const Place& place) {
    return !CallTheSame(*base, static_cast<const NodeProto&>(place.message));
  };
  if (!is_replaced(at.ours) && !is_replaced(at.theirs)) return 0;
  return Fields(NodeProto::kOpTypeFieldNumber, NodeProto::kDomainFieldNumber, NodeProto::kOverloadFieldNumber,
                NodeProto::kInputFieldNumber, NodeProto::kOutputFieldNumber, NodeProto::kAttributeFieldNumber);
}

/// Returns what identifies an element of a list in a message of the type `owner`, or nothing if only its place does.
std::optional<std::string> KeyOf(const Message& element, const Descriptor& owner) {
  if (const auto* function = MessageCast<onnx::FunctionProto>(element)) {
    return JoinedKey({NodeDomain(function->domain()), function->name(), function->overload()});
  }
  if (const auto* import = MessageCast<onnx::OperatorSetIdProto>(element))
    return std::string(NodeDomain(import->domain()));
  if (&owner == onnx::GraphProto::descriptor()) {
    if (const auto* tensor = MessageCast<TensorProto>(element)) return tensor->name();
    if (const auto* sparse = MessageCast<onnx::SparseTensorProto>(element)) return sparse->values().name();
  }
  const FieldDescriptor* const field = diff::KeyField(*element.GetDescriptor());
  return field == nullptr ? std::nullopt : std::optional(Brief(element, *field));
}

/// Returns the keys of all elements, with the number of equal keys before each of them. If elements have no keys, their
/// places are used.
std::vector<std::string> KeysOf(const Place& place, const FieldDescriptor& field) {
  std::vector<std::string> keys;
  std::map<std::string, int> seen;
  for (int i = 0; i < SizeOf(place, field); ++i) {
    const auto key = KeyOf(ChildOf(place, field, i).message, *place.message.GetDescriptor()).value_or("");
    keys.push_back(fmt::format("{}\n{}", seen[key]++, key));
  }
  return keys;
}

}  // namespace

Three Three::Child(const FieldDescriptor& field, const Entry& entry) const {
  return {ChildOf(base, field, entry.base), ChildOf(ours, field, entry.ours), ChildOf(theirs, field, entry.theirs)};
}

Diagnostics Merger::Run(const Three& models, Message* merged) {
  Merge(models, merged);
  return std::move(conflicts_);
}

void Merger::Report(const Spot& spot, bool is_ours, std::string message) {
  SourceRange range = kNowhere;
  for (const Place* place = &spot.place; is_ours && places_ != nullptr && place != nullptr; place = place->parent) {
    const bool is_own = place == &spot.place;
    const SourceRange* const found = places_->Find(place->message, is_own ? spot.field : 0, is_own ? spot.index : 0);
    if (found == nullptr) continue;
    range = *found;
    break;
  }
  Diagnostic conflict = MakeDiagnostic(diag::kMergeConflict, range, message);
  if (range == kNowhere) conflict.path = PathOf(spot);
  conflicts_.Add(std::move(conflict));
}

void Merger::Merge(const Three& at, Message* merged) {
  const Descriptor* const type = at.base.message.GetDescriptor();
  if (type == onnx::GraphProto::descriptor()) return MergeBody<onnx::GraphProto>(at, merged);
  if (type == onnx::FunctionProto::descriptor()) return MergeBody<onnx::FunctionProto>(at, merged);
  for (const Unit& unit : UnitsOf(*type, TogetherIn(at))) MergeUnit(at, unit, merged);
  MergeUnknownFields(at, merged);
  if (type == onnx::ModelProto::descriptor()) CheckOperators(at, static_cast<const onnx::ModelProto&>(*merged));
}

void Merger::MergeUnit(const Three& at, const Unit& unit, Message* merged) {
  const Message& ours = at.ours.message;
  const Message& theirs = at.theirs.message;
  if (SameUnit(at.base.message, theirs, unit) || SameUnit(ours, theirs, unit)) return CopyUnit(ours, unit, merged);
  if (SameUnit(at.base.message, ours, unit)) return CopyUnit(theirs, unit, merged);
  if (MergeParts(at, unit, merged)) return;
  const bool is_field = unit.size() == 1 && unit[0]->message_type() == nullptr;
  const auto brief = [&](const Message& message) { return is_field ? Brief(message, *unit[0]) : Brief(message); };
  const std::string values = brief(ours) == brief(theirs) ? std::string("differently")
                                                          : fmt::format("to {} in ours, and to {} in theirs",
                                                                        Quoted(brief(ours)), Quoted(brief(theirs)));
  Report(unit.size() == 1 ? Spot(at.ours, unit[0]->number()) : Spot(at.ours), true,
         fmt::format("both versions changed this: {}", values));
  CopyUnit(at.In(favored_).message, unit, merged);
}

bool Merger::MergeParts(const Three& at, const Unit& unit, Message* merged) {
  const auto is_in_both = [&](const Field* field) {
    const auto has = [&](const Place& place) { return place.message.GetReflection()->HasField(place.message, field); };
    return has(at.ours) && has(at.theirs);
  };
  const Field* field = unit.front();
  if (field->real_containing_oneof() != nullptr) {
    const auto found = std::ranges::find_if(unit, is_in_both);
    if (found == unit.end()) return false;
    field = *found;
  } else if (unit.size() > 1) {
    return false;
  }
  if (field->message_type() == nullptr) return MergeNames(at, *field, merged);
  if (field->is_repeated()) return MergeKeyedList(at, *field, merged);
  if (!is_in_both(field)) return false;
  Merge(at.Child(*field), merged->GetReflection()->MutableMessage(merged, field));
  return true;
}

/// Merges the inputs or outputs of a node one by one, because each place has its own meaning.
bool Merger::MergeNames(const Three& at, const Field& field, Message* merged) {
  const bool has_places = at.base.message.GetDescriptor() == NodeProto::descriptor() && field.is_repeated();
  const int size = has_places ? SizeOf(at.base, field) : 0;
  if (!has_places || SizeOf(at.ours, field) != size || SizeOf(at.theirs, field) != size) return false;
  const auto name = [&](const Place& place, int i) {
    return place.message.GetReflection()->GetRepeatedString(place.message, &field, i);
  };
  for (int i = 0; i < size; ++i) {
    const std::string ours = name(at.ours, i);
    const std::string theirs = name(at.theirs, i);
    const bool is_conflict = ours != theirs && name(at.base, i) != ours && name(at.base, i) != theirs;
    if (is_conflict) {
      Report(Spot(at.ours, field.number(), i), true,
             fmt::format("both versions changed this: to '{}' in ours, and to '{}' in theirs", Quoted(ours),
                         Quoted(theirs)));
    }
    const bool takes_ours = is_conflict ? favored_ == Side::kOurs : name(at.base, i) != ours;
    merged->GetReflection()->AddString(merged, &field, takes_ours ? ours : theirs);
  }
  return true;
}

void Merger::MergeUnknownFields(const Three& at, Message* merged) {
  const std::string base = diff::UnknownFields(at.base.message);
  const std::string ours = diff::UnknownFields(at.ours.message);
  const std::string theirs = diff::UnknownFields(at.theirs.message);
  const bool is_conflict = ours != theirs && base != ours && base != theirs;
  if (is_conflict) Report(at.ours, true, "both versions changed the fields that onnxc does not know");
  const bool takes_ours = is_conflict ? favored_ == Side::kOurs : base != ours;
  const Message& from = at.In(takes_ours ? Side::kOurs : Side::kTheirs).message;
  merged->GetReflection()->MutableUnknownFields(merged)->MergeFrom(from.GetReflection()->GetUnknownFields(from));
}

// ---- lists

bool Merger::MergeKeyedList(const Three& at, const Field& field, Message* merged) {
  const int size = SizeOf(at.base, field);
  const Descriptor& owner = *at.base.message.GetDescriptor();
  for (const Place* place : {&at.base, &at.ours, &at.theirs}) {
    const bool has_keys = SizeOf(*place, field) == 0 || KeyOf(ChildOf(*place, field, 0).message, owner).has_value();
    if (!has_keys && (SizeOf(at.ours, field) != size || SizeOf(at.theirs, field) != size)) return false;
  }
  const auto base = KeysOf(at.base, field);
  const auto ours = KeysOf(at.ours, field);
  const auto theirs = KeysOf(at.theirs, field);
  MergeList(at, field, {MatchKeys(base, ours), MatchKeys(base, theirs), MatchKeys(ours, theirs)}, merged);
  return true;
}

void Merger::MergeList(const Three& at, const Field& field, const Pairs& pairs, Message* merged, MergedNodes* nodes) {
  std::vector<Entry> entries = EntriesOf(pairs);
  std::vector<int> kept = OrderOf(entries, pairs);
  const bool is_ordered =
      field.containing_type() == onnx::GraphProto::descriptor() &&
      (field.number() == onnx::GraphProto::kInputFieldNumber || field.number() == onnx::GraphProto::kOutputFieldNumber);
  if (is_ordered && IsOrderUncertain(entries, pairs)) {
    Report(at.ours, true,
           fmt::format("both versions added or moved {}s, and the order of {}s has a meaning", field.name(),
                       field.name()));
  }
  std::erase_if(kept, [&](int entry) { return !MergeElement(at, field, entries[At(entry)], merged); });
  if (nodes != nullptr) *nodes = {std::move(entries), std::move(kept)};
}

bool Merger::MergeElement(const Three& at, const Field& field, const Entry& entry, Message* merged) {
  const auto add = [&] { return merged->GetReflection()->AddMessage(merged, &field); };
  const auto take = [&](Side side) {
    if (entry.In(side) < 0) return false;
    add()->CopyFrom(ChildOf(at.In(side), field, entry.In(side)).message);
    return true;
  };
  if (entry.ours < 0 && entry.theirs < 0) return false;
  if (entry.ours >= 0 && entry.theirs >= 0) {
    const Place ours = ChildOf(at.ours, field, entry.ours);
    const Place theirs = ChildOf(at.theirs, field, entry.theirs);
    if (Same(ours.message, theirs.message)) return take(Side::kOurs);
    if (entry.base >= 0) {
      const Three element = at.Child(field, entry);
      if (Same(element.base.message, theirs.message)) return take(Side::kOurs);
      if (Same(element.base.message, ours.message)) return take(Side::kTheirs);
      if (!entry.is_doubtful) {
        Merge(element, add());
        return true;
      }
      Report(ours, true, "both versions changed this, but it is uncertain which nodes of both are the same");
      return take(favored_);
    }
    Report(ours, true,
           fmt::format("both versions added this, but differently: theirs is '{}'", Quoted(Brief(theirs.message))));
    return take(favored_);
  }
  const Side side = entry.ours >= 0 ? Side::kOurs : Side::kTheirs;
  if (entry.base < 0) return take(side);
  const Place element = ChildOf(at.In(side), field, entry.In(side));
  if (Same(ChildOf(at.base, field, entry.base).message, element.message)) return false;
  const Side other = side == Side::kOurs ? Side::kTheirs : Side::kOurs;
  Report(element, side == Side::kOurs,
         fmt::format("{} removed this, but {} changed it: '{}'", WordOf(other), WordOf(side),
                     Quoted(Brief(element.message))));
  return take(favored_);
}

}  // namespace onnxc::merge
