#include "testing/random_message.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/unknown_field_set.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "testing/plain_message.h"
#include "testing/random_model.h"
#include "testing/random_values.h"
#include "testing/variants.h"

namespace onnxc::testing {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::OneofDescriptor;
using google::protobuf::Reflection;
using google::protobuf::UnknownFieldSet;

constexpr int kMaxLevels = 100;  // the number of nested messages that protobuf reads inside of the outermost message

/// The number of messages that can be nested in each type, at most kMaxLevels.
using Heights = std::map<const Descriptor*, int>;

void AddHeights(const Descriptor* type, Heights* heights) {
  if (!heights->emplace(type, 0).second) return;
  for (int i = 0; i < type->field_count(); ++i) {
    if (const Descriptor* member = type->field(i)->message_type()) AddHeights(member, heights);
  }
}

Heights HeightsFrom(const Descriptor* top) {
  Heights heights;
  AddHeights(top, &heights);
  for (bool changed = true; changed;) {
    changed = false;
    for (auto& [type, height] : heights) {
      for (int i = 0; i < type->field_count(); ++i) {
        const Descriptor* member = type->field(i)->message_type();
        if (member == nullptr || height == kMaxLevels || heights[member] < height) continue;
        height = heights[member] + 1 > kMaxLevels ? kMaxLevels : heights[member] + 1;
        changed = true;
      }
    }
  }
  return heights;
}

class RandomMessage {
 public:
  explicit RandomMessage(std::uint64_t seed) : random_(seed), model_(&random_) {}

  void Fill(Message* message) {
    const std::size_t manner = random_.Below(20);
    if (manner < 4) {
      density_ = 1 + random_.Below(8);
      unknown_rarity_ = random_.OneIn(3) ? 8 : 100000;
      Noise(message, kMaxLevels, random_.OneIn(50) ? 1000 : 1 + random_.Below(60));
    } else if (manner < 5) {
      const int height = HeightsFrom(message->GetDescriptor()).at(message->GetDescriptor());
      Deep(message, height - static_cast<int>(random_.Below(4)));
    } else {
      model_.Fill(message, 20);
      if (manner >= 10) Change(message);
    }
  }

  /// Makes a few changes anywhere in the message.
  void Change(Message* top) {
    for (std::size_t count = 1 + random_.Below(3); count > 0; --count) {
      std::vector<Message*> all;
      std::vector<int> depth;
      Collect(top, 0, &all, &depth);
      const std::size_t at = random_.Below(all.size());
      ChangeFields(all[at], kMaxLevels - depth[at]);
    }
  }

  void Take(Message* top, Message* source) {
    std::vector<Message*> all;
    std::vector<Message*> sources;
    std::vector<int> depth;
    Collect(top, 0, &all, &depth);
    Collect(source, 0, &sources, &depth);
    const Message* taken = random_.Pick(sources);
    std::erase_if(all, [&](const Message* place) { return place->GetDescriptor() != taken->GetDescriptor(); });
    if (!all.empty()) random_.Pick(all)->CopyFrom(*taken);
  }

 private:
  const FieldDescriptor* AnyField(const Descriptor* type) {
    return type->field(static_cast<int>(random_.Below(static_cast<std::size_t>(type->field_count()))));
  }

  /// Sets some of the fields at random; `budget` limits the number of messages.
  void Noise(Message* message, int levels, std::size_t budget) {
    const Descriptor* type = message->GetDescriptor();
    std::vector<const FieldDescriptor*> inner;
    for (int i = 0; i < type->field_count(); ++i) {
      const FieldDescriptor* field = type->field(i);
      if (field->containing_oneof() != nullptr || random_.Below(8) >= density_) continue;
      field->message_type() == nullptr ? Scalars(message, field) : inner.push_back(field);
    }
    for (int i = 0; i < type->oneof_decl_count(); ++i) {
      const OneofDescriptor* oneof = type->oneof_decl(i);
      if (random_.OneIn(4)) continue;
      const FieldDescriptor* field =
          oneof->field(static_cast<int>(random_.Below(static_cast<std::size_t>(oneof->field_count()))));
      field->message_type() == nullptr ? Scalars(message, field) : inner.push_back(field);
    }
    if (random_.OneIn(unknown_rarity_)) Unknown(message->GetReflection()->MutableUnknownFields(message), type, levels);
    if (levels == 0) return;
    for (const FieldDescriptor* field : inner) {
      const std::size_t share = budget / inner.size();
      if (share == 0 && !random_.OneIn(4)) continue;
      const std::size_t count = field->is_repeated() ? 1 + random_.Below(std::min<std::size_t>(share + 1, 3)) : 1;
      for (std::size_t k = 0; k < count; ++k) Noise(Member(message, field), levels - 1, share / count);
    }
  }

