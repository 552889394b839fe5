// The keys of headers: the fields of a model or function for which there is no dedicated syntax.
#pragma once

#include <onnxc/proto.h>

#include <array>
#include <string_view>

namespace onnxc {

/// Returns the field of this name, or null. Messages have few fields, so comparing all names takes a tenth of the time
/// of protobuf's lookup, which makes a string and hashes it.
[[nodiscard]] inline const google::protobuf::FieldDescriptor* FindField(const google::protobuf::Descriptor* type,
                                                                        std::string_view name) {
  for (int i = 0; i < type->field_count(); ++i) {
    if (type->field(i)->name() == name) return type->field(i);
  }
  return nullptr;
}

/// Returns whether a header of this message type, ModelProto or FunctionProto, has the key.
[[nodiscard]] inline bool HasKey(const google::protobuf::Descriptor* type, std::string_view key) {
  constexpr std::array<std::string_view, 2> kOfModels = {"graph", "functions"};
  constexpr std::array<std::string_view, 7> kOfFunctions = {
      "name", "input", "output", "attribute", "attribute_proto", "node", "value_info"};
  const auto is_in = [key](const auto& fields) {
    for (const std::string_view field : fields) {
      if (field == key) return true;
    }
    return false;
  };
  if (type == onnx::ModelProto::descriptor() ? is_in(kOfModels) : is_in(kOfFunctions)) return false;
  return FindField(type, key) != nullptr;
}

}  // namespace onnxc
