// Makes changes of a field: one for each special value.
#pragma once

#include <google/protobuf/message.h>

#include <functional>
#include <string>
#include <vector>

namespace onnxc::testing {

/// The type of Reflection::SetString() and AddString(). It selects one overload, because newer versions of protobuf
/// have several.
using StringSetter = void (google::protobuf::Reflection::*)(google::protobuf::Message*,
                                                            const google::protobuf::FieldDescriptor*,
                                                            std::string) const;

/// A change of a field of a message.
struct Variant {
  std::string name;
  std::function<void(google::protobuf::Message*)> apply;
};

/// Returns a change for each special value of the field. The changes also include clearing the field and adding many
/// values to a list.
[[nodiscard]] std::vector<Variant> VariantsOf(const google::protobuf::FieldDescriptor* field);

}  // namespace onnxc::testing
