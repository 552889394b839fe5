#include "lsp/json.h"

#include <fmt/format.h>

#include <algorithm>

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

std::string Dumped(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

void AppendString(std::string_view text, std::string* json) {
  const bool is_plain =
      std::ranges::all_of(text, [](char c) { return c >= ' ' && c < '\x7f' && c != '"' && c != '\\'; });
  if (!is_plain) {
    *json += Dumped(text);
    return;
  }
  *json += '"';
  *json += text;
  *json += '"';
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
