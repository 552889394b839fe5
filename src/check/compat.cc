// Implements the checker of include/onnxc/compat.h, under the names of the ONNX project's own API.
#include <fmt/format.h>
#include <onnxc/compat.h>
#include <onnxc/infer.h>
#include <onnxc/model_file.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "source/nodes.h"
#include "source/report.h"
#include "tables/signatures.h"

namespace onnxc::compat {
namespace {

/// The domain and the name of a function.
using FunctionName = std::pair<std::string_view, std::string_view>;

/// Reports each node, also in subgraphs, whose operator is defined neither by its domain nor by a function of the
/// model. Skips nodes of closed domains, because CheckModel() already reports unknown operators there.
void FindUnknown(const onnx::ModelProto& model, Diagnostics* found) {
  std::set<FunctionName> functions;
  for (const onnx::FunctionProto& function : model.functions()) functions.emplace(function.domain(), function.name());
  const auto look_at = [&](const onnx::NodeProto& node) {
    if (IsClosed(node.domain()) || functions.contains({node.domain(), node.op_type()})) return;
    const int domain = FindDomain(node.domain());
    if (domain >= 0 && !FindVersions(domain, node.op_type()).empty()) return;
    found->Add(MakeDiagnostic(
        DiagnosticKind::kUnknownFunction, Severity::kError, kNowhere,
        fmt::format("node '{}': domain '{}' has no known operator '{}', and the model has no such function",
                    Quoted(node.name()), Quoted(node.domain()), Quoted(node.op_type()))));
  };
  ForEachNode(model.graph().node(), look_at);
  for (const onnx::FunctionProto& function : model.functions()) ForEachNode(function, look_at);
}

template <typename IsDropped>
Diagnostics Without(const Diagnostics& found, const IsDropped& is_dropped) {
  Diagnostics kept;
  for (const Diagnostic& finding : found.items()) {
    if (!is_dropped(finding)) kept.Add(finding);
  }
  return kept;
}

/// Returns the errors of CheckModel(). With `full_check`, types are inferred if there are no errors. If the options
/// skip the rule about imported versions of functions, the errors of this rule are ignored.
Diagnostics FindErrorsByRules(const onnx::ModelProto& model, const CheckModelOptions& options, CheckOptions rules) {
  rules.max_diagnostics = std::numeric_limits<std::size_t>::max();
  rules.infer = options.full_check;
  Diagnostics found = CheckModel(model, rules).ErrorsOnly();
  if (!options.skip_opset_compatibility_check || found.ok()) return found;
  Diagnostics kept =
      Without(found, [](const Diagnostic& finding) { return finding.kind == DiagnosticKind::kFunctionOpset; });
  if (kept.ok() && options.full_check) {
    kept = InferTypes(model, {.source_map = rules.source_map}).diagnostics.ErrorsOnly();
  }
  return kept;
}

Diagnostics FindErrorsWith(const onnx::ModelProto& model, const CheckModelOptions& options, CheckOptions rules) {
  Diagnostics found = FindErrorsByRules(model, options, std::move(rules));
  if (options.check_custom_domain) FindUnknown(model, &found);
  found.Finish(CheckOptions().max_diagnostics);
  return found;
}

}  // namespace

Diagnostics FindErrors(const onnx::ModelProto& model, const CheckModelOptions& options, const std::string& directory) {
  return FindErrorsWith(model, options, CheckOptions{.directory = directory});
}

}  // namespace onnxc::compat

namespace onnx::checker {
namespace {

using onnxc::CheckOptions;
using onnxc::Diagnostics;

/// The exception for errors in a file. The message contains the file's name and the lines of the errors.
class ErrorInFile final : public ValidationError {
 public:
  ErrorInFile(const Diagnostics& found, const onnxc::SourceText& source)
      : ValidationError(found), message_(onnxc::RenderText(found, source)) {}
  [[nodiscard]] const char* what() const noexcept override { return message_.c_str(); }

