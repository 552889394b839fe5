// The public functions of type inference.
#include <onnxc/infer.h>

#include <algorithm>
#include <utility>

#include "infer/again.h"
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

  static std::shared_ptr<infer::Memory> MemoryOf(const Inference& inference) {
    return std::static_pointer_cast<infer::Memory>(std::const_pointer_cast<void>(inference.memory_));
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

bool AreSameTypes(const ValueType& a, const ValueType& b) {
  const auto are_same = [](const Dimension& x, const Dimension& y) {
    return x.Equals(y) || (x.IsUnknown() && y.IsUnknown());
  };
  const bool is_opaque = a.opaque != nullptr || b.opaque != nullptr;
  if (a.kind != b.kind || a.has_rank != b.has_rank || a.element_type != b.element_type || is_opaque) return false;
  if (!std::ranges::equal(a.shape, b.shape, are_same)) return false;
  if (a.element == nullptr || b.element == nullptr) return a.element == b.element;
  return AreSameTypes(*a.element, *b.element);
}

}  // namespace

namespace infer {

std::optional<InferredNodes> InferAgain(const onnx::ModelProto& model, std::span<const onnx::NodeProto* const> nodes,
                                        std::span<const InferredValue> read, const Inference& known,
                                        const Operators& operators) {
  const std::shared_ptr<Memory> memory = InferenceBuilder::MemoryOf(known);
  const InferOptions options{.operators = operators};
  Engine engine(SubjectOf(model, /*size=*/0), options, memory);
  InferredNodes inferred{.values = engine.RunOn(nodes, read)};
  if (memory->IsUsedUp()) return std::nullopt;
  inferred.has_findings = !engine.findings.items().empty() || engine.mistakes() > 0;
  return inferred;
}

bool AreSame(const InferredValue& a, const InferredValue& b) {
  // Values with known contents count as different, so that contents need not be compared.
  const bool has_contents =
      a.constant != nullptr || b.constant != nullptr || a.tensor != nullptr || b.tensor != nullptr;
  return !has_contents && a.source == b.source && AreSameTypes(a.type, b.type);
}

}  // namespace infer

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
