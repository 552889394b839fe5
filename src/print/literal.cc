// Strings and names.
#include <algorithm>
#include <array>

#include "print/printer.h"
#include "print/writer.h"
#include "syntax/quoted.h"

namespace onnxc {
namespace {

constexpr bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }

/// The parts of a dotted name; one empty part where the name is empty.
std::vector<std::string_view> Parts(std::string_view name) {
  std::vector<std::string_view> parts;
  for (std::size_t dot; (dot = name.find('.')) != std::string_view::npos; name.remove_prefix(dot + 1)) {
    parts.push_back(name.substr(0, dot));
  }
  parts.push_back(name);
  return parts;
}

}  // namespace

bool IsIdentifier(std::string_view name) {
  static constexpr auto kIsPart = [] {
    std::array<bool, 256> is_part{};
    for (int c = 0; c < 256; ++c) is_part[c] = IsLetter(static_cast<char>(c)) || IsDigit(static_cast<char>(c));
    return is_part;
  }();
  if (name.empty() || IsDigit(name.front())) return false;
  return std::ranges::all_of(name, [](char c) { return kIsPart[static_cast<unsigned char>(c)]; });
}

std::string NearestIdentifier(std::string_view name) {
  std::string identifier(name);
  for (char& c : identifier) {
    if (!IsLetter(c) && !IsDigit(c)) c = '_';
  }
  if (identifier.empty() || IsDigit(identifier.front())) identifier.insert(0, 1, '_');
  return identifier;
}

void AppendQuoted(std::string_view text, std::string* out) {
  out->push_back('"');
  const char* begin = text.begin();
  for (const char* at; (at = FindQuoteOrBackslash(begin, text.end())) != text.end(); begin = at + 1) {
    out->append(begin, at).push_back('\\');
    out->push_back(*at);
  }
  out->append(begin, text.end()).push_back('"');
}

void Writer::String(std::string_view text) { AppendQuoted(text, &text_); }

void Printer::Identifier(std::string_view name, std::string_view field) {
  if (IsIdentifier(name)) return out_.Put(name);
  losses_.Add(field, "the name '{}', which is no identifier", Quoted(name));
  out_.Put(NearestIdentifier(name));
}

void Printer::DottedName(std::string_view name, std::string_view field) {
  const std::vector<std::string_view> parts = Parts(name);
  if (!std::ranges::all_of(parts, IsIdentifier)) {
    losses_.Add(field, "the name '{}', which is not made of identifiers and dots", Quoted(name));
  }
  out_.List(parts, ".", [&](std::string_view part) { out_.Put(NearestIdentifier(part)); });
}

void Printer::Pairs(const google::protobuf::RepeatedPtrField<onnx::StringStringEntryProto>& pairs,
                    std::string_view field) {
  int index = 0;
  out_.Put('[');
  out_.List(pairs, ", ", [&](const onnx::StringStringEntryProto& pair) {
    const Path::Scope at(losses_.path(), field, index++);
    Others(pair);
    out_.String(pair.key());
    out_.Put(": ");
    out_.String(pair.value());
  });
  out_.Put(']');
}

}  // namespace onnxc
