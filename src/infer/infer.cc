// The public functions of type inference.
#include <onnxc/infer.h>

#include <algorithm>
#include <utility>

#include "infer/annotate.h"
#include "infer/engine.h"
#include "source/report.h"
#include "source/source_maps.h"
#include "tables/signatures.h"

namespace onnxc {

class InferenceBuilder {
 public:
  static Inference Build(infer::Subject subject, const InferOptions& options) {
    Inference result;
    result.root_ = &subject.root;
    if (IsOfOther(options.source_map, subject.root)) {
      result.diagnostics = Only(MakeDiagnostic(diag::kOtherMessage, kNowhere, "the source map"));
      return result;
    }
    infer::Engine engine(std::move(subject), options);
    engine.Run();
    if (options.all_constants) engine.ReadConstants();
    result.memory_ = engine.shared_memory();
    result.values_ = std::move(engine.values);
    result.diagnostics = std::move(engine.findings);
    result.diagnostics.Finish(options.max_diagnostics);
    return result;
  }
};

namespace {

infer::Subject SubjectOf(const onnx::ModelProto& model, std::size_t size) {
  const auto pointers = [](const auto& parts) { return std::vector(parts.pointer_begin(), parts.pointer_end()); };
  return {.root = model,
          .graph = model.graph(),
          .imports = model.opset_import(),
          .ir_version = model.ir_version(),
          .functions = pointers(model.functions()),
          .trainings = pointers(model.training_info()),
          .size = size};
}

}  // namespace

Inference infer::InferTypesOf(const onnx::ModelProto& model, std::size_t size, const InferOptions& options) {
  return InferenceBuilder::Build(SubjectOf(model, size), options);
}

Inference InferTypes(const onnx::ModelProto& model, const InferOptions& options) {
  return infer::InferTypesOf(model, /*size=*/0, options);
}

Inference InferTypes(const onnx::GraphProto& graph, const InferOptions& options) {
  infer::Opsets imports;
  const auto add = [&](std::string_view domain, std::int64_t version) {
    onnx::OperatorSetIdProto* const import = imports.Add();
    import->set_domain(std::string(domain));
    import->set_version(version);
  };
  for (const auto& [domain, version] : options.opset_imports) add(domain, version);
  if (imports.empty()) {
    const OperatorTable operators(options.operators);
    for (const std::string_view domain : operators.Domains()) add(domain, operators.NewestVersion(domain));
  }
  return InferenceBuilder::Build({.root = graph, .graph = graph, .imports = imports, .ir_version = options.ir_version},
                                 options);
}

Inference InferTypes(const onnx::FunctionProto& function, const InferOptions& options) {
  return InferenceBuilder::Build({.root = function,
                                  .graph = onnx::GraphProto::default_instance(),
                                  .imports = function.opset_import(),
                                  .ir_version = options.ir_version,
                                  .functions = {&function}},
                                 options);
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
