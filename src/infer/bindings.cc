#include "infer/bindings.h"

#include <algorithm>

namespace onnxc::infer {
namespace {

/// Of each domain that has a row in the tables, the version that is imported first; -1 where none is.
std::vector<int> VersionsIn(const Opsets& opsets) {
  std::vector<int> versions;
  for (const auto& opset : opsets) {
    const int row = FindDomain(NodeDomain(opset.domain()));
    if (row < 0) continue;
    const auto index = static_cast<std::size_t>(row);
    if (index >= versions.size()) versions.resize(index + 1, -1);
    if (versions[index] < 0) versions[index] = static_cast<int>(std::clamp<std::int64_t>(opset.version(), 0, 1 << 20));
  }
  return versions;
}

}  // namespace

Bindings::Bindings(std::span<const onnx::FunctionProto* const> functions) {
  for (int i = 0; const onnx::FunctionProto* const function : functions) {
    functions_.try_emplace({NodeDomain(function->domain()), function->name(), function->overload()}, i++);
  }
}

int Bindings::FindCallee(const onnx::NodeProto& node) const {
  const auto found = functions_.find({NodeDomain(node.domain()), node.op_type(), node.overload()});
  return found == functions_.end() ? -1 : found->second;
}

int Bindings::VersionOf(const Opsets& opsets, std::string_view domain) {
  const int row = FindDomain(NodeDomain(domain));
  if (row < 0) return -1;
  const auto [found, is_new] = versions_.try_emplace(&opsets);
  if (is_new) found->second = VersionsIn(opsets);
  const auto index = static_cast<std::size_t>(row);
  return index < found->second.size() ? found->second[index] : -1;
}

const Binding& Bindings::Of(const onnx::NodeProto& node, const Opsets& opsets) {
  Binding& recent = recent_[LooksOf(node.op_type()) % recent_.size()];
  if (recent.opsets == &opsets && recent.name == node.op_type() && recent.domain == node.domain() &&
      recent.overload == node.overload()) {
    return recent;
  }
  recent = {.opsets = &opsets, .domain = node.domain(), .name = node.op_type(), .overload = node.overload()};
  recent.version = VersionOf(opsets, node.domain());
  if (recent.version >= 0) recent.op = FindOperator(NodeDomain(node.domain()), node.op_type(), recent.version);
  if (recent.op == nullptr) {
    recent.function = FindCallee(node);
  } else {
    recent.infer = FindFunction(*recent.op);
    recent.evaluate = FindEvaluator(*recent.op);
  }
  return recent;
}

}  // namespace onnxc::infer
