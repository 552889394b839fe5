#include "lower/header.h"

#include <fmt/format.h>

#include <algorithm>

#include "lower/field.h"
#include "lower/literal.h"
#include "syntax/parse.h"
#include "tables/foreign_words.h"
#include "tables/header_keys.h"

namespace onnxc::lower {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::Message;

std::string_view NameOfOwner(const Descriptor* type) {
  return type == onnx::ModelProto::descriptor() ? "model" : "function";
}

void ReportUnknownKey(const Grammar::EntryContext* entry, const Descriptor* type, Lowering& lowering) {
  const SyntaxToken& word = First(entry->key);
  std::vector<std::string_view> words;
  for (int i = 0; i < type->field_count(); ++i) {
    if (HasKey(type, type->field(i)->name())) words.push_back(type->field(i)->name());
  }
  Diagnostic diagnostic = MakeDiagnostic(diag::kUnknownHeaderKey, word.range(), NameOfOwner(type), Quoted(word.text));
  const std::string stem = std::string(word.text) + "_";
  const auto longer = std::ranges::find_if(words, [&](std::string_view key) { return key.starts_with(stem); });
  if (IsImportKey(word.text)) {  // `opset: 17` for `opset_import: ["" : 17]`
    diagnostic.message += "; did you mean 'opset_import'?";
    diagnostic.fix_its = {{word.range(), "opset_import"}};
    const auto* value = ChildOf<Grammar::FieldValueContext>(entry, Grammar::RuleFieldValue);
    if (value != nullptr && First(value).type == Grammar::INT) {
      diagnostic.fix_its.push_back({First(value).range(), fmt::format("[\"\" : {}]", First(value).text)});
    }
    words.clear();
  } else if (longer != words.end()) {  // `producer` for `producer_name`: the first key with this prefix
    diagnostic.message += fmt::format("; did you mean '{}'?", *longer);
    diagnostic.fix_its = {{word.range(), std::string(*longer)}};
    words.clear();
  }
  lowering.ReportMisspelt(std::move(diagnostic), word.text, words);
}

}  // namespace

// header : '<' entry (',' entry)* '>'
// entry  : key=name ':' fieldValue
// A key may be repeated: lists are appended, and of other values the last one is used.
void BuildHeader(const Grammar::HeaderContext* tree, Lowering& lowering, Message* message) {
  const Descriptor* type = message->GetDescriptor();
  for (const auto* entry : ChildrenOf<Grammar::EntryContext>(tree)) {
    if (IsBroken(entry)) continue;
    const SyntaxToken& word = First(entry->key);
    if (word.text != kUnknownFields && !HasKey(type, word.text)) {
      ReportUnknownKey(entry, type, lowering);
      continue;
    }
    const auto* field = FindField(type, word.text);
    if (field != nullptr && !field->is_repeated() && field->message_type() == nullptr) {
      // The place of a repeated key is stored separately, so that the checker can report the repetition there.
      if (message->GetReflection()->HasField(*message, field)) {
        lowering.MapRepeatedKey(*message, word.range(), field->number());
      }
      message->GetReflection()->ClearField(message, field);
    }
    BuildField(word, ChildOf<Grammar::FieldValueContext>(entry, Grammar::RuleFieldValue), lowering, message);
  }
}

bool IsModelHeader(const Grammar::HeaderContext* tree) {
  for (const auto* entry : ChildrenOf<Grammar::EntryContext>(tree)) {
    if (IsBroken(entry)) continue;
    const std::string_view word = First(entry->key).text;
    if (HasKey(onnx::ModelProto::descriptor(), word) && !HasKey(onnx::FunctionProto::descriptor(), word)) return true;
  }
  return false;
}

bool IsFunctionHeader(const Grammar::HeaderContext* tree, bool by_domain) {
  bool has_domain = false;
  for (const auto* entry : ChildrenOf<Grammar::EntryContext>(tree)) {
    if (IsBroken(entry)) continue;
    const std::string_view word = First(entry->key).text;
    const bool is_model_key = HasKey(onnx::ModelProto::descriptor(), word);
    const bool is_function_key = HasKey(onnx::FunctionProto::descriptor(), word);
    if (is_model_key && !is_function_key) return false;
    if (is_function_key && !is_model_key) return true;
    has_domain = has_domain || word == "domain";
  }
  return by_domain && has_domain;
}

}  // namespace onnxc::lower