  /// Returns the message in a field; for a repeated field, a new message.
  static Message* Member(Message* message, const FieldDescriptor* field) {
    const Reflection* reflection = message->GetReflection();
    return field->is_repeated() ? reflection->AddMessage(message, field) : reflection->MutableMessage(message, field);
  }

  /// Sets a field that does not contain messages to a value, or adds a few values to a repeated field.
  void Scalars(Message* message, const FieldDescriptor* field) {
    if (!field->is_repeated()) return Scalar(message, field);
    for (std::size_t count = random_.OneIn(20) ? 30 : 1 + random_.Below(3); count > 0; --count) Scalar(message, field);
  }

  void Scalar(Message* message, const FieldDescriptor* field) {
    const Reflection& reflection = *message->GetReflection();
    const bool is_default = random_.OneIn(4);
    const auto put = [&](auto set, auto add, auto value) {
      if (is_default) value = {};
      field->is_repeated() ? (reflection.*add)(message, field, std::move(value))
                           : (reflection.*set)(message, field, std::move(value));
    };
    switch (field->cpp_type()) {
      case FieldDescriptor::CPPTYPE_INT32:
        return put(&Reflection::SetInt32, &Reflection::AddInt32, random_.Int<std::int32_t>());
      case FieldDescriptor::CPPTYPE_INT64:
        return put(&Reflection::SetInt64, &Reflection::AddInt64, random_.Int<std::int64_t>());
      case FieldDescriptor::CPPTYPE_UINT32:
        return put(&Reflection::SetUInt32, &Reflection::AddUInt32, random_.Int<std::uint32_t>());
      case FieldDescriptor::CPPTYPE_UINT64:
        return put(&Reflection::SetUInt64, &Reflection::AddUInt64, random_.Int<std::uint64_t>());
      case FieldDescriptor::CPPTYPE_FLOAT: return put(&Reflection::SetFloat, &Reflection::AddFloat, random_.Float());
      case FieldDescriptor::CPPTYPE_DOUBLE:
        return put(&Reflection::SetDouble, &Reflection::AddDouble, random_.Double());
      case FieldDescriptor::CPPTYPE_BOOL: return put(&Reflection::SetBool, &Reflection::AddBool, random_.OneIn(2));
      case FieldDescriptor::CPPTYPE_STRING:
        return put(StringSetter(&Reflection::SetString), StringSetter(&Reflection::AddString), random_.String());
      case FieldDescriptor::CPPTYPE_ENUM: return Enum(message, field);
      case FieldDescriptor::CPPTYPE_MESSAGE: return;
    }
  }

  /// A value that is in the schema, or a value that is not; the latter is stored among the unknown fields.
  void Enum(Message* message, const FieldDescriptor* field) {
    const Reflection* reflection = message->GetReflection();
    if (random_.OneIn(12)) {
      return reflection->MutableUnknownFields(message)->AddVarint(field->number(),
                                                                  random_.OneIn(2) ? 99 : random_.Bits());
    }
    const auto* type = field->enum_type();
    const auto* value = type->value(static_cast<int>(random_.Below(static_cast<std::size_t>(type->value_count()))));
    field->is_repeated() ? reflection->AddEnum(message, field, value) : reflection->SetEnum(message, field, value);
  }

