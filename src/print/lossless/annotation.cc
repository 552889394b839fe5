// Prints any field of any message by its descriptor: records, annotations, and their values. src/lower/field.cc is the
// reverse.
#include "print/lossless/printer.h"
#include "source/protobuf_compat.h"
#include "tables/default_value.h"
#include "tables/limits.h"
#include "wire/message.h"

namespace onnxc::print {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

bool HasUnknownFields(const Message& message) { return !message.GetReflection()->GetUnknownFields(message).empty(); }

bool IsIn(FieldSet set, const FieldDescriptor& field) {
  return field.number() < 64 && ((set >> field.number()) & 1) != 0;
}

/// Returns whether a message is written as `first: second` in a list: it has two fields, of which the first is a
/// scalar, and the second consists of scalars.
bool IsKeyValue(const google::protobuf::Descriptor& type) {
  if (type.field_count() != 2 || type.oneof_decl_count() != 0) return false;
  return !type.field(0)->is_repeated() && type.field(0)->message_type() == nullptr &&
         type.field(1)->message_type() == nullptr && type.field(0)->number() < type.field(1)->number();
}

template <typename Proto>
const Proto* As(const Message& message) {
  return message.GetDescriptor() == Proto::descriptor() ? static_cast<const Proto*>(&message) : nullptr;
}

}  // namespace

// ---- annotations and pragmas before an element

bool LosslessPrinter::ListsWhole(const Message& message, FieldSet carried) {
  listed_.clear();
  message.GetReflection()->ListFields(message, &listed_);
  return std::ranges::all_of(listed_, [&](const Field* field) { return IsIn(carried, *field); }) &&
         !HasUnknownFields(message);
}

LosslessPrinter::Rest LosslessPrinter::ListRest(const Message& message, FieldSet carried) {
  Rest rest;
  listed_.clear();
  message.GetReflection()->ListFields(message, &listed_);
  for (const Field* field : listed_) {
    if (IsIn(carried, *field)) continue;
    if (IsDefault(message, *field)) {
      rest.clauses.push_back({true, {}, field->name()});
    } else {
      rest.fields.push_back(field);
    }
  }
  rest.has_unknown_fields = HasUnknownFields(message);
  return rest;
}

void LosslessPrinter::AddClause(Row row, bool written, bool present, bool is_default, Rest* rest) {
  const RowName& name = NameOf(row);
  std::erase_if(rest->clauses, [&](const Clause& clause) { return clause.field == name.field; });
  if (scope_.Expects(row, written, is_default) == present) return;
  rest->clauses.push_back({.set = present, .message = {}, .field = name.field});
  // Instead of a clause `set`, an annotation could write the default value. But if the current scope has the clause
  // `unset`, that clause would remove the value again, so a pragma is needed.
  rest->needs_pragma = rest->needs_pragma || !present || scope_[row] == Presence::kUnset;
}

void LosslessPrinter::ClausesToFields(const Message& message, Rest* rest) {
  for (const Clause& clause : rest->clauses) {
    if (clause.set) rest->fields.push_back(message.GetDescriptor()->FindFieldByName(std::string(clause.field)));
  }
  rest->clauses.clear();
  rest->storage.clear();
}

void LosslessPrinter::PutRest(const Message& message, const Rest& rest, Style style, std::string_view path) {
  if (rest.HasClauses()) {
    if (style == Style::kInline) out_.AskForLines();
    Pragma(rest);
    out_.NewLine();
  }
  const auto begin = [&](std::string_view field) {
    out_.Put('@');
    out_.Put(path);
    out_.Put(field);
    out_.Put(' ');
  };
  const auto end = [&] { style == Style::kLines ? out_.NewLine() : out_.Put(' '); };
  for (const Field* field : rest.fields) {
    begin(field->name());
    FieldValue(message, *field);
    end();
  }
  if (rest.has_unknown_fields) {
    begin("unknown_fields");
    UnknownFields(message);
    end();
  }
}

void LosslessPrinter::Pragma(const Rest& rest) {
  bool first = true;
  const auto begin = [&] { out_.Put(std::exchange(first, false) ? "# onnxc: " : ", "); };
  for (const std::string_view storage : rest.storage) {
    begin();
    out_.Put(storage);
  }
  for (const Clause& clause : rest.clauses) {
    begin();
    out_.Put(clause.set ? "set " : "unset ");
    out_.Put(clause.message);
    if (!clause.message.empty()) out_.Put('.');
    out_.Put(clause.field);
  }
}

void LosslessPrinter::Top(const ClauseScope& scope, const Rest& rest, std::string_view content) {
  scope_ = scope;
  Rest all;
  if (!content.empty()) all.storage.push_back(content);
  if (scope.raw) all.storage.push_back("raw");
  for (std::size_t row = 0; row < kRows; ++row) {
    if (scope.presence[row] == Presence::kByText) continue;
    const RowName& name = NameOf(static_cast<Row>(row));
    all.clauses.push_back({scope.presence[row] == Presence::kSet, name.message, name.field});
  }
  all.storage.insert(all.storage.end(), rest.storage.begin(), rest.storage.end());
  all.clauses.insert(all.clauses.end(), rest.clauses.begin(), rest.clauses.end());
  if (!all.HasClauses()) return;
  Pragma(all);
  out_.NewLine();
}

// ---- values

void LosslessPrinter::RecordInPlace(const Message& message) {
  out_.Put('@');
  Record(message);
}

