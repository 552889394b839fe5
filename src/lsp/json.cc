#include "lsp/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "source/unicode.h"

namespace onnxc::lsp {
namespace {

/// Returns the UTF-16 code unit of the escape `\uXXXX` at the beginning of the text, or 0 if there is none.
char16_t EscapedUnit(std::string_view text) {
  std::uint16_t unit = 0;
  constexpr std::size_t kEnd = 6;
  if (text.size() < kEnd || !text.starts_with("\\u")) return 0;
  const auto [end, error] = std::from_chars(text.data() + 2, text.data() + kEnd, unit, 16);
  return error == std::errc() && end == text.data() + kEnd ? unit : 0;
}

bool IsHigh(char16_t unit) { return unit >= 0xD800 && unit <= 0xDBFF; }
bool IsLow(char16_t unit) { return unit >= 0xDC00 && unit <= 0xDFFF; }

/// Returns whether the text begins with a surrogate in the form of UTF-8.
bool BeginsWithSurrogate(std::string_view text) {
  const auto is_in = [&](std::size_t at, char first, char last) { return text[at] >= first && text[at] <= last; };
  return text.size() >= 3 && text[0] == '\xED' && is_in(1, '\xA0', '\xBF') && is_in(2, '\x80', '\xBF');
}

/// Replaces halves of surrogate pairs and bytes that are not UTF-8 in JSON text.
std::string WithWholeCharacters(std::string_view json) {
  constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD
  std::string whole;
  for (std::size_t at = 0; at < json.size();) {
    const std::string_view rest = json.substr(at);
    const char16_t unit = EscapedUnit(rest);
    std::size_t length = 1;
    std::string_view replacement;
    if (IsHigh(unit) && IsLow(EscapedUnit(rest.substr(6)))) {
      length = 12;
    } else if (IsHigh(unit) || IsLow(unit)) {
      length = 6;
      replacement = kReplacement;
    } else if (rest.starts_with('\\')) {
      length = rest.starts_with("\\\\") ? 2 : 1;  // the second backslash begins no escape
    } else if (BeginsWithSurrogate(rest)) {
      length = 3;
      replacement = kReplacement;
    } else if (const Character character = DecodeCharacter(json, at); character.valid) {
      length = character.length;
    } else {
      replacement = "?";
    }
    whole += replacement.empty() ? rest.substr(0, length) : replacement;
    at += length;
  }
  return whole;
}

}  // namespace

Json ParsedMessage(std::string_view content) {
  const auto parse = [](std::string_view text) { return Json::parse(text, nullptr, /*allow_exceptions=*/false); };
  Json message = parse(content);
  return message.is_discarded() ? parse(WithWholeCharacters(content)) : message;
}

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
