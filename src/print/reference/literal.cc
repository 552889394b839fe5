// Prints strings and names.
#include <algorithm>

#include "print/reference/printer.h"
#include "print/reference/writer.h"

namespace onnxc::print {
namespace {

/// Returns the parts of a dotted name; one empty part if the name is empty.
std::vector<std::string_view> Parts(std::string_view name) {
  std::vector<std::string_view> parts;
  for (std::size_t dot; (dot = name.find('.')) != std::string_view::npos; name.remove_prefix(dot + 1)) {
    parts.push_back(name.substr(0, dot));
  }
  parts.push_back(name);
  return parts;
}

}  // namespace

void Printer::Identifier(std::string_view name, std::string_view field) {
  if (syntax::IsIdentifier(name)) return out_.Put(name);
  losses_.Add(field, "the name '{}', which is not an identifier", Quoted(name));
  out_.Put(syntax::NearestIdentifier(name));
}

void Printer::DottedName(std::string_view name, std::string_view field) {
  const std::vector<std::string_view> parts = Parts(name);
  if (!std::ranges::all_of(parts, syntax::IsIdentifier)) {
    losses_.Add(field, "the name '{}', which is not made of identifiers and dots", Quoted(name));
  }
  out_.List(parts, ".", [&](std::string_view part) { out_.Put(syntax::NearestIdentifier(part)); });
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

}  // namespace onnxc::print