void LosslessPrinter::Record(const Message& message) {
  std::vector<const Field*> fields;
  message.GetReflection()->ListFields(message, &fields);
  if (HasUnknownFields(message)) fields.push_back(nullptr);
  out_.Put('{');
  out_.List(fields, [&](const Field* field) {
    out_.Put(field == nullptr ? std::string_view("unknown_fields") : field->name());
    out_.Put(": ");
    if (field == nullptr) return UnknownFields(message);
    FieldValue(message, *field);
  });
  out_.Put('}');
}

void LosslessPrinter::FieldValue(const Message& message, const Field& field) {
  if (!field.is_repeated()) return SingleValue(message, field, -1);
  out_.Put('[');
  std::vector<int> indices(static_cast<std::size_t>(message.GetReflection()->FieldSize(message, &field)));
  for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = static_cast<int>(i);
  out_.List(indices, [&](int index) { SingleValue(message, field, index); });
  out_.Put(']');
}

void LosslessPrinter::SingleValue(const Message& message, const Field& field, int index) {
  const google::protobuf::Reflection& reflection = *message.GetReflection();
  const auto get = [&](auto single, auto repeated) {
    return index < 0 ? (reflection.*single)(message, &field) : (reflection.*repeated)(message, &field, index);
  };
  using R = google::protobuf::Reflection;
  switch (field.cpp_type()) {
    case Field::CPPTYPE_INT32: return out_.Number(get(&R::GetInt32, &R::GetRepeatedInt32));
    case Field::CPPTYPE_INT64: return out_.Number(get(&R::GetInt64, &R::GetRepeatedInt64));
    case Field::CPPTYPE_UINT32: return out_.Number(get(&R::GetUInt32, &R::GetRepeatedUInt32));
    case Field::CPPTYPE_UINT64: return out_.Number(get(&R::GetUInt64, &R::GetRepeatedUInt64));
    case Field::CPPTYPE_FLOAT: return out_.Number(get(&R::GetFloat, &R::GetRepeatedFloat));
    case Field::CPPTYPE_DOUBLE: return out_.Number(get(&R::GetDouble, &R::GetRepeatedDouble));
    case Field::CPPTYPE_BOOL: return out_.Put(get(&R::GetBool, &R::GetRepeatedBool) ? "true" : "false");
    case Field::CPPTYPE_ENUM:
      return out_.Put(protobuf::EnumName(field, get(&R::GetEnumValue, &R::GetRepeatedEnumValue)));
    case Field::CPPTYPE_STRING: {
      std::string memory;
      return out_.String(index < 0 ? reflection.GetStringReference(message, &field, &memory)
                                   : reflection.GetRepeatedStringReference(message, &field, index, &memory));
    }
    case Field::CPPTYPE_MESSAGE: break;
  }
  const Message& value =
      index < 0 ? reflection.GetMessage(message, &field) : reflection.GetRepeatedMessage(message, &field, index);
  const DepthGuard guard(*this);
  if (!guard) return out_.Put("{}");
  if (index < 0 || !KeyValue(value)) MessageValue(value);
}

void LosslessPrinter::MessageValue(const Message& message) {
  const auto native = [&](auto write) {
    out_.Put('(');
    write();
    out_.Put(')');
  };
  if (const auto* graph = As<onnx::GraphProto>(message); graph != nullptr && IsNative(*graph)) {
    return native([&] { Graph(*graph); });
  }
  if (const auto* tensor = As<onnx::TensorProto>(message); tensor != nullptr && IsNative(*tensor)) {
    return native([&] { Tensor(*tensor); });
  }
  if (const auto* type = As<onnx::TypeProto>(message); type != nullptr && IsNative(*type)) {
    return native([&] { Type(*type); });
  }
  if (const auto* function = As<onnx::FunctionProto>(message); function != nullptr && IsNative(*function)) {
    return native([&] { Function(*function, {}); });
  }
  Record(message);
}

bool LosslessPrinter::KeyValue(const Message& message) {
  const google::protobuf::Descriptor& type = *message.GetDescriptor();
  if (!IsKeyValue(type) || HasUnknownFields(message)) return false;
  const google::protobuf::Reflection& reflection = *message.GetReflection();
  const Field& key = *type.field(0);
  const Field& value = *type.field(1);
  bool expects_key = true;
  if (const auto* import = As<onnx::OperatorSetIdProto>(message)) {
    expects_key = scope_.Expects(Row::kOpsetDomain, true, import->domain().empty());
  }
  if (reflection.HasField(message, &key) != expects_key) return false;
  if (!value.is_repeated() && !reflection.HasField(message, &value)) return false;
  SingleValue(message, key, -1);
  out_.Put(": ");
  FieldValue(message, value);
  return true;
}

// The unknown fields of a message in memory may include fields that the schema knows. Such fields are printed as they
// would be read back from bytes.
void LosslessPrinter::UnknownFields(const Message& message) {
  std::string bytes;
  (void)message.GetReflection()->GetUnknownFields(message).SerializeToString(
      &bytes);  // it fails only if the output stream fails
  const std::unique_ptr<Message> read(message.New());
  if (!wire::ReadFields(bytes, read.get(), kMaxDepth - depth_)) {
    is_too_deep_ = true;
    return;
  }
  std::vector<const Field*> known;
  read->GetReflection()->ListFields(*read, &known);
  if (!known.empty()) is_malformed_ = true;
  out_.Bytes(bytes);
}

}  // namespace onnxc::print
