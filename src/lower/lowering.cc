#include "lower/lowering.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "tables/default_value.h"

namespace onnxc::lower {

// Returns whether one more error may be reported. All findings of the lowering are errors.
bool Lowering::HasRoom() {
  if (diagnostics_ == nullptr) return false;
  if (room_ == 0) {
    Suppress(Severity::kError, diagnostics_);
    return false;
  }
  --room_;
  return true;
}

void Lowering::ReportMisspelt(Diagnostic diagnostic, std::string_view word,
                              const std::vector<std::string_view>& words) {
  failed_ = true;
  if (!HasRoom()) return;
  if (const std::string_view near = Nearest(word, words); !near.empty()) {
    diagnostic.message += fmt::format("; did you mean '{}'?", near);
    diagnostic.fix_its = {{diagnostic.range, std::string(near)}};
  }
  diagnostics_->Add(std::move(diagnostic));
}

void Lowering::ReportMember(Diagnostic diagnostic, std::string_view reason) {
  failed_ = true;
  if (!is_reporting()) return;
  if (member_ && reason_ == reason) {
    std::ranges::move(diagnostic.fix_its, std::back_inserter(member_->fix_its));
    return;
  }
  FinishList();
  member_ = std::move(diagnostic);
  reason_ = reason;
  if (lists_ == 0) FinishList();
}

void Lowering::FinishList() {
  if (member_ && HasRoom()) diagnostics_->Add(*std::move(member_));
  member_.reset();
}

namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

// Makes a scalar field present with its default value.
void SetDefault(Message* message, const FieldDescriptor* field) {
  const auto* reflection = message->GetReflection();
  switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT32: return reflection->SetInt32(message, field, field->default_value_int32());
    case FieldDescriptor::CPPTYPE_INT64: return reflection->SetInt64(message, field, field->default_value_int64());
    case FieldDescriptor::CPPTYPE_UINT32: return reflection->SetUInt32(message, field, field->default_value_uint32());
    case FieldDescriptor::CPPTYPE_UINT64: return reflection->SetUInt64(message, field, field->default_value_uint64());
    case FieldDescriptor::CPPTYPE_DOUBLE: return reflection->SetDouble(message, field, field->default_value_double());
    case FieldDescriptor::CPPTYPE_FLOAT: return reflection->SetFloat(message, field, field->default_value_float());
    case FieldDescriptor::CPPTYPE_BOOL: return reflection->SetBool(message, field, field->default_value_bool());
    case FieldDescriptor::CPPTYPE_ENUM: return reflection->SetEnum(message, field, field->default_value_enum());
    case FieldDescriptor::CPPTYPE_STRING:
      return reflection->SetString(message, field, std::string(field->default_value_string()));
    case FieldDescriptor::CPPTYPE_MESSAGE: reflection->MutableMessage(message, field);
  }
}

// Returns whether a clause for all messages may clear the field without changing the meaning of the message: the field
// has its default value, or it is the type of an attribute, which follows from the attribute's value.
bool MayClear(const Message& message, const FieldDescriptor* field) {
  if (field == onnx::AttributeProto::descriptor()->FindFieldByNumber(onnx::AttributeProto::kTypeFieldNumber))
    return true;
  return field->cpp_type() != FieldDescriptor::CPPTYPE_ENUM && IsDefault(message, *field);
}

}  // namespace

void Lowering::ApplyClauses(Message* message, const void* element) const {
  std::vector<const FieldDescriptor*> decided;
  const auto* reflection = message->GetReflection();
  for (auto clause = clauses_.rbegin(); clause != clauses_.rend(); ++clause) {
    const bool is_own = element != nullptr && clause->element == element;
    if (!is_own && (clause->element != nullptr || clause->field->containing_type() != message->GetDescriptor()))
      continue;
    if (std::ranges::find(decided, clause->field) != decided.end()) continue;
    decided.push_back(clause->field);
    const bool is_present = reflection->HasField(*message, clause->field);
    if (clause->set && !is_present) SetDefault(message, clause->field);
    if (!clause->set && is_present && (is_own || MayClear(*message, clause->field))) {
      reflection->ClearField(message, clause->field);
    }
  }
}

}  // namespace onnxc::lower
