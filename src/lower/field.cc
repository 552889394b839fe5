#include "lower/field.h"

#include <memory>

#include "lower/annotation.h"
#include "lower/function.h"
#include "lower/graph.h"
#include "lower/list_token.h"
#include "lower/literal.h"
#include "lower/tensor.h"
#include "lower/type.h"
#include "syntax/parse.h"
#include "syntax/syntax_errors.h"
#include "tables/foreign_words.h"
#include "tables/header_keys.h"
#include "tables/limits.h"
#include "wire/message.h"

namespace onnxc::lower {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using Value = Grammar::FieldValueContext;

// Returns the two fields with the lowest numbers, which `key: value` sets, or null pointers if the message has fewer
// fields.
std::pair<const FieldDescriptor*, const FieldDescriptor*> FieldsOfPair(const google::protobuf::Descriptor* type) {
  const FieldDescriptor* first = nullptr;
  const FieldDescriptor* second = nullptr;
  for (int i = 0; i < type->field_count(); ++i) {
    const FieldDescriptor* field = type->field(i);
    if (first == nullptr || field->number() < first->number()) {
      second = std::exchange(first, field);
    } else if (second == nullptr || field->number() < second->number()) {
      second = field;
    }
  }
  return {first, second};
}

std::string_view Expected(const FieldDescriptor* field) {
  switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_STRING: return "a string";
    case FieldDescriptor::CPPTYPE_MESSAGE: return "a record, such as {field: value}";
    case FieldDescriptor::CPPTYPE_ENUM: return "one of the names in its enum";
    case FieldDescriptor::CPPTYPE_BOOL: return "true or false";
    case FieldDescriptor::CPPTYPE_FLOAT:
    case FieldDescriptor::CPPTYPE_DOUBLE: return "a number";
    default: return "an integer";
  }
}

std::string ExpectedList(const FieldDescriptor* field) {
  if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
    const auto [key, value] = FieldsOfPair(field->message_type());
    const bool is_keyed = value != nullptr && key->cpp_type() == FieldDescriptor::CPPTYPE_STRING;
    if (is_keyed && value->cpp_type() == FieldDescriptor::CPPTYPE_STRING) return R"(a list, such as ["key": "value"])";
    if (is_keyed && value->cpp_type() == FieldDescriptor::CPPTYPE_INT64) return R"(a list, such as ["" : 17])";
  }
  return fmt::format("a list in '[...]'; each member must be {}", Expected(field));
}

void ReportValue(const FieldDescriptor* field, SourceRange range, std::string_view expected, Lowering& lowering) {
  lowering.Report(diag::kFieldValue, range, field->name(), expected);
}

// ---- scalars

// Reports a value that is not a number, such as `"17"` instead of `17`.
void ReportNumber(const FieldDescriptor* field, const SyntaxToken& token, Lowering& lowering) {
  Diagnostic diagnostic = MakeDiagnostic(diag::kFieldValue, token.range(), field->name(), Expected(field));
  if (token.type == Grammar::STRING && IsInteger(Unquote(token))) {
    diagnostic.fix_its = {{token.range(), Unquote(token)}};
  }
  lowering.ReportMisspelt(std::move(diagnostic), {}, {});
}

// Reports a value that is not a string, such as `me` or `1.0` instead of `"me"` or `"1.0"`. A word such as `None` means
// the empty string, which is the value of a field that is not set.
void ReportString(const FieldDescriptor* field, const SyntaxToken& token, Lowering& lowering) {
  Diagnostic diagnostic = MakeDiagnostic(diag::kFieldValue, token.range(), field->name(), Expected(field));
  if (const auto constant = ConstantOf(token.text); constant && constant->empty()) {
    diagnostic.message += "; the empty string is \"\"";
    diagnostic.fix_its = {{token.range(), "\"\""}};
  } else if (!token.text.empty()) {
    diagnostic.fix_its = {{token.range(), fmt::format("\"{}\"", token.text)}};
  }
  lowering.ReportMisspelt(std::move(diagnostic), {}, {});
}

template <typename Number>
bool ReadField(const SyntaxToken& token, const FieldDescriptor* field, Lowering& lowering, Number* number) {
  return ReadNumber(token.text, token.range(), field->name(), lowering, number);
}

