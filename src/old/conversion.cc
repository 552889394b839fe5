#include "old/conversion.h"

#include <google/protobuf/reflection.h>
#include <openssl/evp.h>

#include <algorithm>

#include "old_schemas/torch_2018.pb.h"
#include "source/protobuf_compat.h"
#include "source/report.h"
#include "source/unicode.h"

namespace onnxc::old {
namespace {

namespace pb = google::protobuf;
using pb::FieldDescriptor;

bool IsSet(const pb::Message& message, const FieldDescriptor& field) {
  const pb::Reflection& reflection = *message.GetReflection();
  return field.is_repeated() ? reflection.FieldSize(message, &field) > 0 : reflection.HasField(message, &field);
}

std::string InBase64(std::string_view bytes) {
  std::string text((bytes.size() + 2) / 3 * 4, '\0');
  auto* to = reinterpret_cast<unsigned char*>(text.data());
  for (std::string_view rest = bytes; !rest.empty();) {  // in portions, because protobuf's sizes have the type int
    const std::string_view portion = rest.substr(0, 3 << 20);
    to +=
        ::EVP_EncodeBlock(to, reinterpret_cast<const unsigned char*>(portion.data()), static_cast<int>(portion.size()));
    rest.remove_prefix(portion.size());
  }
  return text;
}

/// Returns the text of a field's value for metadata. `index` is used if the field is repeated.
std::string ValueText(const pb::Message& message, const FieldDescriptor& field, int index) {
  const pb::Reflection& reflection = *message.GetReflection();
  if (field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
    const pb::Message& value = field.is_repeated() ? reflection.GetRepeatedMessage(message, &field, index)
                                                   : reflection.GetMessage(message, &field);
    return InBase64(value.SerializeAsString());
  }
  if (field.cpp_type() == FieldDescriptor::CPPTYPE_STRING) {
    std::string scratch;
    return field.is_repeated() ? reflection.GetRepeatedStringReference(message, &field, index, &scratch)
                               : reflection.GetStringReference(message, &field, &scratch);
  }
  if (field.cpp_type() == FieldDescriptor::CPPTYPE_ENUM)
    return protobuf::EnumName(field, reflection.GetEnumValue(message, &field));
  return std::to_string(field.is_repeated() ? reflection.GetRepeatedInt64(message, &field, index)
                                            : reflection.GetInt64(message, &field));
}

template <typename Number>
void CopyNumbers(const pb::Message& from, const FieldDescriptor& source, const FieldDescriptor& target,
                 pb::Message* to) {
  const auto numbers = from.GetReflection()->GetRepeatedFieldRef<Number>(from, &source);
  to->GetReflection()->GetMutableRepeatedFieldRef<Number>(to, &target).CopyFrom(numbers);
}

void CopyStrings(const pb::Message& from, const FieldDescriptor& source, const FieldDescriptor& target,
                 pb::Message* to) {
  const pb::Reflection& reader = *from.GetReflection();
  const pb::Reflection& writer = *to->GetReflection();
  std::string scratch;
  if (!source.is_repeated()) return writer.SetString(to, &target, reader.GetStringReference(from, &source, &scratch));
  for (int i = 0; i < reader.FieldSize(from, &source); ++i) {
    writer.AddString(to, &target, reader.GetRepeatedStringReference(from, &source, i, &scratch));
  }
}

/// The newest operator set version of September 2018, when PyTorch's fork was made.
constexpr int kOperatorsOfTorch = 8;

/// Aliases, strides, methods and metadata may enlarge the model to this many times the size of the input, plus a
/// constant. Without a limit, strides of 0 could expand a tensor of a small model without bounds.
constexpr std::size_t kMostCopies = 16;
constexpr std::size_t kSomeCopies = std::size_t{8} << 20;

}  // namespace

Conversion::Conversion(Schema schema, const ConvertOptions& options, std::size_t size, onnx::ModelProto* model)
    : schema_(schema),
      options_(options),
      model_(model),
      copies_(kMostCopies * size + kSomeCopies),
      copies_left_(copies_) {}

std::string_view NameInSchema(std::string_view full_name) {
  // Removes the package from names of the form onnxc.old.SCHEMA.Name.
  for (int dots = 0; dots < 3; ++dots) full_name.remove_prefix(full_name.find('.') + 1);
  return full_name;
}

bool IsKept(const FieldDescriptor& old_field, const FieldDescriptor& today) {
  const bool is_number_now =
      old_field.type() == FieldDescriptor::TYPE_ENUM && today.type() == FieldDescriptor::TYPE_INT32;
  return old_field.number() == today.number() && old_field.name() == today.name() &&
         old_field.is_repeated() == today.is_repeated() && (old_field.type() == today.type() || is_number_now);
}

const Conversion::Plan& Conversion::PlanFor(const pb::Descriptor& from, const pb::Descriptor& to) {
  const auto [found, is_new] = plans_.try_emplace(&from);
  if (!is_new) return found->second;
  for (int i = 0; i < from.field_count(); ++i) {
    const FieldDescriptor* const source = from.field(i);
    const FieldDescriptor* const target = to.FindFieldByNumber(source->number());
    if (FindMapping(schema_, NameInSchema(source->full_name())) != nullptr) continue;
    if (target != nullptr && IsKept(*source, *target)) found->second.kept.push_back({source, target});
  }
  const std::string prefix = std::string(NameInSchema(from.full_name())) + ".";
  for (const Mapping& row : Mappings()) {
    if (row.schema != schema_ || !row.field.starts_with(prefix)) continue;
    const FieldDescriptor* const source = from.FindFieldByName(std::string(row.field.substr(prefix.size())));
    if (source != nullptr) found->second.mapped.push_back({source, &row});
  }
  return found->second;
}

void Conversion::Copy(const Place& from, pb::Message* to) {
  steps_.push_back({&from, to});
  const Plan& plan = PlanFor(*from.message.GetDescriptor(), *to->GetDescriptor());
  for (const Plan::Kept& kept : plan.kept) {
    if (IsSet(from.message, *kept.source)) CopyField(from, *kept.source, *kept.target, to);
  }
  MapFields(from, plan, to);
  steps_.pop_back();
  if (to->GetDescriptor() != onnx::AttributeProto::descriptor()) return;
  const auto* const node = steps_.empty() ? nullptr : dynamic_cast<const onnx::NodeProto*>(steps_.back().to);
  const int version = schema_ == Schema::kTorch ? kOperatorsOfTorch : kFirstOperators;
  if (!AddType(node, version, static_cast<onnx::AttributeProto*>(to))) Refuse(from, kNoAttributeType);
}

void Conversion::CopyMapped(const Place& from, pb::Message* to) {
  steps_.push_back({&from, to});
  MapFields(from, PlanFor(*from.message.GetDescriptor(), *to->GetDescriptor()), to);
  steps_.pop_back();
}

void Conversion::MapFields(const Place& from, const Plan& plan, pb::Message* to) {
  for (const auto& [field, mapping] : plan.mapped) {
    if (!IsSet(from.message, *field)) continue;
    switch (mapping->fate) {
      case Fate::kMetadata: AddMetadata(from, field->number()); break;
      case Fate::kMapped:
        if (mapping->map != nullptr) mapping->map(*this, from, to);
        break;
      case Fate::kRefused: Lose({from, field->number()}, field->name(), mapping->becomes); break;
    }
  }
  LoseUnknown(from);
}

void Conversion::CopyField(const Place& from, const FieldDescriptor& source, const FieldDescriptor& target,
                           pb::Message* to) {
  const pb::Reflection& reader = *from.message.GetReflection();
  const pb::Reflection& writer = *to->GetReflection();
  const pb::OneofDescriptor* const choice = target.containing_oneof();
  if (choice != nullptr && writer.HasOneof(*to, choice)) {
    return Lose({from, source.number()}, source.name(), fmt::format("ONNX allows only one {} here", choice->name()));
  }
  switch (source.cpp_type()) {
    case FieldDescriptor::CPPTYPE_MESSAGE: return CopyMessages(from, source, target, to);
    case FieldDescriptor::CPPTYPE_STRING: return CopyStrings(from.message, source, target, to);
    case FieldDescriptor::CPPTYPE_ENUM: return CopyEnum(from, source, target, to);
    case FieldDescriptor::CPPTYPE_FLOAT:
      if (source.is_repeated()) return CopyNumbers<float>(from.message, source, target, to);
      return writer.SetFloat(to, &target, reader.GetFloat(from.message, &source));
    case FieldDescriptor::CPPTYPE_INT64:
      if (source.is_repeated()) return CopyNumbers<std::int64_t>(from.message, source, target, to);
      return writer.SetInt64(to, &target, reader.GetInt64(from.message, &source));
    // In the old schemas, all fields of these types are lists.
    case FieldDescriptor::CPPTYPE_DOUBLE: return CopyNumbers<double>(from.message, source, target, to);
    case FieldDescriptor::CPPTYPE_INT32: return CopyNumbers<std::int32_t>(from.message, source, target, to);
    case FieldDescriptor::CPPTYPE_UINT64: return CopyNumbers<std::uint64_t>(from.message, source, target, to);
    case FieldDescriptor::CPPTYPE_UINT32:
    case FieldDescriptor::CPPTYPE_BOOL: break;  // no old schema has such a field
  }
}

void Conversion::CopyMessages(const Place& from, const FieldDescriptor& source, const FieldDescriptor& target,
                              pb::Message* to) {
  const pb::Reflection& reader = *from.message.GetReflection();
  const pb::Reflection& writer = *to->GetReflection();
  if (!source.is_repeated()) {
    const pb::Message& child = reader.GetMessage(from.message, &source);
    return Copy(from.Child(child, source.number()), writer.MutableMessage(to, &target));
  }
  for (int i = 0; i < reader.FieldSize(from.message, &source); ++i) {
    const pb::Message& child = reader.GetRepeatedMessage(from.message, &source, i);
    Copy(from.Child(child, source.number(), i), writer.AddMessage(to, &target));
  }
}

/// Copies the value of an enum. In the current schema, the types of attributes are still enums, and all others are
/// plain numbers.
void Conversion::CopyEnum(const Place& from, const FieldDescriptor& source, const FieldDescriptor& target,
                          pb::Message* to) {
  const int value = from.message.GetReflection()->GetEnumValue(from.message, &source);
  const std::string word = protobuf::EnumName(source, value);
  const std::string name = fmt::format("{}.{}", source.enum_type()->full_name(), word);
  if (const Mapping* const row = FindMapping(schema_, NameInSchema(name))) {
    return Lose({from, source.number()}, word, row->becomes);
  }
  const pb::Reflection& writer = *to->GetReflection();
  if (target.cpp_type() == FieldDescriptor::CPPTYPE_ENUM) {
    writer.SetEnumValue(to, &target, value);
  } else {
    writer.SetInt32(to, &target, value);
  }
}

void Conversion::LoseUnknown(const Place& from) {
  const pb::UnknownFieldSet& unknown = from.message.GetReflection()->GetUnknownFields(from.message);
  for (int i = 0; i < unknown.field_count(); ++i) {
    const int number = unknown.field(i).number();
    const FieldDescriptor* const field = from.message.GetDescriptor()->FindFieldByNumber(number);
    const std::string what =
        field != nullptr ? fmt::format("a value of {}", field->name()) : fmt::format("field {}", number);
    Lose(from, what, "the old schema does not know it");
  }
}

void Conversion::AddMetadata(const Place& from, int number) {
  const FieldDescriptor& field = *from.message.GetDescriptor()->FindFieldByNumber(number);
  const auto entries = [](const pb::Message& to) { return to.GetDescriptor()->FindFieldByName("metadata_props"); };
  auto step = steps_.rbegin();
  while (entries(*step->to) == nullptr) ++step;  // the outermost message always has them
  std::string path;
  for (const Place* place = &from; place != step->from; place = place->parent) {
    const FieldDescriptor& around = *place->parent->message.GetDescriptor()->FindFieldByNumber(place->field);
    const std::string index = around.is_repeated() ? fmt::format("[{}]", place->index) : "";
    path = fmt::format("{}{}.{}", around.name(), index, path);
  }
  const FieldDescriptor* const list = entries(*step->to);
  const int count = field.is_repeated() ? from.message.GetReflection()->FieldSize(from.message, &field) : 1;
  const std::string_view word = std::ranges::find(kSchemas, schema_, &SchemaRow::schema)->word;
  for (int i = 0; i < count; ++i) {
    const std::string index = field.is_repeated() ? fmt::format("[{}]", i) : "";
    std::string key = fmt::format("{}.{}{}{}", word, path, field.name(), index);
    if (step->to == model_) key = FreeKey(std::move(key));  // in earlier schemas, only models had metadata
    std::string value = ValueText(from.message, field, i);
    if (!Spend(key.size() + value.size())) return RefuseMetadata({from, number, i});
    auto* const entry =
        static_cast<onnx::StringStringEntryProto*>(step->to->GetReflection()->AddMessage(step->to, list));
    entry->set_key(std::move(key));
    entry->set_value(std::move(value));
  }
}

std::string Conversion::FreeKey(std::string key) {
  if (model_keys_.empty()) {
    for (const onnx::StringStringEntryProto& entry : model_->metadata_props()) model_keys_.insert(entry.key());
  }
  std::string free = key;
  for (int number = 2; !model_keys_.insert(free).second; ++number) free = fmt::format("{}#{}", key, number);
  return free;
}

void Conversion::RefuseMetadata(const Spot& spot) {
  if (std::exchange(has_refused_metadata_, true)) return;
  Refuse(spot, TooMuch("the metadata"));
}

void Conversion::Lose(const Spot& spot, std::string_view what, std::string_view why) {
  Report(options_.allow_loss ? MakeDiagnostic(diag::kOldDropped, kNowhere, Quoted(what), why)
                             : MakeDiagnostic(diag::kOldLoss, kNowhere, Quoted(what), why),
         spot);
}

void Conversion::LeaveUntyped(const Spot& spot, std::string_view input) {
  Report(MakeDiagnostic(diag::kOldUntyped, kNowhere, "input", Quoted(input), "set it with --input"), spot);
}

void Conversion::Refuse(const Spot& spot, std::string_view message) {
  Report(MakeDiagnostic(diag::kOldInput, kNowhere, message), spot);
}

void Conversion::Report(Diagnostic finding, const Spot& spot) {
  if (++told_[finding.severity] > options_.max_diagnostics) return Suppress(finding.severity, &found_);
  finding.path = PathOf(spot);
  found_.Add(std::move(finding));
}

const Conversion::TensorsByName& Conversion::TensorsOf(const torch_2018::GraphProto& graph) {
  const auto [found, is_new] = tensors_.try_emplace(&graph);
  if (is_new) {
    for (const torch_2018::TensorProto& tensor : graph.initializer()) found->second.emplace(tensor.name(), &tensor);
  }
  return found->second;
}

bool Conversion::Spend(std::size_t bytes) {
  const bool is_allowed = bytes <= copies_left_;
  copies_left_ = is_allowed ? copies_left_ - bytes : 0;  // after the limit is exceeded, nothing more is added
  return is_allowed;
}

std::string Conversion::TooMuch(std::string_view what) const {
  return fmt::format("{} would need more than {} bytes, which is the limit for a model of this size", what, copies_);
}

}  // namespace onnxc::old
