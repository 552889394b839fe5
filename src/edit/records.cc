#include "edit/records.h"

#include <algorithm>

namespace onnxc::edit {
namespace {

constexpr std::string_view kNative = "(";  // stands for a field's name in the parentheses of an annotation

/// Returns the fields of onnx.proto whose values, in records, are names of symbols of this kind.
std::span<const std::string_view> FieldsThatName(SymbolKind kind) {
  static constexpr std::string_view kValues[] = {"name",  // fields of a value that is written as a record
                                                 "input",
                                                 "output",
                                                 "initializer",
                                                 "value_info",
                                                 "tensor_name",
                                                 "quant_parameter_tensor_names",
                                                 "initialization_binding",
                                                 "update_binding"};
  static constexpr std::string_view kFunctions[] = {"name", "op_type"};
  static constexpr std::string_view kAttributes[] = {"name", "attribute", "attribute_proto", "ref_attr_name"};
  static constexpr std::string_view kDimensions[] = {"dim_param"};
  static constexpr std::string_view kDomains[] = {"domain"};
  switch (kind) {
    case SymbolKind::kValue: return kValues;
    case SymbolKind::kFunction: return kFunctions;
    case SymbolKind::kAttribute: return kAttributes;
    case SymbolKind::kDimension: return kDimensions;
    case SymbolKind::kDomain: return kDomains;
    case SymbolKind::kOperator: return {};
  }
  return {};
}

}  // namespace

RecordReader::RecordReader(std::string_view text, SymbolKind kind) : text_(text), names_(FieldsThatName(kind)) {}

bool RecordReader::Read(const TextToken& token) {
  const std::string_view word = text_.substr(token.range.begin, token.range.end - token.range.begin);
  const bool is_word = token.kind == TokenKind::kName || token.kind == TokenKind::kKeyword;
  if (is_word || token.kind == TokenKind::kString) {
    is_path_ = is_behind_at_;
    is_behind_at_ = false;
  }
  if (is_word) word_ = word;
  if (token.kind == TokenKind::kMark) ReadMark(word);
  if (std::ranges::find(fields_, kNative) != fields_.end()) return true;
  const auto is_name = [&](std::string_view field) { return std::ranges::find(names_, field) != names_.end(); };
  return token.kind == TokenKind::kString && std::ranges::any_of(fields_, is_name);
}

// A field's name comes before `:` or after `@`. The text after `=` is the value of an attribute and names no symbol.
void RecordReader::ReadMark(std::string_view mark) {
  if (mark == ":" || (is_path_ && mark != ".")) fields_.back() = word_;
  if (mark == "=" || mark == ",") fields_.back() = {};
  if (mark == "(" || mark == "[" || mark == "{" || mark == "<" || mark == "@{") {
    fields_.push_back(mark == "(" && is_path_ ? kNative : std::string_view());
  }
  is_behind_at_ = mark == "@" || (mark == "." && is_path_);
  is_path_ = false;
  if ((mark == ")" || mark == "]" || mark == "}" || mark == ">") && fields_.size() > 1) {
    fields_.pop_back();
    fields_.back() = {};
  }
  word_ = {};
}

}  // namespace onnxc::edit
