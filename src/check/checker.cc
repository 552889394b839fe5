// The public functions of the checker.
#include <onnxc/checker.h>
#include <onnxc/infer.h>

#include <algorithm>
#include <type_traits>

#include "check/context.h"
#include "source/message_cast.h"
#include "source/source_maps.h"

namespace onnxc::check {
namespace {

/// Returns the operator sets against which a part of a model is checked.
Imports ImportsOf(const CheckOptions& options) {
  Imports imports;
  for (const auto& [domain, version] : options.opset_imports) {
    imports.emplace(domain, Import{.version = VersionFor(version)});
  }
  if (!imports.empty()) return imports;
  const OperatorTable table(options.operators);
  for (const std::string_view domain : table.Domains()) {
    imports.emplace(domain, Import{.version = table.NewestVersion(domain)});
  }
  return imports;
}

/// True if the source map has a range for each message of this type that was parsed from a text.
template <typename Proto>
constexpr bool kIsMappedWhole = std::is_same_v<Proto, onnx::ModelProto> || std::is_same_v<Proto, onnx::GraphProto> ||
                                std::is_same_v<Proto, onnx::FunctionProto> || std::is_same_v<Proto, onnx::NodeProto>;

/// True if messages of this type have imports of their own, so that the imports in the options are not used.
template <typename Proto>
constexpr bool kHasImports = std::is_same_v<Proto, onnx::ModelProto> || std::is_same_v<Proto, onnx::FunctionProto>;

/// Returns the findings of `check(place, context)` about a part of a model.
template <typename Proto, typename Function>
Diagnostics CheckPart(const Proto& proto, const CheckOptions& options, const Function& check) {
  if (options.inference_out != nullptr) options.inference_out->reset();
  if (kIsMappedWhole<Proto> && IsOfOther(options.source_map, proto)) {
    return Only(MakeDiagnostic(diag::kOtherMessage, kNowhere, "the source map"));
  }
  Findings findings(options);
  Run run(options, findings, options.ir_version);
  Imports imports = kHasImports<Proto> ? Imports() : ImportsOf(options);
  Scope scope;
  Context context{run, imports, scope};
  context.knows_imports = !options.opset_imports.empty();
  check(Place{proto}, context);
  CheckFields(Place{proto}, run);
  return std::move(findings).Finish();
}

Diagnostics CheckModelOrLibrary(const onnx::ModelProto& model, const CheckOptions& options) {
  const bool only_functions = !model.has_graph() && model.functions_size() != 0 && !model.has_ir_version();
  return only_functions ? CheckLibrary(model, options) : CheckModel(model, options);
}

template <typename Proto>
Diagnostics CheckRunValueAlone(const Proto& value, const CheckOptions& options) {
  return CheckPart(value, options,
                   [&](const Place& place, Context& context) { CheckRunValue(value, place, context.run); });
}

/// Returns a copy of the findings in which warnings are errors.
Diagnostics MadeErrors(const Diagnostics& found) {
  Diagnostics errors;
  for (Diagnostic finding : found.items()) {
    finding.severity = Severity::kError;
    errors.Add(std::move(finding));
  }
  for (std::size_t i = 0; i < found.suppressed(); ++i) Suppress(Severity::kError, &errors);
  return errors;
}

/// Returns whether the error is about a file of external data, not about the model.
bool IsAboutFile(const Diagnostic& error) {
  switch (error.kind) {
    case DiagnosticKind::kExternalFile:
    case DiagnosticKind::kExternalExtent:
    case DiagnosticKind::kExternalChecksum:
    case DiagnosticKind::kExternalElided: return true;
    default: return false;
  }
}

/// Returns whether all errors are about files. Types and shapes do not depend on the contents of files, so they are
/// inferred in spite of such errors.
bool AllowsInference(const Diagnostics& found) {
  if (found.ok()) return true;
  const Diagnostics errors = found.ErrorsOnly();
  return errors.suppressed() == 0 && std::ranges::all_of(errors.items(), IsAboutFile);
}

/// Returns `found` with the contradictions between types added. Types are inferred only if names and signatures have no
/// errors, because a contradiction could otherwise follow from such an error.
template <typename Proto>
Diagnostics WithInference(Diagnostics found, const Proto& proto, const CheckOptions& options) {
  if (!options.infer || !AllowsInference(found)) return found;
  Inference inference = InferTypes(proto, {.source_map = options.source_map,
                                           .max_diagnostics = options.max_diagnostics,
                                           .operators = options.operators,
                                           .ir_version = options.ir_version,
                                           .opset_imports = options.opset_imports});
  found.Append(options.strict ? MadeErrors(inference.diagnostics) : inference.diagnostics);
  if (options.inference_out != nullptr) *options.inference_out = std::move(inference);
  found.Finish(options.max_diagnostics);
  return found;
}

}  // namespace

}  // namespace onnxc::check

