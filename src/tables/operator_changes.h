// The versions in which operators changed their meaning, or the form of their inputs or attributes.
#pragma once

#include <onnxc/proto.h>

#include <cstdint>

namespace onnxc {

/// Returns whether a node of a standard operator has a different meaning in the two versions, or is invalid in the
/// newer one if it was written for the older one. Versions that only accept more types, or only add attributes whose
/// defaults keep the old behavior, do not count. The table is that of the conversion, tables/steps.def.
[[nodiscard]] bool HasOtherMeaning(const onnx::NodeProto& node, std::int64_t one, std::int64_t other);

}  // namespace onnxc