 private:
  std::string message_;
};

void ThrowOnError(Diagnostics found) {
  if (!found.ok()) throw ValidationError(std::move(found));
}

CheckOptions OptionsOf(const CheckerContext& context) {
  CheckOptions options{.directory = context.get_model_dir(), .infer = false};
  if (context.get_ir_version() >= 0) options.ir_version = context.get_ir_version();
  options.opset_imports.insert(context.get_opset_imports().begin(), context.get_opset_imports().end());
  return options;
}

/// Returns the message of the error that CheckGraph() reports for the input `name` if it has no type.
std::string NeedsType(const std::string& name) { return fmt::format("'{}' needs a type", onnxc::Quoted(name)); }

}  // namespace

void check_model(const ModelProto& model, bool full_check, bool skip_opset_compatibility_check,
                 bool check_custom_domain) {
  ThrowOnError(onnxc::compat::FindErrors(model, {full_check, skip_opset_compatibility_check, check_custom_domain},
                                         std::string()));
}

void check_model(const std::string& path, bool full_check, bool skip_opset_compatibility_check,
                 bool check_custom_domain) {
  const onnxc::LoadResult loaded = onnxc::LoadModel(path);
  Diagnostics found = loaded.diagnostics.ErrorsOnly();
  if (found.ok()) {
    const bool is_text = loaded.source_map.size() > 0;
    found =
        onnxc::compat::FindErrorsWith(*loaded.model, {full_check, skip_opset_compatibility_check, check_custom_domain},
                                      CheckOptions{.source_map = is_text ? &loaded.source_map : nullptr,
                                                   .directory = std::filesystem::path(path).parent_path().string()});
  }
  if (!found.ok()) throw ErrorInFile(found, loaded.source);
}

void check_model(const char* path, bool full_check, bool skip_opset_compatibility_check, bool check_custom_domain) {
  check_model(std::string(path), full_check, skip_opset_compatibility_check, check_custom_domain);
}

// The names of the enclosing graphs are added to a copy of the graph, as inputs without types. The missing types of
// these inputs are not reported. In a subgraph, no missing types are reported, because only a main graph needs them.
void check_graph(const GraphProto& graph, const CheckerContext& context, const LexicalScopeContext& scope) {
  GraphProto with_outer_names = graph;
  std::set<std::string> own;
  for (const ValueInfoProto& input : graph.input()) own.insert(input.name());
  for (const TensorProto& initializer : graph.initializer()) own.insert(initializer.name());
  std::set<std::string> untyped;
  for (const LexicalScopeContext* around = &scope; around != nullptr; around = around->parent()) {
    for (const std::string& name : around->output_names) {
      if (!own.insert(name).second) continue;
      with_outer_names.add_input()->set_name(name);
      untyped.insert(NeedsType(name));
    }
  }
  const Diagnostics found = onnxc::CheckGraph(with_outer_names, OptionsOf(context));
  Diagnostics kept;
  for (const onnxc::Diagnostic& finding : found.items()) {
    const bool is_of_type =
        finding.kind == onnxc::DiagnosticKind::kTypeMissing || finding.kind == onnxc::DiagnosticKind::kTypeIncomplete;
    if (!is_of_type || (context.is_main_graph() && !untyped.contains(finding.message))) kept.Add(finding);
  }
  ThrowOnError(std::move(kept));
}

void check_function(const FunctionProto& function, const CheckerContext& context,
                    const LexicalScopeContext& /*scope*/) {
  ThrowOnError(onnxc::CheckFunction(function, OptionsOf(context)));
}
void check_node(const NodeProto& node, const CheckerContext& context, const LexicalScopeContext& /*scope*/) {
  ThrowOnError(onnxc::CheckNode(node, OptionsOf(context)));
}
void check_attribute(const AttributeProto& attribute, const CheckerContext& context,
                     const LexicalScopeContext& /*scope*/) {
  ThrowOnError(onnxc::CheckAttribute(attribute, OptionsOf(context)));
}
void check_value_info(const ValueInfoProto& value, const CheckerContext& context) {
  ThrowOnError(onnxc::CheckValueInfo(value, OptionsOf(context)));
}
void check_tensor(const TensorProto& tensor, const CheckerContext& context) {
  ThrowOnError(onnxc::CheckTensor(tensor, OptionsOf(context)));
}
void check_sparse_tensor(const SparseTensorProto& tensor, const CheckerContext& context) {
  ThrowOnError(onnxc::CheckSparseTensor(tensor, OptionsOf(context)));
}
void check_sequence(const SequenceProto& sequence, const CheckerContext& context) {
  ThrowOnError(onnxc::Check(sequence, OptionsOf(context)));
}
void check_map(const MapProto& map, const CheckerContext& context) {
  ThrowOnError(onnxc::Check(map, OptionsOf(context)));
}
void check_optional(const OptionalProto& optional, const CheckerContext& context) {
  ThrowOnError(onnxc::Check(optional, OptionsOf(context)));
}

void check_model_local_functions(const ModelProto& model, const CheckerContext& context,
                                 const LexicalScopeContext& scope) {
  for (const FunctionProto& function : model.functions()) check_function(function, context, scope);
  check_function_call_cycles(model);
}

void check_function_call_cycles(const ModelProto& model) {
  const Diagnostics found = onnxc::CheckModel(model, {.external_files = false, .infer = false});
  Diagnostics cycles;
  for (const onnxc::Diagnostic& finding : found.items()) {
    const bool is_cycle =
        finding.kind == onnxc::DiagnosticKind::kRecursion || finding.kind == onnxc::DiagnosticKind::kCallDepth;
    if (is_cycle) cycles.Add(finding);
  }
  ThrowOnError(std::move(cycles));
}

bool check_is_experimental_op(const NodeProto& node) {
  const Diagnostics found = onnxc::CheckNode(node);
  return std::ranges::any_of(found.items(), [](const onnxc::Diagnostic& finding) {
    return finding.kind == onnxc::DiagnosticKind::kExperimentalOperator;
  });
}

}  // namespace onnx::checker

namespace onnx::shape_inference {

void InferShapes(ModelProto& model, const ISchemaRegistry* /*registry*/, const ShapeInferenceOptions& options) {
  const onnxc::Inference inference =
      onnxc::InferTypes(model, {.data_propagation = options.data_prop, .constant_defaults = true});
  const onnxc::Diagnostics errors = inference.diagnostics.ErrorsOnly();
  if (!errors.ok() && (options.check_type || options.error_mode != 0)) {
    throw InferenceError(std::string("[ShapeInferenceError] ") + checker::ValidationError(errors).what());
  }
  (void)onnxc::AddTypes(&model, inference);  // like the original, this function does not report which types it omits
}

void InferShapes(const std::string& model_path, const std::string& save_path, const ISchemaRegistry* registry,
                 const ShapeInferenceOptions& options) {
  const onnxc::LoadResult loaded = onnxc::LoadModel(model_path);
  if (!loaded.ok()) throw checker::ValidationError(loaded.diagnostics);
  InferShapes(*loaded.model, registry, options);
  const std::string& path = save_path.empty() ? model_path : save_path;
  onnxc::Diagnostics found = onnxc::SaveModel(*loaded.model, path);
  if (!found.ok()) throw checker::ValidationError(std::move(found));
}

}  // namespace onnx::shape_inference
