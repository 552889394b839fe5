// The keys of headers: the fields of a model or function for which there is no dedicated syntax.
#pragma once

#include <onnxc/proto.h>

#include <array>
#include <string>
#include <string_view>

namespace onnxc {

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
  return type->FindFieldByName(std::string(key)) != nullptr;
}

}  // namespace onnxc