// Reads a number of 32 bits, and reports one that is out of range.
template <typename Narrow, typename Wide>
bool ReadNarrow(const SyntaxToken& token, const FieldDescriptor* field, Lowering& lowering, Narrow* number) {
  Wide wide{};
  if (!ReadField(token, field, lowering, &wide)) return false;
  *number = static_cast<Narrow>(wide);
  if (static_cast<Wide>(*number) == wide) return true;
  lowering.Report(diag::kIntegerOutOfRange, token.range(), Quoted(token.text), field->name());
  return false;
}

bool IsNumber(const SyntaxToken& token) {
  return token.type == Grammar::INT || token.type == Grammar::FLOAT || token.type == Grammar::SPECIAL ||
         token.type == Grammar::ID;
}

const google::protobuf::EnumValueDescriptor* ReadEnum(const SyntaxToken& token, const FieldDescriptor* field,
                                                      Lowering& lowering) {
  std::int32_t number = 0;
  const google::protobuf::EnumValueDescriptor* value = nullptr;
  if (token.type == Grammar::INT) {
    if (!ReadField(token, field, lowering, &number)) return nullptr;
    value = field->enum_type()->FindValueByNumber(number);
  } else {
    value = field->enum_type()->FindValueByName(std::string(token.text));
  }
  if (value == nullptr) {
    std::vector<std::string_view> names;
    for (int i = 0; i < field->enum_type()->value_count(); ++i) names.push_back(field->enum_type()->value(i)->name());
    lowering.ReportMisspelt(MakeDiagnostic(diag::kFieldValue, token.range(), field->name(), Expected(field)),
                            token.text, names);
  }
  return value;
}

// Reads one scalar and passes it to `store`, which accepts values of all scalar types.
template <typename Store>
void BuildScalar(const SyntaxToken& token, const FieldDescriptor* field, Lowering& lowering, const Store& store) {
  const auto read = [&]<typename Number>(Number number, auto reader) {
    if (!IsNumber(token)) return ReportNumber(field, token, lowering);
    if (reader(token, field, lowering, &number)) store(number);
  };
  switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT32: return read(std::int32_t{}, ReadField<std::int32_t>);
    case FieldDescriptor::CPPTYPE_INT64: return read(std::int64_t{}, ReadField<std::int64_t>);
    case FieldDescriptor::CPPTYPE_UINT32: return read(std::uint32_t{}, ReadNarrow<std::uint32_t, std::uint64_t>);
    case FieldDescriptor::CPPTYPE_UINT64: return read(std::uint64_t{}, ReadField<std::uint64_t>);
    case FieldDescriptor::CPPTYPE_FLOAT: return read(float{}, ReadField<float>);
    case FieldDescriptor::CPPTYPE_DOUBLE: return read(double{}, ReadField<double>);
    case FieldDescriptor::CPPTYPE_BOOL:
      if (token.text == "true" || token.text == "1") return store(true);
      if (token.text == "false" || token.text == "0") return store(false);
      return ReportValue(field, token.range(), Expected(field), lowering);
    case FieldDescriptor::CPPTYPE_ENUM:
      if (const auto* value = ReadEnum(token, field, lowering)) store(value);
      return;
    case FieldDescriptor::CPPTYPE_STRING:
      if (token.type == Grammar::STRING) return store(Unquote(token));
      return ReportString(field, token, lowering);
    case FieldDescriptor::CPPTYPE_MESSAGE: return;
  }
}

// Reflection has a function for each type to set a field, and one to add to a list. Setter and Adder call the function
// for the type of their argument.
struct Setter {
  Message* message;
  const FieldDescriptor* field;
  const google::protobuf::Reflection* on = message->GetReflection();
  void operator()(std::int32_t value) const { on->SetInt32(message, field, value); }
  void operator()(std::int64_t value) const { on->SetInt64(message, field, value); }
  void operator()(std::uint32_t value) const { on->SetUInt32(message, field, value); }
  void operator()(std::uint64_t value) const { on->SetUInt64(message, field, value); }
  void operator()(float value) const { on->SetFloat(message, field, value); }
  void operator()(double value) const { on->SetDouble(message, field, value); }
  void operator()(bool value) const { on->SetBool(message, field, value); }
  void operator()(const google::protobuf::EnumValueDescriptor* value) const { on->SetEnum(message, field, value); }
  void operator()(std::string value) const { on->SetString(message, field, std::move(value)); }
};

