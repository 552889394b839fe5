#include "print/brief.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/text_format.h>
#include <onnxc/printer.h>

#include "source/unicode.h"
#include "syntax/spelling.h"
#include "tables/attribute_types.h"
#include "tables/element_types.h"

namespace onnxc {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

constexpr std::size_t kLongest = 100;        // characters
constexpr std::size_t kMostRead = 4096;      // bytes: there may be spaces between the characters
constexpr std::size_t kSmallMessage = 4096;  // bytes: a larger message is not printed just to be cut
constexpr int kMostElements = 40;

/// Returns the printed message without the comments at its beginning.
template <typename Proto>
std::string Printed(const Proto& message) {
  const std::string text = Print(message).text;
  std::string_view rest = text;
  while (rest.starts_with('#')) rest.remove_prefix(std::min(rest.find('\n'), rest.size() - 1) + 1);
  return OneLine(rest);
}

std::string InQuotes(const std::string& text) {
  std::string quoted;
  syntax::AppendQuoted(text, &quoted);
  return quoted;
}

std::string BriefElement(const Message& message, const FieldDescriptor& field, int index) {
  const google::protobuf::Reflection& reflection = *message.GetReflection();
  if (field.cpp_type() == FieldDescriptor::CPPTYPE_STRING) {
    return InQuotes(index < 0 ? reflection.GetString(message, &field)
                              : reflection.GetRepeatedString(message, &field, index));
  }
  std::string text;
  google::protobuf::TextFormat::PrintFieldValueToString(message, &field, index, &text);
  return text;
}

/// Returns the text format as ShortDebugString() does in old versions of protobuf. Newer versions insert marks that
/// differ between builds.
std::string InTextFormat(const Message& message) {
  google::protobuf::TextFormat::Printer printer;
  printer.SetSingleLineMode(true);
  std::string text;
  (void)printer.PrintToString(message, &text);  // it fails only if the output stream fails
  if (text.ends_with(' ')) text.pop_back();
  return text;
}

}  // namespace

std::string ElementWord(int code) {
  const ElementType* const type = FindElementType(code);
  return type == nullptr ? fmt::format("type {}", code) : std::string(type->keyword);
}

std::string OneLine(std::string_view text) {
  const bool is_cut = text.size() > kMostRead;
  text = text.substr(0, kMostRead);
  std::string line;
  std::size_t characters = 0;
  for (std::size_t at = 0; at < text.size(); ++characters) {
    if (characters == kLongest) return line + "...";
    if (text[at] == ' ' || text[at] == '\n') {
      at = std::min(text.find_first_not_of(" \n", at), text.size());
      if (!line.empty() && at < text.size()) line += ' ';
      continue;
    }
    const std::size_t length = DecodeCharacter(text, at).length;
    line += text.substr(at, length);
    at += length;
  }
  return is_cut ? line + "..." : line;
}

std::string Brief(const onnx::NodeProto& node) {
  onnx::NodeProto brief;
  brief.mutable_input()->CopyFrom(node.input());
  brief.mutable_output()->CopyFrom(node.output());
  brief.set_op_type(node.op_type());
  if (!node.domain().empty()) brief.set_domain(node.domain());
  if (!node.overload().empty()) brief.set_overload(node.overload());
  return Printed(brief);
}

std::string Brief(const onnx::TypeProto& type) { return Printed(type); }

std::string Brief(const onnx::TensorProto& tensor) {
  if (tensor.dims().empty()) return ElementWord(tensor.data_type());
  const int shown = std::min(tensor.dims_size(), kMostElements);
  const std::string dims = fmt::format("{}", fmt::join(tensor.dims().begin(), tensor.dims().begin() + shown, ", "));
  const std::string_view rest = shown == tensor.dims_size() ? "" : ", ...";
  return OneLine(fmt::format("{}[{}{}]", ElementWord(tensor.data_type()), dims, rest));
}

std::string BriefWithValue(const onnx::TensorProto& tensor) {
  constexpr std::size_t kFewBytes = 32;
  if (tensor.ByteSizeLong() > kFewBytes || tensor.data_location() == onnx::TensorProto::EXTERNAL) return Brief(tensor);
  onnx::TensorProto bare = tensor;
  bare.clear_name();
  bare.clear_doc_string();
  bare.clear_metadata_props();
  return Printed(bare);
}

std::string Brief(const onnx::AttributeProto& attribute) {
  if (attribute.has_t()) return BriefWithValue(attribute.t());
  const AttributeType* const type = FindAttributeType(attribute.type());
  if (attribute.has_g() || attribute.ByteSizeLong() > kSmallMessage)
    return std::string(type == nullptr ? "attribute" : type->keyword);
  onnx::AttributeProto bare = attribute;
  bare.set_name("a");
  bare.clear_doc_string();
  std::string text = Printed(bare);
  if (text.starts_with("a = ")) text.erase(0, 4);
  if (text.starts_with("a: ")) text.erase(0, 3);
  return text;
}

std::string Brief(const Message& message) {
  const google::protobuf::Descriptor* const type = message.GetDescriptor();
  if (type == onnx::NodeProto::descriptor()) return Brief(static_cast<const onnx::NodeProto&>(message));
  if (type == onnx::TypeProto::descriptor()) return Brief(static_cast<const onnx::TypeProto&>(message));
  if (type == onnx::TensorProto::descriptor()) return Brief(static_cast<const onnx::TensorProto&>(message));
  if (type == onnx::AttributeProto::descriptor()) return Brief(static_cast<const onnx::AttributeProto&>(message));
  if (type == onnx::ValueInfoProto::descriptor())
    return Brief(static_cast<const onnx::ValueInfoProto&>(message).type());
  if (type == onnx::GraphProto::descriptor()) {
    return fmt::format("a graph of {} nodes", static_cast<const onnx::GraphProto&>(message).node_size());
  }
  if (type == onnx::FunctionProto::descriptor()) {
    return fmt::format("a function of {} nodes", static_cast<const onnx::FunctionProto&>(message).node_size());
  }
  if (type == onnx::StringStringEntryProto::descriptor()) {
    return OneLine(InQuotes(static_cast<const onnx::StringStringEntryProto&>(message).value()));
  }
  if (type == onnx::OperatorSetIdProto::descriptor()) {
    const auto& import = static_cast<const onnx::OperatorSetIdProto&>(message);
    return OneLine(fmt::format("{}: {}", InQuotes(import.domain()), import.version()));
  }
  if (message.ByteSizeLong() > kSmallMessage) return std::string(type->name());
  return OneLine("{" + InTextFormat(message) + "}");
}

std::string Brief(const Message& message, const FieldDescriptor& field) {
  if (!field.is_repeated()) return OneLine(BriefElement(message, field, -1));
  const int size = message.GetReflection()->FieldSize(message, &field);
  std::string list = "[";
  for (int i = 0; i < std::min(size, kMostElements); ++i) {
    if (i > 0) list += ", ";
    list += BriefElement(message, field, i);
  }
  return OneLine(list + (size > kMostElements ? ", ...]" : "]"));
}

}  // namespace onnxc
