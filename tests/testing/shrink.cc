#include "testing/shrink.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/unknown_field_set.h>

#include <memory>
#include <string>
#include <vector>

namespace onnxc::testing {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

class Shrinker {
 public:
  explicit Shrinker(const std::function<bool()>& fails) : fails_(fails) {}

  /// Returns whether any part became smaller.
  bool Shrink(Message* message) {
    const Reflection* reflection = message->GetReflection();
    bool changed = !reflection->GetUnknownFields(*message).empty() &&
                   Try(message, [&] { reflection->MutableUnknownFields(message)->Clear(); });
    std::vector<const FieldDescriptor*> fields;
    reflection->ListFields(*message, &fields);
    for (const FieldDescriptor* field : fields) {
      if (Try(message, [&] { reflection->ClearField(message, field); })) {
        changed = true;
      } else if (field->is_repeated()) {
        changed |= ShrinkList(message, field);
      } else if (field->message_type() != nullptr) {
        changed |= Shrink(reflection->MutableMessage(message, field));
      } else if (field->cpp_type() == FieldDescriptor::CPPTYPE_STRING) {
        changed |= ShrinkString(message, field);
      }
    }
    return changed;
  }

 private:
  /// Makes a change, and undoes it if the error disappears.
  template <typename Change>
  bool Try(Message* message, Change change) {
    if (left_ == 0) return false;
    --left_;
    const std::unique_ptr<Message> saved(message->New());
    saved->CopyFrom(*message);
    change();
    if (fails_()) return true;
    message->CopyFrom(*saved);
    return false;
  }

  bool ShrinkList(Message* message, const FieldDescriptor* field) {
    const Reflection* reflection = message->GetReflection();
    bool changed = false;
    for (int part = reflection->FieldSize(*message, field) / 2; part > 0; part /= 2) {
      for (int end = reflection->FieldSize(*message, field); end >= part; end -= part) {
        changed |= Try(message, [&] {
          const int size = reflection->FieldSize(*message, field);
          for (int i = end; i < size; ++i) reflection->SwapElements(message, field, i - part, i);
          for (int i = 0; i < part; ++i) reflection->RemoveLast(message, field);
        });
      }
    }
    for (int i = 0; field->message_type() != nullptr && i < reflection->FieldSize(*message, field); ++i) {
      changed |= Shrink(reflection->MutableRepeatedMessage(message, field, i));
    }
    return changed;
  }

  bool ShrinkString(Message* message, const FieldDescriptor* field) {
    const Reflection* reflection = message->GetReflection();
    bool changed = false;
    for (std::size_t part = reflection->GetString(*message, field).size(); part > 0; part /= 2) {
      for (std::size_t at = 0; at + part <= reflection->GetString(*message, field).size();) {
        const bool shorter = Try(message, [&] {
          reflection->SetString(message, field, reflection->GetString(*message, field).erase(at, part));
        });
        changed |= shorter;
        if (!shorter) at += part;
      }
    }
    return changed;
  }

  const std::function<bool()>& fails_;
  int left_ = 20'000;  // tries
};

}  // namespace

void Shrink(Message* message, const std::function<bool()>& fails) {
  Shrinker shrinker(fails);
  while (shrinker.Shrink(message)) {
  }
}

}  // namespace onnxc::testing