  /// Adds unknown fields of every wire type; their numbers are near the numbers of the fields of `type`, or equal to
  /// one of them.
  void Unknown(UnknownFieldSet* fields, const Descriptor* type, int levels) {
    for (std::size_t count = 1 + random_.Below(3); count > 0; --count) {
      static constexpr int kNumbers[] = {1, 2, 15, 16, 17, 99, 2047, 2048, 536870911};
      int number = random_.Pick(kNumbers);
      if (type != nullptr && random_.OneIn(2)) number = AnyField(type)->number() + static_cast<int>(random_.Below(2));
      const bool is_known = type != nullptr && type->FindFieldByNumber(number) != nullptr;
      switch (random_.Below(5)) {
        case 0: fields->AddVarint(number, random_.Int<std::uint64_t>()); break;
        case 1: fields->AddFixed32(number, random_.Int<std::uint32_t>()); break;
        case 2: fields->AddFixed64(number, random_.Int<std::uint64_t>()); break;
        case 3:  // in a known field these bytes would be read as a message
          if (!is_known) {
            // clang does not find protobuf's function for temporaries if g++ has compiled protobuf.
            const std::string bytes = random_.OneIn(2) ? random_.String() : std::string("\x0a\x01x\x10\x02", 5);
            fields->AddLengthDelimited(number, bytes);
          }
          break;
        default:
          if (levels < 1) break;
          UnknownFieldSet* group = fields->AddGroup(number);
          if (!random_.OneIn(3)) Unknown(group, nullptr, random_.OneIn(3) ? levels - 1 : 0);
      }
    }
  }

  /// A chain of nested messages with `levels` levels; the base grammar can represent most of them.
  void Deep(Message* message, int levels) {
    const int room = kMaxLevels - levels;
    const Heights heights = HeightsFrom(message->GetDescriptor());
    const bool is_plain = !random_.OneIn(4);
    const std::size_t noise = random_.OneIn(2) ? 5 : 1000;
    density_ = 3;
    unknown_rarity_ = 4;
    std::vector<const FieldDescriptor*> links;
    for (; levels > 0; --levels) {
      links.clear();
      const Descriptor* type = message->GetDescriptor();
      for (int i = 0; i < type->field_count(); ++i) {
        const Descriptor* member = type->field(i)->message_type();
        if (member != nullptr && heights.at(member) >= levels - 1) links.push_back(type->field(i));
      }
      if (links.empty()) break;
      const FieldDescriptor* link = random_.Pick(links);
      if (is_plain || random_.OneIn(2)) MakePlain(message, link);
      if (random_.OneIn(noise)) Noise(message, 1, 2);
      message = Member(message, link);
    }
    if (is_plain && room > 1) MakePlain(message);
  }

  void ChangeFields(Message* message, int levels) {
    const FieldDescriptor* field = AnyField(message->GetDescriptor());
    switch (random_.Below(6)) {
      case 0: return Unknown(message->GetReflection()->MutableUnknownFields(message), message->GetDescriptor(), levels);
      case 1:
      case 2: return message->GetReflection()->ClearField(message, field);
      default:
        if (field->message_type() == nullptr) return Scalars(message, field);
        if (levels <= 0) return;
        density_ = random_.OneIn(2) ? 0 : 3;
        Noise(Member(message, field), levels - 1, 3);
    }
  }

  static void Collect(Message* message, int depth, std::vector<Message*>* all, std::vector<int>* depths) {
    all->push_back(message);
    depths->push_back(depth);
    const Reflection* reflection = message->GetReflection();
    std::vector<const FieldDescriptor*> fields;
    reflection->ListFields(*message, &fields);
    for (const FieldDescriptor* field : fields) {
      if (field->message_type() == nullptr) continue;
      if (!field->is_repeated()) Collect(reflection->MutableMessage(message, field), depth + 1, all, depths);
      for (int i = 0; field->is_repeated() && i < reflection->FieldSize(*message, field); ++i) {
        Collect(reflection->MutableRepeatedMessage(message, field, i), depth + 1, all, depths);
      }
    }
  }

  RandomValues random_;
  RandomModel model_;
  std::size_t density_ = 4;              // eighths of the fields that are present in random messages
  std::size_t unknown_rarity_ = 100000;  // one message in this number of messages has unknown fields
};

}  // namespace

bool Normalise(Message* message) {
  const std::string bytes = message->SerializePartialAsString();
  return message->ParsePartialFromString(bytes);
}

void FillAtRandom(Message* message, std::uint64_t seed) {
  RandomMessage(seed).Fill(message);
  if (Normalise(message)) return;
  std::cerr << "seed " << seed << " gives a message that protobuf does not read back\n";
  std::abort();
}

void ChangeAtRandom(Message* message, std::uint64_t seed) { RandomMessage(seed).Change(message); }

void TakeAtRandom(Message* message, const Message& source, std::uint64_t seed) {
  const std::unique_ptr<Message> copy(source.New());
  copy->CopyFrom(source);
  RandomMessage(seed).Take(message, copy.get());
}

}  // namespace onnxc::testing