struct Adder {
  Message* message;
  const FieldDescriptor* field;
  const google::protobuf::Reflection* on = message->GetReflection();
  void operator()(std::int32_t value) const { on->AddInt32(message, field, value); }
  void operator()(std::int64_t value) const { on->AddInt64(message, field, value); }
  void operator()(std::uint32_t value) const { on->AddUInt32(message, field, value); }
  void operator()(std::uint64_t value) const { on->AddUInt64(message, field, value); }
  void operator()(float value) const { on->AddFloat(message, field, value); }
  void operator()(double value) const { on->AddDouble(message, field, value); }
  void operator()(bool value) const { on->AddBool(message, field, value); }
  void operator()(const google::protobuf::EnumValueDescriptor* value) const { on->AddEnum(message, field, value); }
  void operator()(std::string value) const { on->AddString(message, field, std::move(value)); }
};

// ---- messages

// native : annotation* (tensor | header? nm=(ID | STRING) formals? graphRest)
void BuildNative(const Grammar::NativeContext* tree, const FieldDescriptor* field, Lowering& lowering,
                 Message* message) {
  const auto* tensor = ChildOf<Grammar::TensorContext>(tree, Grammar::RuleTensor);
  const auto* graph = ChildOf<Grammar::GraphRestContext>(tree, Grammar::RuleGraphRest);
  const bool is_function =
      ChildOf<Context>(tree, Grammar::RuleHeader) != nullptr || ChildOf<Context>(tree, Grammar::RuleFormals) != nullptr;
  Annotations annotations(tree, lowering);
  if (auto* tensor_message = dynamic_cast<onnx::TensorProto*>(message);
      tensor_message != nullptr && tensor != nullptr) {
    BuildTensor(ChildOf<Grammar::TypeContext>(tensor, Grammar::RuleType),
                ChildOf<Grammar::TensorRestContext>(tensor, Grammar::RuleTensorRest), lowering, tensor_message);
  } else if (auto* type = dynamic_cast<onnx::TypeProto*>(message);
             type != nullptr && tensor != nullptr && tensor->children.size() == 1) {
    BuildType(ChildOf<Grammar::TypeContext>(tensor, Grammar::RuleType), lowering, type);
  } else if (auto* graph_message = dynamic_cast<onnx::GraphProto*>(message);
             graph_message != nullptr && graph != nullptr && !is_function) {
    graph_message->set_name(NameOf(*static_cast<const SyntaxToken*>(tree->nm)));
    BuildGraph(graph, lowering, graph_message);
  } else if (auto* function = dynamic_cast<onnx::FunctionProto*>(message); function != nullptr && graph != nullptr) {
    BuildFunction(tree, lowering, function);
  } else {
    return ReportValue(field, RangeOf(tree), Expected(field), lowering);
  }
  annotations.Finish(message);
}

void BuildMessage(const Value* value, const FieldDescriptor* field, Lowering& lowering, Message* message) {
  const DepthGuard guard(lowering, 1, First(value).range());
  if (!guard) return;
  lowering.Map(*message, RangeOf(value));
  if (const auto* record = ChildOf<Grammar::RecordContext>(value, Grammar::RuleRecord)) {
    return BuildRecord(record, lowering, message);
  }
  if (const auto* native = ChildOf<Grammar::NativeContext>(value, Grammar::RuleNative)) {
    return BuildNative(native, field, lowering, message);
  }
  ReportValue(field, RangeOf(value), Expected(field), lowering);
}

// ---- lists

// member : fieldValue (':' fieldValue)?
// With ':', the values are the first two fields of a message, such as the key and value of a metadata entry.
void BuildPairMember(const Grammar::MemberContext* member, const FieldDescriptor* field, Lowering& lowering,
                     Message* message) {
  const DepthGuard guard(lowering, 1, First(member).range());
  if (!guard) return;
  lowering.Map(*message, RangeOf(member));
  const auto [first, second] = FieldsOfPair(field->message_type());
  if (second == nullptr) return ReportValue(field, RangeOf(member), Expected(field), lowering);
  int i = 0;
  for (const auto* value : ChildrenOf<Value>(member)) {
    SyntaxToken name;
    const FieldDescriptor* part = i++ == 0 ? first : second;
    name.text = part->name();
    name.begin = First(value).begin;
    BuildField(name, value, lowering, message);
  }
  lowering.Finish(message);
}