namespace onnxc {

Diagnostics CheckModel(const onnx::ModelProto& model, const CheckOptions& options) {
  Diagnostics found = check::CheckPart(model, options, [&](const Place& place, check::Context& context) {
    check::CheckModelRules(model, place, context.run);
  });
  return check::WithInference(std::move(found), model, options);
}

Diagnostics CheckLibrary(const onnx::ModelProto& library, const CheckOptions& options) {
  Diagnostics found = check::CheckPart(library, options, [&](const Place& place, check::Context& context) {
    context.run.infers = options.infer;
    check::CheckLibraryRules(library, place, context.run);
  });
  return check::WithInference(std::move(found), library, options);
}

Diagnostics CheckGraph(const onnx::GraphProto& graph, const CheckOptions& options) {
  Diagnostics found = check::CheckPart(graph, options, [&](const Place& place, check::Context& context) {
    context.run.infers = options.infer;
    check::CheckGraphRules(graph, place, context);
  });
  return check::WithInference(std::move(found), graph, options);
}

Diagnostics CheckFunction(const onnx::FunctionProto& function, const CheckOptions& options) {
  Diagnostics found = check::CheckPart(function, options, [&](const Place& place, check::Context& context) {
    context.run.infers = options.infer;
    check::CheckFunctionRules(function, place, nullptr, context.run);
  });
  return check::WithInference(std::move(found), function, options);
}

Diagnostics CheckNode(const onnx::NodeProto& node, const CheckOptions& options) {
  return check::CheckPart(node, options, [&](const Place& place, check::Context& context) {
    context.knows_names = false;
    (void)check::CheckNodeRules(node, place, context);
  });
}

Diagnostics CheckAttribute(const onnx::AttributeProto& attribute, const CheckOptions& options) {
  return check::CheckPart(attribute, options, [&](const Place& place, check::Context& context) {
    context.knows_names = false;
    check::CheckAttributeRules(attribute, place, context);
  });
}

Diagnostics CheckValueInfo(const onnx::ValueInfoProto& value_info, const CheckOptions& options) {
  return check::CheckPart(value_info, options, [&](const Place& place, check::Context& context) {
    check::CheckValueInfoRules(value_info, place, true, context.run);
  });
}

Diagnostics CheckType(const onnx::TypeProto& type, const CheckOptions& options) {
  return check::CheckPart(type, options, [&](const Place& place, check::Context& context) {
    check::CheckTypeRules(type, place, context.run);
  });
}

Diagnostics CheckTensor(const onnx::TensorProto& tensor, const CheckOptions& options) {
  return check::CheckPart(tensor, options, [&](const Place& place, check::Context& context) {
    check::CheckTensorRules(tensor, place, context.run);
  });
}

Diagnostics CheckSparseTensor(const onnx::SparseTensorProto& tensor, const CheckOptions& options) {
  return check::CheckPart(tensor, options, [&](const Place& place, check::Context& context) {
    check::CheckSparseTensorRules(tensor, place, context.run);
  });
}

Diagnostics Check(const google::protobuf::Message& message, const CheckOptions& options) {
  Diagnostics found;
  const auto judge = [&]<typename Proto>(Diagnostics (*check)(const Proto&, const CheckOptions&)) {
    const auto* const part = MessageCast<Proto>(message);
    if (part != nullptr) found = check(*part, options);
    return part != nullptr;
  };
  (void)(judge(&check::CheckModelOrLibrary) || judge(&CheckGraph) || judge(&CheckFunction) || judge(&CheckNode) ||
         judge(&CheckAttribute) || judge(&CheckValueInfo) || judge(&CheckType) || judge(&CheckTensor) ||
         judge(&CheckSparseTensor) || judge(&check::CheckRunValueAlone<onnx::SequenceProto>) ||
         judge(&check::CheckRunValueAlone<onnx::MapProto>) || judge(&check::CheckRunValueAlone<onnx::OptionalProto>));
  return found;
}

const std::vector<Rule>& ListRules() {
  constexpr std::string_view kReference = "reference";
  constexpr std::string_view kFullCheck = "full check";
  constexpr std::string_view kSpecification = "specification";
  constexpr std::string_view kAdvice = "advice";
  constexpr std::string_view kOptional = "optional";
  static const std::vector<Rule> rules = {
#define ONNXC_RULE(enumerator, name, severity, authority, sentence, ...) \
  {DiagnosticKind::enumerator,                                           \
   name,                                                                 \
   Severity::severity,                                                   \
   Info(DiagnosticKind::enumerator).is_optional,                         \
   authority,                                                            \
   sentence},
#include "tables/rules.def"
#undef ONNXC_RULE
  };
  return rules;
}

namespace checker {
namespace {

std::string Summary(const Diagnostics& diagnostics) {
  std::string summary;
  for (const Diagnostic& item : diagnostics.items()) {
    if (item.severity != Severity::kError) continue;
    if (!summary.empty()) summary += '\n';
    if (!item.path.empty()) summary += item.path + ": ";
    summary += fmt::format("{} [{}]", item.message, Name(item.kind));
  }
  return summary;
}

void ThrowOnError(Diagnostics diagnostics) {
  if (!diagnostics.ok()) throw ValidationError(std::move(diagnostics));
}

}  // namespace

ValidationError::ValidationError(Diagnostics diagnostics)
    : std::runtime_error(Summary(diagnostics)), diagnostics_(std::move(diagnostics)) {}

void check_model(const onnx::ModelProto& model) { ThrowOnError(CheckModel(model)); }
void check_graph(const onnx::GraphProto& graph, const CheckOptions& context) {
  ThrowOnError(CheckGraph(graph, context));
}
void check_function(const onnx::FunctionProto& function, const CheckOptions& context) {
  ThrowOnError(CheckFunction(function, context));
}
void check_node(const onnx::NodeProto& node, const CheckOptions& context) { ThrowOnError(CheckNode(node, context)); }
void check_attribute(const onnx::AttributeProto& attribute, const CheckOptions& context) {
  ThrowOnError(CheckAttribute(attribute, context));
}
void check_value_info(const onnx::ValueInfoProto& value_info, const CheckOptions& context) {
  ThrowOnError(CheckValueInfo(value_info, context));
}
void check_tensor(const onnx::TensorProto& tensor, const CheckOptions& context) {
  ThrowOnError(CheckTensor(tensor, context));
}
void check_sparse_tensor(const onnx::SparseTensorProto& tensor, const CheckOptions& context) {
  ThrowOnError(CheckSparseTensor(tensor, context));
}

}  // namespace checker

}  // namespace onnxc
