#include "print/reference/loss.h"

#include "tables/default_value.h"

namespace onnxc::print {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

std::string Path::ToString(std::string_view field) const {
  std::string path;
  for (const PathStep& step : steps_) AppendStep(step, &path);
  if (!path.empty() && !field.empty()) path += '.';
  path += field;
  return path;
}

namespace {

/// Returns how many levels of nesting the text adds to `message` if types are missing in it: `opaque()` is printed for
/// a missing type.
int LevelsOfStandIn(const Message& message) {
  const auto missing = [](bool is_set) { return is_set ? 0 : 2; };
  if (const auto* type = dynamic_cast<const onnx::TypeProto*>(&message)) {
    return type->value_case() == onnx::TypeProto::VALUE_NOT_SET ? 1 : 0;
  }
  if (const auto* list = dynamic_cast<const onnx::TypeProto::Sequence*>(&message))
    return missing(list->has_elem_type());
  if (const auto* type = dynamic_cast<const onnx::TypeProto::Optional*>(&message))
    return missing(type->has_elem_type());
  if (const auto* map = dynamic_cast<const onnx::TypeProto::Map*>(&message)) return missing(map->has_value_type());
  return 0;
}

}  // namespace

bool NestsDeeper(const Message& message, int levels) {
  if (levels < LevelsOfStandIn(message)) return true;
  const google::protobuf::Reflection& reflection = *message.GetReflection();
  std::vector<const FieldDescriptor*> fields;
  reflection.ListFields(message, &fields);
  for (const FieldDescriptor* field : fields) {
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) continue;
    if (!field->is_repeated()) {
      if (NestsDeeper(reflection.GetMessage(message, field), levels - 1)) return true;
      continue;
    }
    for (int i = 0; i < reflection.FieldSize(message, field); ++i) {
      if (NestsDeeper(reflection.GetRepeatedMessage(message, field, i), levels - 1)) return true;
    }
  }
  return false;
}

void Losses::AddText(std::string_view field, const std::string& what, Severity severity) {
  Diagnostic diagnostic = MakeDiagnostic(diag::kLoss, {}, what);
  diagnostic.severity = severity;
  diagnostic.path = path_.ToString(field);
  diagnostics_.Add(std::move(diagnostic));
}

void Losses::AddOthers(const Message& message, FieldSet carried) {
  const google::protobuf::Reflection& reflection = *message.GetReflection();
  fields_.clear();
  reflection.ListFields(message, &fields_);
  for (const FieldDescriptor* field : fields_) {
    if (field->number() < 64 && (carried >> field->number() & 1) != 0) continue;
    if (!IsDefault(message, *field)) Add(field->name(), "this field");
  }
  const google::protobuf::UnknownFieldSet& unknown = reflection.GetUnknownFields(message);
  for (int i = 0; i < unknown.field_count(); ++i) {
    Add("", "the field {}, which this version's schema does not know", unknown.field(i).number());
  }
}

Diagnostics Losses::Finish() {
  diagnostics_.Finish(options_.max_diagnostics);
  return std::move(diagnostics_);
}

}  // namespace onnxc::print