// Reports another value in place of a list: `{"k": "v"}` instead of `["k": "v"]`, `17` instead of `["" : 17]`.
void ReportList(const Value* value, const FieldDescriptor* field, Lowering& lowering) {
  const SourceRange range = RangeOf(value);
  Diagnostic diagnostic = MakeDiagnostic(diag::kFieldValue, range, field->name(), ExpectedList(field));
  if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
    const FieldDescriptor* second = FieldsOfPair(field->message_type()).second;
    const bool is_number = second != nullptr && second->cpp_type() == FieldDescriptor::CPPTYPE_INT64;
    if (is_number && First(value).type == Grammar::INT) {
      diagnostic.fix_its = {{range, fmt::format("[\"\" : {}]", First(value).text)}};
    } else if (const auto* record = ChildOf<Grammar::RecordContext>(value, Grammar::RuleRecord);
               second != nullptr && record != nullptr) {
      diagnostic.fix_its = {{{range.begin, range.begin + 1}, "["}, {{range.end - 1, range.end}, "]"}};
      for (const auto* entry : ChildrenOf<Grammar::RecordFieldContext>(record)) {
        if (entry->key == nullptr) continue;
        const SyntaxToken& key = First(entry->key);
        if (key.type == Grammar::ID) diagnostic.fix_its.push_back({key.range(), fmt::format("\"{}\"", key.text)});
      }
    }
  }
  lowering.ReportMisspelt(std::move(diagnostic), {}, {});
}

// Reports an import whose parts are swapped: `[17 : ""]` instead of `["" : 17]`. Returns false for any other member.
bool ReportSwapped(const Grammar::MemberContext* member, const FieldDescriptor* field, Lowering& lowering) {
  if (field->message_type() != onnx::OperatorSetIdProto::descriptor()) return false;
  const SyntaxToken& first = First(member);
  const SyntaxToken& last = *static_cast<const SyntaxToken*>(member->stop);
  if (first.type != Grammar::INT || last.type != Grammar::STRING) return false;
  Diagnostic diagnostic = MakeDiagnostic(diag::kFieldValue, RangeOf(member), field->name(), ExpectedList(field));
  diagnostic.fix_its = {{first.range(), std::string(last.text)}, {last.range(), std::string(first.text)}};
  lowering.ReportMisspelt(std::move(diagnostic), {}, {});
  return true;
}

// Reports imports that are not pairs: `[17]` or `["", 17]` instead of `["" : 17]`. Returns false for any other list.
bool ReportImports(const Grammar::ListContext* list, const FieldDescriptor* field, Lowering& lowering) {
  if (field->message_type() != onnx::OperatorSetIdProto::descriptor()) return false;
  const auto members = ChildrenOf<Grammar::MemberContext>(list);
  const auto is_alone = [](const Grammar::MemberContext* member, std::size_t type) {
    return member->children.size() == 1 && First(member).type == type;
  };
  const auto* first = members.size() == 0 ? nullptr : *members.begin();
  const auto* last = first;
  for (const auto* member : members) last = member;
  const bool is_pair = members.size() == 2 && is_alone(first, Grammar::STRING) && is_alone(last, Grammar::INT);
  if (!is_pair && !(members.size() == 1 && is_alone(first, Grammar::INT))) return false;
  const SourceRange range{First(first).begin, RangeOf(last).end};
  Diagnostic diagnostic = MakeDiagnostic(diag::kFieldValue, range, field->name(), ExpectedList(field));
  diagnostic.fix_its = {
      {range, fmt::format("{} : {}", is_pair ? First(first).text : std::string_view("\"\""), First(last).text)}};
  lowering.ReportMisspelt(std::move(diagnostic), {}, {});
  return true;
}

// Adds a member to a list of messages. Imports, which every model has, are added without reflection: the first use of
// reflection builds the descriptors of descriptors, which takes longer than parsing a small model.
Message* AddMember(const FieldDescriptor* field, Message* message) {
  const auto* reflection = message->GetReflection();
  if (field->message_type() != onnx::OperatorSetIdProto::descriptor()) return reflection->AddMessage(message, field);
  auto import = std::make_unique<onnx::OperatorSetIdProto>();
  Message* const member = import.get();
  reflection->AddAllocatedMessage(message, field, import.release());
  return member;
}

