#include "build/header.h"

#include "build/literal.h"
#include "build/tensor.h"
#include "syntax/explain.h"
#include "syntax/parse.h"
#include "tables/header_keys.h"

namespace onnxc {
namespace {

using google::protobuf::Message;

// What messages call the two owners of headers, and the column of the table that belongs to each.
struct Owner {
  std::string_view name;
  int HeaderKey::*field;
};
constexpr Owner kModel{"model", &HeaderKey::model_field};
constexpr Owner kFunction{"function", &HeaderKey::function_field};

std::string_view Expected(HeaderValue value) {
  switch (value) {
    case HeaderValue::kInteger: return "an integer";
    case HeaderValue::kString: return "a string";
    case HeaderValue::kOpsets: return "a list such as [\"\" : 17]";
    case HeaderValue::kStrings: return "a list such as [\"key\": \"value\"]";
  }
  return {};
}

// pair : key=STRING ':' val=(STRING | INT), here with an integer
void BuildOpset(const Grammar::PairContext* tree, Lowering& lowering, onnx::OperatorSetIdProto* opset) {
  lowering.Map(*opset, RangeOf(tree));
  opset->set_domain(Unquote(static_cast<const SyntaxToken*>(tree->key)->text));
  const auto& version = *static_cast<const SyntaxToken*>(tree->val);
  std::int64_t value = 0;
  if (version.type != Grammar::INT) {
    lowering.Report(DiagnosticKind::kWrongLiteral, version.range(), "an opset version", Describe(version));
  } else if (ReadNumber(version.text, version.range(), "a version", lowering, &value)) {
    opset->set_version(value);
  }
}

// headerValue : (INT | FLOAT | SPECIAL | STRING | ID) | '[' (pair (',' pair)*)? ']'
void BuildValue(const Grammar::HeaderValueContext* tree, const HeaderKey& key, int field, Lowering& lowering,
                Message* message) {
  const auto* reflection = message->GetReflection();
  const auto* descriptor = message->GetDescriptor()->FindFieldByNumber(field);
  const SyntaxToken& first = First(tree);
  const std::size_t wanted = key.value == HeaderValue::kInteger  ? std::size_t{Grammar::INT}
                             : key.value == HeaderValue::kString ? std::size_t{Grammar::STRING}
                                                                 : std::size_t{Grammar::LBRACKET};
  if (first.type != wanted) {
    return lowering.Report(DiagnosticKind::kHeaderValue, RangeOf(tree), key.word, Expected(key.value));
  }
  lowering.Map(*message, RangeOf(tree), field);
  std::int64_t value = 0;
  switch (key.value) {
    case HeaderValue::kInteger:
      if (ReadNumber(first.text, first.range(), key.word, lowering, &value)) {
        reflection->SetInt64(message, descriptor, value);
      }
      return;
    case HeaderValue::kString: return reflection->SetString(message, descriptor, Unquote(first.text));
    case HeaderValue::kOpsets:
      for (const auto* pair : ChildrenOf<Grammar::PairContext>(tree)) {
        BuildOpset(pair, lowering, static_cast<onnx::OperatorSetIdProto*>(reflection->AddMessage(message, descriptor)));
      }
      return;
    case HeaderValue::kStrings:
      for (const auto* pair : ChildrenOf<Grammar::PairContext>(tree)) {
        (void)BuildPair(pair, key.word, lowering,
                        static_cast<onnx::StringStringEntryProto*>(reflection->AddMessage(message, descriptor)));
      }
  }
}

void ReportUnknownKey(const SyntaxToken& word, const Owner& owner, Lowering& lowering) {
  std::vector<std::string_view> words;
  for (const HeaderKey& key : kHeaderKeys) {
    if (key.*owner.field != 0) words.push_back(key.word);
  }
  lowering.ReportMisspelt(MakeDiagnostic(DiagnosticKind::kUnknownHeaderKey, word.range(), owner.name, Quoted(word.text)),
                          word.text, words);
}

// header : '<' entry (',' entry)* '>'
// entry  : key=name ':' headerValue
void Build(const Grammar::HeaderContext* tree, const Owner& owner, Lowering& lowering, Message* message) {
  for (const auto* entry : ChildrenOf<Grammar::EntryContext>(tree)) {
    if (IsBroken(entry)) continue;
    const SyntaxToken& word = First(entry->key);
    const HeaderKey* key = FindHeaderKey(word.text);
    if (key == nullptr || key->*owner.field == 0) {
      ReportUnknownKey(word, owner, lowering);
      continue;
    }
    BuildValue(ChildOf<Grammar::HeaderValueContext>(entry, Grammar::RuleHeaderValue), *key, key->*owner.field, lowering,
               message);
  }
}

}  // namespace

void BuildHeader(const Grammar::HeaderContext* tree, Lowering& lowering, onnx::ModelProto* model) {
  Build(tree, kModel, lowering, model);
}

void BuildHeader(const Grammar::HeaderContext* tree, Lowering& lowering, onnx::FunctionProto* function) {
  Build(tree, kFunction, lowering, function);
}

bool IsFunctionHeader(const Grammar::HeaderContext* tree, bool by_domain) {
  bool has_domain = false;
  for (const auto* entry : ChildrenOf<Grammar::EntryContext>(tree)) {
    if (IsBroken(entry)) continue;
    const std::string_view word = First(entry->key).text;
    const HeaderKey* key = FindHeaderKey(word);
    if (key == nullptr) continue;
    if (key->function_field == 0) return false;
    if (key->model_field == 0) return true;
    has_domain = has_domain || word == "domain";
  }
  return by_domain && has_domain;
}

}  // namespace onnxc
