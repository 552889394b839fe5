#include "edit/ir_version.h"

#include <fmt/format.h>
#include <onnxc/checker.h>

#include <algorithm>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "source/message_path.h"
#include "source/report.h"
#include "tables/ir_versions.h"
#include "tables/signatures.h"

namespace onnxc::edit {
namespace {

using onnx::ModelProto;

/// The kind and the place of a finding. Its message depends on the IR version.
using Key = std::tuple<DiagnosticKind, std::size_t, std::size_t, std::string>;

Key KeyOf(const Diagnostic& finding) { return {finding.kind, finding.range.begin, finding.range.end, finding.path}; }

Diagnostics AllFindings(const ModelProto& model, const SourceMap* places) {
  return CheckModel(model, {.source_map = places,
                            .max_diagnostics = std::numeric_limits<std::size_t>::max(),
                            .external_files = false,
                            .infer = false});
}

/// Returns the newest version of the domain's operators that the IR version supports, at most `version`, or 0.
std::int64_t NewestSupported(std::string_view domain, std::int64_t version, std::int64_t ir_version) {
  std::int64_t newest = 0;
  while (newest < version && LeastIrVersion(domain, newest + 1) <= ir_version) ++newest;
  return newest;
}

/// Reports the imported operator sets that are too new for the model's IR version.
template <typename Message>
void CheckImports(const Message& owner, const Place& at, int field, std::int64_t ir_version, const SourceMap* places,
                  Diagnostics* found) {
  for (int i = 0; i < owner.opset_import_size(); ++i) {
    const onnx::OperatorSetIdProto& import = owner.opset_import(i);
    const std::string_view domain = NodeDomain(import.domain());
    const std::int64_t least = LeastIrVersion(domain, import.version());
    if (least <= ir_version) continue;
    std::string message =
        fmt::format("version {} of '{}' needs IR version {} or newer, so the model cannot have IR version {}",
                    import.version(), Quoted(import.domain()), least, ir_version);
    if (const std::int64_t newest = NewestSupported(domain, import.version(), ir_version); newest > 0) {
      message += fmt::format("; the option opset converts it to version {} or older", newest);
    }
    Diagnostic diagnostic =
        MakeDiagnostic(DiagnosticKind::kOpsetConflict, Severity::kError, kNowhere, std::move(message));
    const SourceRange* const range = places == nullptr ? nullptr : places->Find(import);
    if (range != nullptr) {
      diagnostic.range = *range;
    } else {
      diagnostic.path = PathOf(at.Child(import, field, i));
    }
    found->Add(std::move(diagnostic));
  }
}

/// Reports the parts that are newer than the model's IR version, and the errors that the model did not have with the
/// IR version `old`.
void CheckParts(ModelProto* model, std::int64_t old, const SourceMap* places, Diagnostics* found) {
  const auto is_part = [](const Diagnostic& finding) { return finding.kind == DiagnosticKind::kNewerThanIrVersion; };
  const auto is_error = [](const Diagnostic& finding) { return finding.severity == Severity::kError; };
  const std::int64_t version = model->ir_version();
  const Diagnostics findings = AllFindings(*model, places);
  std::multiset<Key> before;
  if (std::ranges::any_of(findings.items(), is_error)) {
    model->set_ir_version(old);
    const Diagnostics errors = AllFindings(*model, places).ErrorsOnly();
    model->set_ir_version(version);
    for (const Diagnostic& error : errors.items()) before.insert(KeyOf(error));
  }
  for (const Diagnostic& finding : findings.items()) {
    if (!is_part(finding) && !is_error(finding)) continue;
    if (const auto known = before.find(KeyOf(finding)); known != before.end()) {
      before.erase(known);
      continue;
    }
    Diagnostic diagnostic = finding;
    diagnostic.severity = Severity::kError;
    diagnostic.message = fmt::format("with IR version {}, the model would be wrong: {}", version, finding.message);
    diagnostic.fix_its.clear();
    found->Add(std::move(diagnostic));
  }
}

}  // namespace

Diagnostics SetIrVersion(ModelProto* model, std::int64_t version, const SourceMap* places) {
  if (version < 1) return Only(MakeDiagnostic(diag::kIrVersionNegative, kNowhere, version));
  if (version > onnx::IR_VERSION) {
    return Only(MakeDiagnostic(diag::kIrVersionTooNew, kNowhere, version, static_cast<int>(onnx::IR_VERSION)));
  }
  const std::int64_t old = model->ir_version();
  const bool is_newer = old != 0 && version >= old;
  // Before IR version 3, a model without imports has version 1 of the standard operators.
  constexpr std::int64_t kFirstWithImports = 3;
  if (is_newer && old < kFirstWithImports && version >= kFirstWithImports && model->opset_import().empty()) {
    model->add_opset_import()->set_version(1);
  }
  model->set_ir_version(version);
  Diagnostics found;
  const Place root{*model};
  CheckImports(*model, root, ModelProto::kOpsetImportFieldNumber, version, places, &found);
  for (int i = 0; i < model->functions_size(); ++i) {
    const onnx::FunctionProto& function = model->functions(i);
    CheckImports(function, root.Child(function, ModelProto::kFunctionsFieldNumber, i),
                 onnx::FunctionProto::kOpsetImportFieldNumber, version, places, &found);
  }
  if (!is_newer) CheckParts(model, old, places, &found);
  return found;
}

}  // namespace onnxc::edit
