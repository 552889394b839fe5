#include "tables/operator_changes.h"

#include <algorithm>
#include <string_view>

#include "tables/signatures.h"

namespace onnxc {
namespace {

/// A step upwards that is more than another number.
struct OperatorChange {
  std::string_view op_type;
  std::int64_t version;
  std::string_view rule;
  std::string_view attribute;
};

constexpr OperatorChange kOperatorChanges[] = {
#define ONNXC_STEP(op_type, version, up, down) {#op_type, version, #up, ""},
#define ONNXC_STEP_OF(attribute, op_type, version, up, down) {#op_type, version, #up, #attribute},
#define ONNXC_ML_STEP(op_type, version, up, down)
#define ONNXC_NEW(op_type, version, down)
#include "tables/steps.def"
#undef ONNXC_STEP
#undef ONNXC_STEP_OF
#undef ONNXC_ML_STEP
#undef ONNXC_NEW
};

bool HasAttribute(const onnx::NodeProto& node, std::string_view name) {
  return std::ranges::any_of(node.attribute(), [&](const auto& attribute) { return attribute.name() == name; });
}

}  // namespace

bool HasOtherMeaning(const onnx::NodeProto& node, std::int64_t one, std::int64_t other) {
  const std::int64_t older = std::min(one, other);
  const std::int64_t newer = std::max(one, other);
  if (!NodeDomain(node.domain()).empty()) return false;
  return std::ranges::any_of(kOperatorChanges, [&](const OperatorChange& change) {
    return change.op_type == node.op_type() && older < change.version && change.version <= newer &&
           change.rule != "Same" && (change.attribute.empty() || HasAttribute(node, change.attribute));
  });
}

}  // namespace onnxc
