// Implements the parser and the printers of include/onnxc/compat.h, under the names of the ONNX project's own API.
#include <fmt/format.h>
#include <onnxc/compat.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>

#include "platform/from_chars.h"
#include "source/report.h"

namespace onnx {
namespace Common {  // NOLINT(readability-identifier-naming): the original's name

std::string Status::ToString() const {
  if (IsOK()) return "OK";
  constexpr std::string_view kCategories[] = {"ONNX", "CHECKER", "OPTIMIZER"};
  constexpr std::string_view kCodes[] = {"OK", "FAIL", "INVALID_ARGUMENT", "INVALID_PROTOBUF"};
  return fmt::format("[{}Error] : {} : {} : {}", kCategories[static_cast<int>(category_)], static_cast<int>(code_),
                     kCodes[static_cast<int>(code_)], message_);
}

}  // namespace Common

namespace {

using Common::Status;
using Common::StatusCategory;
using Common::StatusCode;
using onnxc::Diagnostic;
using onnxc::Diagnostics;
using onnxc::SourceRange;

Status StatusOf(const Diagnostics& found, std::string_view text) {
  if (found.ok()) return Status::OK();
  return {StatusCategory::NONE, StatusCode::FAIL, onnxc::RenderText(found, onnxc::SourceText("<text>", text, nullptr))};
}

/// The findings are about a text that begins with `before` additional bytes. Returns the findings with places that
/// refer to the text without these bytes. That text has `size` bytes.
Diagnostics MovedBy(std::size_t before, const Diagnostics& found, std::size_t size) {
  const auto move = [&](SourceRange& range) {
    if (range == onnxc::kNowhere) return;
    range.begin = std::min(range.begin - std::min(before, range.begin), size);
    range.end = std::min(range.end - std::min(before, range.end), size);
  };
  const auto is_inside = [&](const onnxc::FixIt& fix_it) {
    return fix_it.range.begin >= before && fix_it.range.end <= before + size;
  };
  Diagnostics moved;
  for (Diagnostic finding : found.items()) {
    if (!std::ranges::all_of(finding.fix_its, is_inside)) finding.fix_its.clear();
    move(finding.range);
    for (onnxc::Note& note : finding.notes) move(note.range);
    for (onnxc::FixIt& fix_it : finding.fix_its) move(fix_it.range);
    moved.Add(std::move(finding));
  }
  return moved;
}

/// Parses `text` as a part of a message: inserts `text` between `before` and `behind`, parses the result, and lets
/// `take` move the part out of the message. The rest must be equal to the message of `before` and `behind` alone. If
/// the rest is different, `text` closed the part early, and something else followed.
template <typename Proto, typename Take>
Status ParseFramed(std::string_view before, std::string_view text, std::string_view behind, std::string_view part,
                   std::string_view empty, const Take& take) {
  Proto message;
  const std::string framed = fmt::format("{}{}\n{}", before, text, behind);
  const Diagnostics found = onnxc::Parse(framed, &message);
  if (!found.ok()) return StatusOf(MovedBy(before.size(), found, text.size()), text);
  Proto frame;
  if (!onnxc::Parse(fmt::format("{}{}\n{}", before, empty, behind), &frame).ok()) return {};
  auto taken = take(message);
  (void)take(frame);
  if (message.SerializeAsString() == frame.SerializeAsString()) return taken;
  Diagnostics more;
  more.Add(onnxc::MakeDiagnostic(onnxc::diag::kTextAfterEnd, {0, text.size()}, part));
  return StatusOf(more, text);
}

bool IsSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }

std::string Quoted(std::string_view name) {
  std::string quoted = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

}  // namespace

// ---- tokens

void ParserBase::SkipWhiteSpace() {
  for (;;) {
    while (at_ < text_.size() && IsSpace(text_[at_])) ++at_;
    if (at_ == text_.size() || text_[at_] != '#') return;
    at_ = std::min(text_.find('\n', at_), text_.size());
  }
}

bool ParserBase::EndOfInput() {
  SkipWhiteSpace();
  return at_ == text_.size();
}

int ParserBase::NextChar(bool skip_space) {
  if (skip_space) SkipWhiteSpace();
  return at_ == text_.size() ? 0 : static_cast<unsigned char>(text_[at_]);
}

bool ParserBase::Matches(char character, bool skip_space) {
  if (skip_space) SkipWhiteSpace();
  if (at_ == text_.size() || text_[at_] != character) return false;
  ++at_;
  return true;
}

Status ParserBase::Fail(std::string_view message) const {
  Diagnostics found;
  found.Add(onnxc::MakeDiagnostic(onnxc::DiagnosticKind::kUnexpectedToken, onnxc::Severity::kError,
                                  {at_, std::min(at_ + 1, text_.size())}, std::string(message)));
  return StatusOf(found, text_);
}

Status ParserBase::Match(char character, bool skip_space) {
  return Matches(character, skip_space) ? Status::OK() : Fail(fmt::format("expected '{}'", character));
}

Status ParserBase::Parse(std::string& value) {
  value.clear();
  if (NextChar() != '"') return Fail("expected a string in double quotes");
  for (std::size_t at = at_ + 1; at < text_.size(); ++at) {
    if (text_[at] == '"') {
      at_ = at + 1;
      return Status::OK();
    }
    if (text_[at] == '\\' && ++at == text_.size()) break;
    value += text_[at];
  }
  return Fail("the string is not closed");
}

std::string_view ParserBase::ReadNumber() {
  SkipWhiteSpace();
  const auto is_part = [&](std::size_t at) {
    const char c = text_[at];
    const bool is_sign = c == '+' || c == '-';
    return IsDigit(c) || c == '.' || IsLetter(c) ||
           (is_sign && (at == at_ || text_[at - 1] == 'e' || text_[at - 1] == 'E'));
  };
  std::size_t end = at_;
  while (end < text_.size() && is_part(end)) ++end;
  return text_.substr(at_, end - at_);
}

namespace {

/// Reads a number. Returns false if `word` is not a number or contains anything else. The locale has no effect.
template <typename Number>
bool ReadWhole(std::string_view word, Number* value) {
  if (word.starts_with('+')) word.remove_prefix(1);
  const auto [end, error] = onnxc::FromChars(word.data(), word.data() + word.size(), value);
  return error == std::errc() && end == word.data() + word.size();
}

}  // namespace

Status ParserBase::Parse(std::int64_t& value) {
  const std::string_view word = ReadNumber();
  if (!ReadWhole(word, &value)) return Fail("expected an integer of 64 bits");
  at_ += word.size();
  return Status::OK();
}

Status ParserBase::Parse(std::uint64_t& value) {
  const std::string_view word = ReadNumber();
  if (!ReadWhole(word, &value)) return Fail("expected an unsigned integer of 64 bits");
  at_ += word.size();
  return Status::OK();
}

Status ParserBase::Parse(float& value) {
  const std::string_view word = ReadNumber();
  if (!ReadWhole(word, &value)) return Fail("expected a number");
  at_ += word.size();
  return Status::OK();
}

Status ParserBase::Parse(double& value) {
  const std::string_view word = ReadNumber();
  if (!ReadWhole(word, &value)) return Fail("expected a number");
  at_ += word.size();
  return Status::OK();
}

std::string ParserBase::ParseOptionalIdentifier() {
  std::string identifier = PeekIdentifier();
  at_ += identifier.size();
  return identifier;
}

std::string ParserBase::PeekIdentifier() {
  SkipWhiteSpace();
  std::size_t end = at_;
  while (end < text_.size() && (IsLetter(text_[end]) || (end > at_ && IsDigit(text_[end])))) ++end;
  return std::string(text_.substr(at_, end - at_));
}

Status ParserBase::ParseIdentifier(std::string& identifier) {
  identifier = ParseOptionalIdentifier();
  return identifier.empty() ? Fail("expected an identifier") : Status::OK();
}

// ---- messages and lists

template <typename Proto>
Status OnnxParser::ParseRest(Proto& proto) {
  const Diagnostics found = onnxc::Parse(Rest(), &proto);
  if (found.ok()) SkipAll();
  return StatusOf(found, Rest());
}

Status OnnxParser::Parse(ModelProto& model) { return ParseRest(model); }
Status OnnxParser::Parse(GraphProto& graph) { return ParseRest(graph); }
Status OnnxParser::Parse(FunctionProto& function) { return ParseRest(function); }
Status OnnxParser::Parse(NodeProto& node) { return ParseRest(node); }
Status OnnxParser::Parse(AttributeProto& attribute) { return ParseRest(attribute); }
Status OnnxParser::Parse(TypeProto& type) { return ParseRest(type); }
Status OnnxParser::Parse(TensorProto& tensor) { return ParseRest(tensor); }
Status OnnxParser::Parse(TensorShapeProto& shape) { return ParseRest(shape); }

Status OnnxParser::Parse(NodeList& nodes) {
  nodes.Clear();
  SkipWhiteSpace();
  Status status = ParseFramed<GraphProto>("_ () => () ", Rest(), "", "nodes", "{}", [&](GraphProto& graph) {
    if (graph.node_size() > 0) nodes.Swap(graph.mutable_node());
    graph.clear_node();
    return Status::OK();
  });
  if (status.IsOK()) SkipAll();
  return status;
}

Status OnnxParser::Parse(AttrList& attributes) {
  attributes.Clear();
  SkipWhiteSpace();
  Status status = ParseFramed<NodeProto>("_ = _ ", Rest(), "()", "attributes", "", [&](NodeProto& node) {
    if (node.attribute_size() > 0) attributes.Swap(node.mutable_attribute());
    node.clear_attribute();
    return Status::OK();
  });
  if (status.IsOK()) SkipAll();
  return status;
}

Status OnnxParser::Parse(StringStringList& entries) {
  entries.Clear();
  SkipWhiteSpace();
  Status status = ParseFramed<ModelProto>("<ir_version: 8, metadata_props: ", Rest(), "> _ () => () {}", "list", "[]",
                                          [&](ModelProto& model) {
                                            if (model.metadata_props_size() > 0)
                                              entries.Swap(model.mutable_metadata_props());
                                            model.clear_metadata_props();
                                            return Status::OK();
                                          });
  if (status.IsOK()) SkipAll();
  return status;
}

Status OnnxParser::Parse(AttributeProto& attribute, std::string& name) {
  attribute.Clear();
  SkipWhiteSpace();
  const std::string before = Quoted(name) + ' ';
  const std::string text = fmt::format("{}{}", before, Rest());
  const Diagnostics found = onnxc::Parse(text, &attribute);
  Status status = StatusOf(MovedBy(before.size(), found, Rest().size()), Rest());
  if (status.IsOK()) SkipAll();
  return status;
}

// ---- printers of parts of messages and of lists

std::ostream& operator<<(std::ostream& stream, const TensorShapeProto_Dimension& dimension) {
  TensorShapeProto shape;
  *shape.add_dim() = dimension;
  const std::string text = onnxc::ProtoToString(shape);
  const bool has_brackets = text.starts_with('[') && text.ends_with(']');
  return stream << (has_brackets ? text.substr(1, text.size() - 2) : text);
}

std::ostream& operator<<(std::ostream& stream, const TypeProto_Tensor& tensor_type) {
  TypeProto type;
  *type.mutable_tensor_type() = tensor_type;
  return stream << onnxc::ProtoToString(type);
}

std::ostream& operator<<(std::ostream& stream, const ValueInfoProto& value) {
  ValueInfoList values;
  *values.Add() = value;
  std::ostringstream list;
  list << values;
  const std::string text = list.str();
  return stream << text.substr(1, text.size() - 2);
}

std::ostream& operator<<(std::ostream& stream, const ValueInfoList& values) {
  GraphProto graph;
  graph.set_name("_");
  *graph.mutable_input() = values;
  const std::string text = onnxc::ProtoToString(graph);
  const std::size_t begin = text.find('(');
  return stream << text.substr(begin, text.rfind(" => (") - begin);
}

std::ostream& operator<<(std::ostream& stream, const AttrList& attributes) {
  std::string_view between = "<";
  for (const AttributeProto& attribute : attributes) {
    stream << std::exchange(between, ", ") << onnxc::ProtoToString(attribute);
  }
  return attributes.empty() ? stream : stream << '>';
}

std::ostream& operator<<(std::ostream& stream, const NodeList& nodes) {
  stream << "{\n";
  for (const NodeProto& node : nodes) stream << "   " << onnxc::ProtoToString(node) << '\n';
  return stream << "}\n";
}

}  // namespace onnx
