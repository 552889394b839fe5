// What can be done to a field: each value that could be special.
#pragma once

#include <google/protobuf/message.h>

#include <functional>
#include <string>
#include <vector>

namespace onnxc::testing {

/// Reflection's SetString() and AddString(): newer versions of protobuf have others of these names, too.
using StringSetter = void (google::protobuf::Reflection::*)(google::protobuf::Message*,
                                                            const google::protobuf::FieldDescriptor*,
                                                            std::string) const;

/// Something done to a field of a message.
struct Variant {
  std::string name;
  std::function<void(google::protobuf::Message*)> apply;
};

/// Also to have no value, and, of a list, to have many.
[[nodiscard]] std::vector<Variant> VariantsOf(const google::protobuf::FieldDescriptor* field);

}  // namespace onnxc::testing
