// The errors that the original's check_model() looks for, with each of its options.
#include <fmt/format.h>
#include <onnxc/compat.h>
#include <onnxc/infer.h>
#include <onnxc/model_io.h>

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

/// Adds the nodes, in graphs inside too, that neither an operator of their domain nor a function of the model defines.
/// CheckModel() looks at those of the closed domains.
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
  for (const onnx::FunctionProto& function : model.functions()) ForEachNode(function.node(), look_at);
}

/// What CheckModel() finds. Types are inferred where all other rules are kept; without the rule on the versions that
/// functions import, that is where nothing else is wrong.
Diagnostics FindErrorsByRules(const onnx::ModelProto& model, const CheckModelOptions& options,
                              const std::string& directory) {
  const CheckOptions rules{
      .max_diagnostics = std::numeric_limits<std::size_t>::max(), .directory = directory, .infer = options.full_check};
  const Diagnostics found = CheckModel(model, rules).ErrorsOnly();
  if (!options.skip_opset_compatibility_check || found.ok()) return found;
  Diagnostics kept;
  for (const Diagnostic& finding : found.items()) {
    if (finding.kind != DiagnosticKind::kFunctionOpset) kept.Add(finding);
  }
  if (kept.ok() && options.full_check) kept = InferTypes(model).findings.ErrorsOnly();
  return kept;
}

}  // namespace

Diagnostics FindErrors(const onnx::ModelProto& model, const CheckModelOptions& options, const std::string& directory) {
  Diagnostics found = FindErrorsByRules(model, options, directory);
  if (options.check_custom_domain) FindUnknown(model, &found);
  found.Finish(CheckOptions().max_diagnostics);
  return found;
}

Diagnostics FindErrorsInFile(const std::string& path, const CheckModelOptions& options) {
  SourceText text(path, "");
  onnx::ModelProto model;
  Diagnostics found = ReadFile(path, &text);
  if (found.ok()) found.Append(RefuseOldSchema(text.text(), Kind::kModel));
  if (found.ok()) found.Append(Decode(text.text(), DetectFormat(text.text(), path, Kind::kModel), &model));
  if (!found.ok()) return found.ErrorsOnly();
  return FindErrors(model, options, std::filesystem::path(path).parent_path().string());
}

}  // namespace onnxc::compat
