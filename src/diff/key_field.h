// Identifies the elements of lists.
#pragma once

#include <google/protobuf/descriptor.h>

namespace onnxc::diff {

/// Returns the field by which the elements of a list of this type are identified, or null if only their order
/// identifies them.
[[nodiscard]] const google::protobuf::FieldDescriptor* KeyField(const google::protobuf::Descriptor& type);

}  // namespace onnxc::diff
