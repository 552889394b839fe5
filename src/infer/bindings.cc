#include "infer/bindings.h"

#include <algorithm>

namespace onnxc::infer {
namespace {

int VersionFor(const onnx::OperatorSetIdProto& opset) {
  return static_cast<int>(std::clamp<std::int64_t>(opset.version(), 0, 1 << 20));
}

}  // namespace

// Returns the imported version of each domain that has operators, or -1 for a domain that is not imported. If a domain
// is imported twice, the last import counts, as in the checker, but an import of "ai.onnx" counts only if "" is not
// imported.
Bindings::Versions Bindings::VersionsIn(const Opsets& opsets) const {
  Versions versions;
  const auto add = [&](std::string_view domain, const onnx::OperatorSetIdProto& opset) {
    const int row = FindDomain(domain);
    if (row < 0) {
      if (operators_.IsDeclared(domain)) versions.declared.insert_or_assign(domain, VersionFor(opset));
      return;
    }
    const auto index = static_cast<std::size_t>(row);
    if (index >= versions.built_in.size()) versions.built_in.resize(index + 1, -1);
    versions.built_in[index] = VersionFor(opset);
  };
  for (const bool is_other_name : {true, false}) {
    for (const auto& opset : opsets) {
      const std::string_view domain = NodeDomain(opset.domain());
      if ((domain != opset.domain()) == is_other_name) add(domain, opset);
    }
  }
  return versions;
}

Bindings::Bindings(std::span<const onnx::FunctionProto* const> functions, const OperatorTable& operators)
    : operators_(operators) {
  for (int i = 0; const onnx::FunctionProto* const function : functions) {
    functions_.try_emplace(FunctionKey(*function), i++);
  }
}

int Bindings::FindCallee(const onnx::NodeProto& node) const {
  const auto found = functions_.find(FunctionKey(node));
  return found == functions_.end() ? -1 : found->second;
}

int Bindings::VersionOf(const Opsets& opsets, std::string_view domain) {
  const std::string_view name = NodeDomain(domain);
  const int row = FindDomain(name);
  if (row < 0 && !operators_.IsDeclared(name)) return -1;
  const auto [found, is_new] = versions_.try_emplace(&opsets);
  if (is_new) found->second = VersionsIn(opsets);
  const Versions& versions = found->second;
  if (row < 0) {
    const auto declared = versions.declared.find(name);
    return declared == versions.declared.end() ? -1 : declared->second;
  }
  const auto index = static_cast<std::size_t>(row);
  return index < versions.built_in.size() ? versions.built_in[index] : -1;
}

const Binding& Bindings::Of(const onnx::NodeProto& node, const Opsets& opsets) {
  Binding& recent = recent_[LooksOf(node.op_type()) % recent_.size()];
  if (recent.opsets == &opsets && recent.node->op_type() == node.op_type() && recent.node->domain() == node.domain() &&
      recent.node->overload() == node.overload()) {
    return recent;
  }
  recent = {.opsets = &opsets,
            .node = &node,
            .version = VersionOf(opsets, node.domain()),
            .function = -1,
            .op = nullptr,
            .infer = nullptr,
            .evaluate = nullptr};
  if (recent.version >= 0) recent.op = operators_.Find(NodeDomain(node.domain()), node.op_type(), recent.version);
  if (recent.op == nullptr || recent.op->declared != nullptr) recent.function = FindCallee(node);
  if (recent.function >= 0) recent.op = nullptr;  // a function of the model overrides an operator that a file declares
  if (recent.op != nullptr) {
    recent.infer = FindFunction(*recent.op);
    recent.evaluate = FindEvaluator(*recent.op);
  }
  return recent;
}

}  // namespace onnxc::infer
