// The public entry point.
#include <onnxc/infer.h>

#include "infer/engine.h"

namespace onnxc {

class InferenceBuilder {
 public:
  static Inference Build(infer::Engine& engine, const InferOptions& options) {
    Inference result;
    result.memory_ = engine.shared_memory();
    result.values_ = std::move(engine.values);
    result.findings = std::move(engine.findings);
    result.findings.Finish(options.max_diagnostics);
    return result;
  }
};

Inference InferTypes(const onnx::ModelProto& model, const InferOptions& options) {
  infer::Engine engine(model, options);
  engine.Run();
  return InferenceBuilder::Build(engine, options);
}

std::span<const InferredValue> Inference::ValuesOf(const google::protobuf::Message& graph_or_function) const {
  const auto found = values_.find(&graph_or_function);
  if (found == values_.end()) return {};
  return found->second;
}

const InferredValue* Inference::Find(const google::protobuf::Message& graph_or_function, std::string_view name) const {
  for (const InferredValue& value : ValuesOf(graph_or_function)) {
    if (value.name == name) return &value;
  }
  return nullptr;
}

}  // namespace onnxc
