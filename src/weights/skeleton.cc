#include "weights/skeleton.h"

#include <google/protobuf/descriptor.h>
#include <onnxc/proto.h>

#include "diff/equality.h"
#include "weights/elided.h"

namespace onnxc::weights {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;
using onnx::TensorProto;

bool IsAboutData(const FieldDescriptor& field) {
  switch (field.number()) {
    case TensorProto::kFloatDataFieldNumber:
    case TensorProto::kInt32DataFieldNumber:
    case TensorProto::kStringDataFieldNumber:
    case TensorProto::kInt64DataFieldNumber:
    case TensorProto::kDoubleDataFieldNumber:
    case TensorProto::kUint64DataFieldNumber:
    case TensorProto::kRawDataFieldNumber:
    case TensorProto::kExternalDataFieldNumber:
    case TensorProto::kDataLocationFieldNumber: return true;
    default: return false;
  }
}

bool IsGap(const Message& message) {
  return message.GetDescriptor() == TensorProto::descriptor() && IsElided(static_cast<const TensorProto&>(message));
}

bool HasSameParts(const Message& skeleton, const Message& whole, const FieldDescriptor& field) {
  const Reflection& reflection = *skeleton.GetReflection();
  if (!field.is_repeated()) {
    const bool has_part = reflection.HasField(skeleton, &field);
    if (has_part != reflection.HasField(whole, &field)) return false;
    return !has_part || IsSkeletonOf(reflection.GetMessage(skeleton, &field), reflection.GetMessage(whole, &field));
  }
  const int count = reflection.FieldSize(skeleton, &field);
  if (count != reflection.FieldSize(whole, &field)) return false;
  for (int i = 0; i < count; ++i) {
    if (!IsSkeletonOf(reflection.GetRepeatedMessage(skeleton, &field, i),
                      reflection.GetRepeatedMessage(whole, &field, i))) {
      return false;
    }
  }
  return true;
}

}  // namespace

bool IsSkeletonOf(const Message& skeleton, const Message& whole) {
  const google::protobuf::Descriptor& type = *skeleton.GetDescriptor();
  if (&type != whole.GetDescriptor()) return false;
  const bool is_gap = IsGap(skeleton);
  for (int i = 0; i < type.field_count(); ++i) {
    const FieldDescriptor& field = *type.field(i);
    if (is_gap && IsAboutData(field)) continue;
    const bool is_same = field.message_type() != nullptr ? HasSameParts(skeleton, whole, field)
                                                         : diff::SameField(skeleton, whole, field);
    if (!is_same) return false;
  }
  return diff::UnknownFields(skeleton) == diff::UnknownFields(whole);
}

}  // namespace onnxc::weights
