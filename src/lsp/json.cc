#include "lsp/json.h"

#include <fmt/format.h>

namespace onnxc::lsp {

const Json& Member(const Json& object, const char* name) {
  if (object.is_object()) {
    const auto found = object.find(name);
    if (found != object.end()) return *found;
  }
  throw RequestError(ErrorCode::kInvalidParams, fmt::format("the parameters lack '{}'", name));
}

std::string StringMember(const Json& object, const char* name) {
  const Json& member = Member(object, name);
  if (!member.is_string()) throw RequestError(ErrorCode::kInvalidParams, fmt::format("'{}' must be a string", name));
  return member.get<std::string>();
}

const Json& Optional(const Json& object, const char* pointer) {
  static const Json kNothing;
  const Json::json_pointer path(pointer);
  return object.contains(path) ? object.at(path) : kNothing;
}

bool IsTrue(const Json& object, const char* pointer) {
  const Json& member = Optional(object, pointer);
  return member.is_boolean() && member.get<bool>();
}

}  // namespace onnxc::lsp