// list : '[' (member (',' member)*)? ']'
void BuildList(const Value* value, const FieldDescriptor* field, Lowering& lowering, Message* message) {
  const auto* list = ChildOf<Grammar::ListContext>(value, Grammar::RuleList);
  if (list == nullptr) return ReportList(value, field, lowering);
  if (lowering.is_reporting() && ReportImports(list, field, lowering)) return;
  const bool is_message = field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE;
  for (const auto* member : ChildrenOf<Grammar::MemberContext>(list)) {
    const auto* first = static_cast<const Value*>(member->children.front());
    const bool is_pair = member->children.size() > 1;
    if (is_pair && is_message && lowering.is_reporting() && ReportSwapped(member, field, lowering)) continue;
    if (is_message && is_pair) {
      BuildPairMember(member, field, lowering, AddMember(field, message));
    } else if (is_message) {
      BuildMessage(first, field, lowering, AddMember(field, message));
    } else if (is_pair || !first->children.empty()) {
      ReportValue(field, RangeOf(member), Expected(field), lowering);
    } else {
      lowering.Map(*message, First(first).range(), field->number(),
                   message->GetReflection()->FieldSize(*message, field));
      BuildScalar(First(first), field, lowering, Adder{message, field});
    }
  }
}

// ---- fields

// Adds the fields that are encoded in the bytes of a string. The bytes are parsed with the same depth limit as in a
// file, where they would be fields of the message.
void BuildUnknownFields(const Value* value, Lowering& lowering, Message* message) {
  const SyntaxToken& token = First(value);
  const std::string bytes = token.type == Grammar::STRING ? Unquote(token) : std::string();
  const std::unique_ptr<Message> read(message->New());
  if (token.type != Grammar::STRING || !wire::ReadFields(bytes, read.get(), kMaxDepth - lowering.depth())) {
    const bool is_too_deep = token.type == Grammar::STRING && wire::ReadFields(bytes, read.get(), kMaxDepth * 20);
    if (is_too_deep) return lowering.Report(diag::kNestingTooDeep, RangeOf(value));
    return lowering.Report(diag::kFieldValue, RangeOf(value), kUnknownFields, "the bytes of protobuf fields");
  }
  std::vector<const FieldDescriptor*> known;
  read->GetReflection()->ListFields(*read, &known);
  if (!known.empty()) return lowering.Report(diag::kKnownField, RangeOf(value), known.front()->name());
  message->GetReflection()->MutableUnknownFields(message)->MergeFrom(read->GetReflection()->GetUnknownFields(*read));
}

bool IsSet(const Message& message, const FieldDescriptor* field) {
  const auto* reflection = message.GetReflection();
  if (reflection->HasField(message, field)) return true;
  return field->real_containing_oneof() != nullptr && reflection->HasOneof(message, field->real_containing_oneof());
}

}  // namespace

void BuildField(const SyntaxToken& name, const Value* value, Lowering& lowering, Message* message) {
  if (name.text == kUnknownFields) return BuildUnknownFields(value, lowering, message);
  const auto* type = message->GetDescriptor();
  const FieldDescriptor* field = FindField(type, NameOf(name));
  if (field == nullptr) {
    std::vector<std::string_view> names;
    for (int i = 0; i < type->field_count(); ++i) names.push_back(type->field(i)->name());
    return lowering.ReportMisspelt(MakeDiagnostic(diag::kUnknownField, name.range(), type->name(), Quoted(name.text)),
                                   name.text, names);
  }
  if (field->name() == "external_data") lowering.NoteExternalData();
  if (field->is_repeated()) return BuildList(value, field, lowering, message);
  if (IsSet(*message, field)) {
    return lowering.Report(diag::kFieldSetTwice, name.range(), field->name());
  }
  lowering.Map(*message, RangeOf(value), field->number());
  if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
    return BuildMessage(value, field, lowering, message->GetReflection()->MutableMessage(message, field));
  }
  if (!value->children.empty()) return ReportValue(field, RangeOf(value), Expected(field), lowering);
  BuildScalar(First(value), field, lowering, Setter{message, field});
}

// record  : DATA | '{' (recordField (',' recordField)*)? '}'
// inPlace : '@{' (recordField (',' recordField)*)? '}'
void BuildRecord(const Context* record, Lowering& lowering, Message* message) {
  if (First(record).type == Grammar::DATA && !FirstLiteral(First(record)).empty()) {
    return lowering.Report(diag::kUnexpectedToken, First(record).range(), "a record, such as {field: value}",
                           Describe(First(record)));
  }
  for (const auto* field : ChildrenOf<Grammar::RecordFieldContext>(record)) {
    if (IsBroken(field)) continue;
    BuildField(First(field->key), ChildOf<Value>(field, Grammar::RuleFieldValue), lowering, message);
  }
}

}  // namespace onnxc::lower
