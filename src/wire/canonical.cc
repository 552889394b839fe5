#include "wire/canonical.h"

#include <google/protobuf/wire_format_lite.h>
#include <onnxc/proto.h>

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "tables/limits.h"
#include "wire/wire.h"

namespace onnxc::wire {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::internal::WireFormatLite;

enum class Content : std::uint8_t { kOther, kInt32, kInt64, kBool, kEnum, kFixed, kBytes, kMessage, kPacked };

struct Shape;

/// How a field is encoded.
struct Field {
  Content content = Content::kOther;  ///< kOther: the field is unknown, or its encoding cannot be checked
  Content element = Content::kOther;  ///< the contents of an element, for a packed list
  bool is_repeated = false;
  std::uint8_t width = 0;  ///< the width of a fixed-size number, or of the elements of a packed list
  std::uint8_t wire_type = 0;
  std::uint32_t alternative = 0;  ///< bit of the oneof that contains the field; 0 if there is none
  std::uint64_t enumerators = 0;  ///< bit mask of the values; values above 63 cannot be checked
  const Shape* message = nullptr;
};

/// The fields of a message, indexed by number.
struct Shape {
  std::vector<Field> fields = {};
};
using Shapes = std::map<const Descriptor*, Shape>;

Content ContentOf(const FieldDescriptor& field) {
  switch (field.type()) {
    case FieldDescriptor::TYPE_INT32: return Content::kInt32;
    case FieldDescriptor::TYPE_INT64:
    case FieldDescriptor::TYPE_UINT64: return Content::kInt64;
    case FieldDescriptor::TYPE_BOOL: return Content::kBool;
    case FieldDescriptor::TYPE_ENUM: return Content::kEnum;
    case FieldDescriptor::TYPE_FLOAT:
    case FieldDescriptor::TYPE_DOUBLE: return Content::kFixed;
    case FieldDescriptor::TYPE_STRING:
    case FieldDescriptor::TYPE_BYTES: return Content::kBytes;
    case FieldDescriptor::TYPE_MESSAGE: return field.is_map() ? Content::kOther : Content::kMessage;
    default: return Content::kOther;
  }
}

const Shape* Add(const Descriptor& type, Shapes* shapes);

Field FieldOf(const FieldDescriptor& field, Shapes* shapes) {
  Field result{.content = ContentOf(field), .is_repeated = field.is_repeated()};
  // Protobuf does not write a field without presence if it is zero. The bytes may contain such a zero, so these fields
  // are not checked.
  if (!field.is_repeated() && !field.has_presence()) result.content = Content::kOther;
  result.wire_type = static_cast<std::uint8_t>(
      WireFormatLite::WireTypeForFieldType(static_cast<WireFormatLite::FieldType>(field.type())));
  if (field.type() == FieldDescriptor::TYPE_FLOAT) result.width = sizeof(float);
  if (field.type() == FieldDescriptor::TYPE_DOUBLE) result.width = sizeof(double);
  for (int i = 0; field.enum_type() != nullptr && i < field.enum_type()->value_count(); ++i) {
    const int number = field.enum_type()->value(i)->number();
    if (number >= 0 && number < 64) result.enumerators |= std::uint64_t{1} << number;
  }
  if (field.is_packed()) {
    result.element = result.content;
    result.content = Content::kPacked;
    result.wire_type = WireFormatLite::WIRETYPE_LENGTH_DELIMITED;
  }
  if (field.containing_oneof() != nullptr) result.alternative = 1U << field.containing_oneof()->index();
  if (result.content == Content::kMessage) result.message = Add(*field.message_type(), shapes);
  return result;
}

const Shape* Add(const Descriptor& type, Shapes* shapes) {
  const auto [entry, is_new] = shapes->try_emplace(&type);
  for (int i = 0; is_new && i < type.field_count(); ++i) {
    const FieldDescriptor& field = *type.field(i);
    const Field added = FieldOf(field, shapes);
    std::vector<Field>& fields = entry->second.fields;
    const auto number = static_cast<std::size_t>(field.number());
    if (number >= fields.size()) fields.resize(number + 1);
    fields[number] = added;
  }
  return &entry->second;
}

const Shapes& AllShapes() {
  static const Shapes shapes = [] {
    Shapes all;
    (void)Add(*onnx::ModelProto::descriptor(), &all);
    return all;
  }();
  return shapes;
}

/// Removes a varint of several bytes. Returns false unless it has the shortest possible encoding.
[[gnu::noinline]] bool TakeLong(std::string_view* bytes, std::uint64_t* value) {
  const std::size_t size = bytes->size();
  const std::optional<std::uint64_t> taken = TakeVarint(bytes);
  if (!taken) return false;
  *value = *taken;
  const char last = bytes->data()[-1];  // only one bit of the tenth byte is used
  return last != 0 && (size - bytes->size() < kLongestVarint || last == 1);
}

/// Removes the first varint. Returns false unless it has the shortest possible encoding. Most varints have one byte.
inline bool TakeShortest(std::string_view* bytes, std::uint64_t* value) {
  if (bytes->empty() || static_cast<unsigned char>(bytes->front()) >= 0x80) return TakeLong(bytes, value);
  *value = static_cast<unsigned char>(bytes->front());
  bytes->remove_prefix(1);
  return true;
}

bool IsNumber(std::uint64_t value, const Field& field, Content content) {
  switch (content) {
    case Content::kInt32: {
      const auto number = static_cast<std::int64_t>(value);
      return number == static_cast<std::int32_t>(number);
    }
    case Content::kInt64: return true;
    case Content::kBool: return value <= 1;
    case Content::kEnum: return value < 64 && (field.enumerators >> value & 1) != 0;
    default: return false;
  }
}

bool IsPacked(std::string_view bytes, const Field& field) {
  if (bytes.empty()) return false;  // an empty list is not written
  if (field.element == Content::kFixed) return bytes.size() % field.width == 0;
  while (!bytes.empty()) {
    std::uint64_t value = 0;
    if (!TakeShortest(&bytes, &value) || !IsNumber(value, field, field.element)) return false;
  }
  return true;
}

bool IsCanonical(std::string_view bytes, const Shape& shape, int deepest);

/// Removes the value of a field. Returns false unless it is encoded as protobuf would encode it, with at most `deepest`
/// levels of messages.
bool TakeValue(const Field& field, int deepest, std::string_view* bytes) {
  if (field.content == Content::kFixed) {
    if (bytes->size() < field.width) return false;
    bytes->remove_prefix(field.width);
    return true;
  }
  std::uint64_t number = 0;
  if (!TakeShortest(bytes, &number)) return false;
  if (field.wire_type == WireFormatLite::WIRETYPE_VARINT) return IsNumber(number, field, field.content);
  if (number > bytes->size()) return false;
  const std::string_view value(bytes->data(), static_cast<std::size_t>(number));
  bytes->remove_prefix(value.size());
  if (field.content == Content::kBytes) return true;
  return field.content == Content::kMessage ? IsCanonical(value, *field.message, deepest) : IsPacked(value, field);
}

/// Returns whether the bytes are a message as protobuf would write it. Fields must be in ascending order of their
/// numbers. Several fields may have the same number only if they belong to a list that is not packed.
bool IsCanonical(std::string_view bytes, const Shape& shape, int deepest) {
  if (deepest < 0) return false;
  std::uint64_t last = 0;
  std::uint32_t alternatives = 0;
  const std::span<const Field> fields = shape.fields;
  while (!bytes.empty()) {
    std::uint64_t tag = 0;
    if (!TakeShortest(&bytes, &tag)) return false;
    const std::uint64_t number = tag >> 3;
    if (number < last || number >= fields.size()) return false;
    const Field& field = fields[number];
    if (field.content == Content::kOther || (tag & 7) != field.wire_type) return false;
    if (number == last && (!field.is_repeated || field.content == Content::kPacked)) return false;
    if ((alternatives & field.alternative) != 0) return false;
    last = number;
    alternatives |= field.alternative;
    if (!TakeValue(field, deepest - 1, &bytes)) return false;
  }
  return true;
}

}  // namespace

bool IsCanonical(std::string_view bytes, const Descriptor& type) {
  const auto shape = AllShapes().find(&type);
  return shape != AllShapes().end() && IsCanonical(bytes, shape->second, kMaxDepth);
}

}  // namespace onnxc::wire
