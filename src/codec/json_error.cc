#include "codec/json_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

#include "codec/json_place.h"
#include "source/affixes.h"
#include "source/report.h"
#include "source/unicode.h"

namespace onnxc::codec {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;

/// What protobuf's message is about: a value of the wrong type, an unknown key, or something else.
struct Fault {
  enum class Kind { kValue, kKey, kOther } kind = Kind::kOther;
  std::string path = {};    ///< the path of the value, or of the object with the key; "" for the whole message
  std::string key = {};     ///< the unknown key
  std::string reason = {};  ///< protobuf's words, which are shown if the kind is kOther
};

/// Newer versions of protobuf write two or three spaces instead of one, at random, so that no program relies on the
/// message.
std::string WithSingleSpaces(std::string_view text) {
  std::string single(text);
  const auto are_spaces = [](char a, char b) { return a == ' ' && b == ' '; };
  single.erase(std::unique(single.begin(), single.end(), are_spaces), single.end());
  return single;
}

/// Returns the path of the value in the list at `path` that follows the element with the index in `path`:
/// `floats[1]` for `floats[0]`, and `floats[0]` for `floats`.
std::string NextElement(std::string_view path) {
  const std::size_t bracket = path.ends_with(']') ? path.rfind('[') : path.size();
  std::size_t next = 0;
  if (bracket < path.size()) {
    std::from_chars(path.data() + bracket + 1, path.data() + path.size(), next);
    ++next;
  }
  return fmt::format("{}[{}]", path.substr(0, bracket), next);
}

/// Returns the path of the object that protobuf found in place of a scalar value. The message names the field `name`,
/// and has the path of the object that contains the field, or of the list or the last element before it.
std::string PathOfScalar(std::string_view path, std::string_view name) {
  const std::string_view last = path.substr(path.rfind('.') + 1);
  if (last.substr(0, last.find('[')) == name) return NextElement(path);
  return std::string(path).append(path.empty() ? "" : ".").append(name);
}

/// Reads a message up to version 21: `(graph.node[0].op_type): invalid value 5 for type TYPE_STRING`, `(graph.node[0])
/// foo: Cannot find field`, or `(graph) name: Proto field is not repeating, cannot start list`. There is no path in
/// parentheses if the error is in the outermost message.
Fault FromOldForm(std::string_view message) {
  Fault fault{.reason = std::string(message)};
  std::string_view rest = message;
  const std::size_t end = message.find(')');
  const std::string_view behind = end == std::string_view::npos ? "" : message.substr(end + 1);
  if (message.starts_with('(') && (behind.starts_with(' ') || behind.starts_with(": invalid value "))) {
    fault.path = message.substr(1, end - 1);
    rest = behind.substr(behind.starts_with(' ') ? 1 : 0);
  }
  if (RemovePrefix(": invalid value Starting an object on a scalar field for type ", &rest)) {
    fault.kind = Fault::Kind::kValue;
    fault.path = PathOfScalar(fault.path, rest);
  } else if (RemovePrefix(": invalid value ", &rest)) {
    const bool is_oneof = rest.starts_with("oneof field ") && RemoveSuffix(" for type oneof", &rest);
    fault.kind = is_oneof ? Fault::Kind::kOther : Fault::Kind::kValue;
    fault.reason = rest;
  } else if (RemoveSuffix(": Cannot find field", &rest)) {
    fault.kind = Fault::Kind::kKey;
    fault.key = rest;
  } else if (RemoveSuffix(": Proto field is not repeating, cannot start list", &rest)) {
    fault.kind = Fault::Kind::kValue;
    fault.path.append(fault.path.empty() ? "" : ".").append(rest);
  }
  return fault;
}

/// The words with which messages from version 22 on begin if a value has the wrong type or is out of range.
constexpr std::array<std::string_view, 4> kValueWords = {"unexpected character", "invalid number", "JSON number out of",
                                                         "corrupt base64"};

/// Reads a message from version 22 on: `invalid JSON in onnx.ModelProto @ graph.node[1].opType: string, near 1:53
/// (offset 52): unexpected character: '5'; expected '"'`, or the same with `no such field: 'foo'` at the end. There is
/// no path behind `@` if the error is in the outermost message.
Fault FromNewForm(std::string_view message) {
  const std::size_t near = message.find(", near ");
  const std::size_t words = message.find("): ", near);
  if (near == std::string_view::npos || words == std::string_view::npos) return {.reason = std::string(message)};
  std::string_view path = message.substr(0, near);
  path = path.substr(std::min(path.find(" @ "), path.size()));
  path = RemovePrefix(" @ ", &path) ? path.substr(0, path.find(": ")) : std::string_view();
  std::string_view reason = message.substr(words + 3);
  Fault fault{.path = std::string(path), .reason = std::string(reason)};
  if (RemovePrefix("no such field: '", &reason) && RemoveSuffix("'", &reason)) {
    fault.kind = Fault::Kind::kKey;
    fault.key = reason;
  } else if (std::ranges::any_of(kValueWords, [&](std::string_view word) { return reason.starts_with(word); })) {
    fault.kind = Fault::Kind::kValue;
  }
  return fault;
}

/// A field in a message, with the path of the field in the names of the schema.
struct Field {
  const FieldDescriptor* field = nullptr;
  std::string path = {};
};

/// Returns the field at a path such as `graph.node[1].opType`. `Field::field` is null if there is none.
Field FindField(std::string_view path, const Descriptor* type) {
  Field found;
  while (!path.empty()) {
    const std::string_view part = path.substr(0, path.find('.'));
    const std::string_view name = part.substr(0, part.find('['));
    const std::string key = FieldOfKey(name);
    path.remove_prefix(std::min(part.size() + 1, path.size()));
    found.field = nullptr;
    for (int i = 0; type != nullptr && i < type->field_count(); ++i) {
      if (FieldOfKey(type->field(i)->name()) == key) found.field = type->field(i);
    }
    if (found.field == nullptr) return {};
    found.path.append(found.path.empty() ? "" : ".").append(found.field->name()).append(part.substr(name.size()));
    type = found.field->message_type();
  }
  return found;
}

/// Returns the name of a message or an enum without the package of the schema, such as `TypeProto.Tensor`.
template <typename Type>
std::string NameInSchema(const Type& type) {
  return std::string(type.full_name().substr(type.file()->package().size() + 1));
}

/// Returns what the value at the path must be.
std::string ValueOf(const Field& at) {
  const FieldDescriptor& field = *at.field;
  if (field.is_repeated() && !at.path.ends_with(']')) return "a list";
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT32: return "an integer of 32 bits";
    case FieldDescriptor::CPPTYPE_INT64: return "an integer of 64 bits";
    case FieldDescriptor::CPPTYPE_UINT32: return "an integer of 32 bits without a sign";
    case FieldDescriptor::CPPTYPE_UINT64: return "an integer of 64 bits without a sign";
    case FieldDescriptor::CPPTYPE_FLOAT: return "a number of 32 bits";
    case FieldDescriptor::CPPTYPE_DOUBLE: return "a number of 64 bits";
    case FieldDescriptor::CPPTYPE_BOOL: return "true or false";
    case FieldDescriptor::CPPTYPE_ENUM: return "a value of " + NameInSchema(*field.enum_type());
    case FieldDescriptor::CPPTYPE_STRING:
      return field.type() == FieldDescriptor::TYPE_BYTES ? "a string with bytes in base64" : "a string";
    case FieldDescriptor::CPPTYPE_MESSAGE: return "an object with the fields of " + NameInSchema(*field.message_type());
  }
  return {};
}

}  // namespace

Diagnostic JsonError(std::string_view protobuf_message, std::string_view text, const Descriptor& type) {
  (void)RemoveSuffix(".", &protobuf_message);
  const std::string single = WithSingleSpaces(protobuf_message);
  const Fault fault = single.starts_with("invalid JSON in ") ? FromNewForm(single) : FromOldForm(protobuf_message);
  const bool is_placed = fault.kind != Fault::Kind::kOther || !fault.path.empty();
  const SourceRange place = is_placed ? FindJson(text, fault.path, fault.key) : kNowhere;
  const Field at = FindField(fault.path, &type);
  std::string reason = fault.reason;
  if (fault.kind == Fault::Kind::kValue && at.field != nullptr) {
    reason = fmt::format("{} must be {}", at.path, ValueOf(at));
  } else if (fault.kind == Fault::Kind::kKey) {
    const Descriptor* const owner = at.field == nullptr ? &type : at.field->message_type();
    if (owner != nullptr) reason = fmt::format("{} has no field '{}'", NameInSchema(*owner), fault.key);
  }
  return MakeDiagnostic(diag::kMalformedJson, place, Shown(reason));
}

}  // namespace onnxc::codec
