// The fields of messages that are merged together, and copying them.
#pragma once

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <vector>

#include "tables/carried.h"

namespace onnxc::merge {

/// Fields that are one value, such as the type, the dimensions and the data of a tensor.
using Unit = std::vector<const google::protobuf::FieldDescriptor*>;

/// Returns the units of all fields of a message type. The fields `together` are one unit, and so are those of a oneof.
[[nodiscard]] std::vector<Unit> UnitsOf(const google::protobuf::Descriptor& type, FieldSet together);

/// Returns whether the fields are equal, including their presence.
[[nodiscard]] bool SameUnit(const google::protobuf::Message& one, const google::protobuf::Message& other,
                            const Unit& unit);

/// Copies the fields. They must be absent in `*to`.
void CopyUnit(const google::protobuf::Message& from, const Unit& unit, google::protobuf::Message* to);

}  // namespace onnxc::merge
