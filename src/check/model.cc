// Rules for models: versions, imports and devices.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "check/corrections.h"
#include "check/versions.h"
#include "tables/signatures.h"

namespace onnxc::check {
namespace {

using onnx::ModelProto;

// Reports the missing ir_version once, even if the text has no header at all.
void ReportNoIrVersion(const ModelProto& model, const Place& place, Run& run) {
  Diagnostic* const finding = run.findings.Report(diag::kIrVersionMissing, {place, ModelProto::kIrVersionFieldNumber});
  const SourceRange* const imports = FindText(run, model, ModelProto::kOpsetImportFieldNumber);
  const SourceRange* const name = FindText(run, model.graph(), onnx::GraphProto::kNameFieldNumber);
  if (finding == nullptr || name == nullptr) return;
  const std::int64_t number = IrVersionFor(model);
  const std::string version = fmt::format("ir_version: {}", number);
  if (const SourceRange* const zero = FindText(run, model, ModelProto::kIrVersionFieldNumber)) {
    return Correct(finding, "", {{*zero, fmt::to_string(number)}});
  }
  const bool has_header = finding->range != kNowhere && finding->range.begin < finding->range.end;
  if (has_header) return Correct(finding, "", {{{finding->range.begin + 1, finding->range.begin + 1}, version + ", "}});
  if (imports != nullptr) return;
  finding->path.clear();
  finding->range = *name;
  Correct(finding, "write a header '<ir_version: ..., opset_import: [...]>' before the graph",
          {{{name->begin, name->begin}, fmt::format("<{}, opset_import: [\"\" : {}]>\n", version, OpsetFor(model))}});
}

// Reports the missing opset_import. The model is then checked as if it had the correction.
void ReportNoImport(const ModelProto& model, const Place& place, Run& run, Imports* imports) {
  const int version = OpsetFor(model);
  imports->try_emplace("", Import{.version = version, .is_used = true});
  if (model.ir_version() == 0) return;  // reported together with the missing ir_version
  const Spot spot(place, ModelProto::kOpsetImportFieldNumber);
  Diagnostic* const finding = run.findings.Report(diag::kOpsetImportMissing, spot, run.ir_version);
  if (finding == nullptr || finding->range == kNowhere || finding->range.begin == finding->range.end) return;
  const std::size_t end = finding->range.end - 1;
  Correct(finding, "", {{{end, end}, fmt::format(", opset_import: [\"\" : {}]", version)}});
}

// Corrects a header such as `ir_version: 18, opset_import: ["" : 8]`, in which the two numbers are swapped.
void CorrectSwapped(const ModelProto& model, Run& run, Diagnostic* finding) {
  constexpr int kFirstWithImports = 3;
  const auto& imports = model.opset_import();
  const auto is_standard = [](const onnx::OperatorSetIdProto& one) { return NodeDomain(one.domain()).empty(); };
  const auto standard = std::ranges::find_if(imports, is_standard);
  if (standard == imports.end() || model.ir_version() > NewestVersion(FindDomain(""))) return;
  if (standard->version() < kFirstWithImports || standard->version() > onnx::IR_VERSION) return;
  run.ir_version = standard->version();
  run.has_swapped_versions = true;
  const SourceRange* const number = FindText(run, model, ModelProto::kIrVersionFieldNumber);
  const SourceRange* const import =
      run.options.source_map == nullptr ? nullptr : run.options.source_map->Find(*standard);
  std::vector<FixIt> fix_its;
  if (number != nullptr && import != nullptr) {
    fix_its = {{*number, fmt::to_string(standard->version())},
               {*import, ImportText(standard->domain(), model.ir_version())}};
  }
  Correct(finding,
          fmt::format("the numbers are swapped: ir_version {}, opset {}", standard->version(), model.ir_version()),
          std::move(fix_its));
}

void CheckIrVersion(const ModelProto& model, const Place& place, Run& run) {
  const std::int64_t version = model.ir_version();
  const Spot spot(place, ModelProto::kIrVersionFieldNumber);
  if (version == 0) {
    ReportNoIrVersion(model, place, run);
    return;  // the other fields are checked against the newest version
  }
  if (version > onnx::IR_VERSION) {
    Diagnostic* const finding =
        run.findings.Report(diag::kIrVersionTooNew, spot, version, static_cast<int>(onnx::IR_VERSION));
    CorrectSwapped(model, run, finding);
  } else if (version < 0) {
    run.findings.Report(diag::kIrVersionNegative, spot, version);
  }
}

void CheckImports(const ModelProto& model, const Place& place, Run& run, Imports* imports) {
  ReadImports(model.opset_import(), ModelProto::kOpsetImportFieldNumber, place, run, imports);
  if (run.has_swapped_versions) {
    if (Import* const standard = FindImport(*imports, "")) standard->version = VersionFor(model.ir_version());
  }
  const Spot spot(place, ModelProto::kOpsetImportFieldNumber);
  if (run.ir_version >= 3) {
    if (model.opset_import().empty()) ReportNoImport(model, place, run, imports);
  } else if (model.opset_import().empty()) {
    imports->try_emplace("", Import{.version = 1});
  } else {
    run.findings.Report(diag::kOpsetImportTooEarly, spot, run.ir_version);
  }
}

// Corrects an import that appears twice: removes the first import, which has no effect, with the comma after it.
void CorrectTwice(const Opsets& opsets, int first, const Run& run, Diagnostic* finding) {
  if (run.options.source_map == nullptr || first + 1 >= opsets.size()) return;
  const SourceRange* const begin = run.options.source_map->Find(opsets[first]);
  const SourceRange* const end = run.options.source_map->Find(opsets[first + 1]);
  if (begin == nullptr || end == nullptr || begin->begin >= end->begin) return;
  Correct(finding, "", {{{begin->begin, end->begin}, ""}});
}

// Reports an import of both "" and "ai.onnx", which are the same domain.
void ReportBothNames(const Opsets& opsets, int field, const Place& place, Run& run, Imports* imports) {
  const auto one = imports->find("");
  const auto other = imports->find("ai.onnx");
  if (one == imports->end() || other == imports->end() || one->second.version == other->second.version) return;
  const int index = std::max(one->second.index, other->second.index);
  Diagnostic* const finding =
      run.findings.Report(diag::kDuplicateOpsetImport, place.Child(opsets[index], field, index), "");
  other->second.is_used = true;
  if (finding == nullptr) return;
  finding->message = fmt::format(
      "'' and 'ai.onnx' are the same domain, but version {} is imported for '' and version {} for 'ai.onnx'",
      one->second.version, other->second.version);
}

void CheckConfigurations(const ModelProto& model, const Place& place, Run& run) {
  Names names;
  for (int i = 0; i < model.configuration_size(); ++i) {
    const onnx::DeviceConfigurationProto& configuration = model.configuration(i);
    const Place at = place.Child(configuration, ModelProto::kConfigurationFieldNumber, i);
    CheckFieldSince(*ModelProto::descriptor(), ModelProto::kConfigurationFieldNumber, at, run);
    if (configuration.name().empty()) run.findings.Report(diag::kDeviceConfigurationName, at);
    if (!configuration.has_num_devices()) run.findings.Report(diag::kDeviceConfigurationCount, at);
    if (configuration.device_size() > 0 && configuration.device_size() != configuration.num_devices()) {
      run.findings.Report(diag::kDeviceConfiguration, at, configuration.num_devices(), configuration.device_size());
    }
    if (!names.insert(configuration.name()).second) {
      run.findings.Report(diag::kDuplicateDeviceConfiguration, at, Quoted(configuration.name()));
    }
  }
}

}  // namespace

Imports ImportsIn(const Opsets& opsets) {
  Imports imports;
  for (int i = 0; i < opsets.size(); ++i) {
    const std::int64_t version = opsets[i].version();
    if (version != VersionFor(version)) continue;  // the version is out of range
    imports.insert_or_assign(opsets[i].domain(), Import{.version = static_cast<int>(version), .index = i});
  }
  return imports;
}

void ReadImports(const Opsets& opsets, int field, const Place& place, Run& run, Imports* imports) {
  NameMap<int> known;  // by domain: the index of the last import
  for (int i = 0; i < opsets.size(); ++i) {
    const onnx::OperatorSetIdProto& opset = opsets[i];
    const Place at = place.Child(opset, field, i);
    const std::int64_t version = opset.version();
    CheckDomainName(opset.domain(), {at, onnx::OperatorSetIdProto::kDomainFieldNumber}, run);
    if (version != VersionFor(version)) {
      run.findings.Report(diag::kOpsetVersionRange, at, version);
      continue;
    }
    const int domain = FindDomain(NodeDomain(opset.domain()));
    if (!opset.has_version()) {
      run.findings.Report(diag::kOpsetVersionMissing, at, Quoted(opset.domain()));
    } else if (domain >= 0 && (version < 1 || version > NewestVersion(domain))) {
      run.findings.Report(diag::kOpsetVersionUnknown, at, version, Quoted(opset.domain()), NewestVersion(domain));
    }
    const auto [last, is_new] = known.try_emplace(opset.domain(), i);
    if (is_new) continue;
    Diagnostic* const finding = run.findings.Report(diag::kDuplicateOpsetImport, at, Quoted(opset.domain()));
    CorrectTwice(opsets, std::exchange(last->second, i), run, finding);
  }
  *imports = ImportsIn(opsets);
  ReportBothNames(opsets, field, place, run, imports);
}

void ReportUnusedImports(const Opsets& opsets, int field, const Imports& imports, const Place& place, Run& run) {
  for (int i = 0; i < opsets.size(); ++i) {
    const auto found = imports.find(opsets[i].domain());
    if (found == imports.end() || found->second.is_used || found->second.index != i) continue;
    run.findings.Report(diag::kUnusedOpsetImport, place.Child(opsets[i], field, i), Quoted(opsets[i].domain()));
  }
}

void CheckMetadata(const Metadata& metadata, int field, const DiagnosticBase<diag::Text>& rule, const Place& place,
                   Run& run) {
  if (metadata.empty()) return;
  CheckFieldSince(*place.message.GetDescriptor(), field, {place, field}, run);
  Names keys;
  for (int i = 0; i < metadata.size(); ++i) {
    const std::string& key = metadata[i].key();
    if (key.empty()) run.findings.Report(diag::kMetadataKeyMissing, place.Child(metadata[i], field, i));
    if (metadata.size() == 1 || keys.insert(key).second) continue;
    run.findings.Report(rule, place.Child(metadata[i], field, i), Quoted(key));
  }
}

/// Marks the imports that functions of the model use as used, because tools that inline functions need the same imports
/// in the model.
void UseImportsOfFunctions(const ModelProto& model, Imports* imports) {
  for (const onnx::FunctionProto& function : model.functions()) {
    for (const onnx::OperatorSetIdProto& opset : function.opset_import()) {
      const auto import = imports->find(opset.domain());
      if (import != imports->end()) import->second.is_used = true;
    }
  }
}

void CheckHeaderKeys(const google::protobuf::Message& message, const Place& place, Run& run) {
  const SourceMap* const map = run.options.source_map;
  if (map == nullptr || !map->has_repeated_keys()) return;
  const auto* type = message.GetDescriptor();
  for (int i = 0; i < type->field_count(); ++i) {
    const int field = type->field(i)->number();
    if (type->field(i)->is_repeated() || map->FindOwn(message, field, 1) == nullptr) continue;
    run.findings.Report(diag::kRepeatedKey, {place, field, 1}, type->field(i)->name());
  }
}

void SetUp(const ModelProto& model, Run* run) {
  run->infers = run->options.infer;
  run->domain = model.domain();
  if (model.ir_version() != 0) run->ir_version = model.ir_version();
  for (const auto& configuration : model.configuration()) run->configurations.insert(configuration.name());
  for (const onnx::FunctionProto& function : model.functions()) run->functions.Add(function);
}

void CheckModelRules(const ModelProto& model, const Place& place, Run& run) {
  SetUp(model, &run);
  CheckIrVersion(model, place, run);
  CheckHeaderKeys(model, place, run);
  CheckDomainName(model.domain(), {place, ModelProto::kDomainFieldNumber}, run);
  CheckMetadata(model.metadata_props(), ModelProto::kMetadataPropsFieldNumber, diag::kDuplicateModelMetadata, place,
                run);
  CheckImageMetadata(model.metadata_props(), ModelProto::kMetadataPropsFieldNumber, place, run);
  Imports imports;
  CheckImports(model, place, run, &imports);
  CheckConfigurations(model, place, run);
  for (int i = 0; i < model.functions_size(); ++i) {
    const onnx::FunctionProto& function = model.functions(i);
    if (!run.functions.IsRepeated(i) || run.ir_version < 8) continue;
    run.findings.Report(diag::kDuplicateFunction, place.Child(function, ModelProto::kFunctionsFieldNumber, i),
                        ShownId(function));
  }

  Scope scope;
  Context context{run, imports, scope};
  CheckGraphRules(model.graph(), place.Child(model.graph(), ModelProto::kGraphFieldNumber), context,
                  [&](Context& inside) { CheckTraining(model, place, inside); });
  UseImportsOfFunctions(model, &imports);
  ReportUnusedImports(model.opset_import(), ModelProto::kOpsetImportFieldNumber, imports, place, run);
  if (model.functions_size() == 0) return;
  if (run.ir_version >= 8) {
    CheckFunctions(model, place, imports, run);
  } else {
    constexpr int kField = ModelProto::kFunctionsFieldNumber;
    CheckFieldSince(*ModelProto::descriptor(), kField, {place, kField}, run);
  }
}

void CheckLibraryRules(const ModelProto& library, const Place& place, Run& run) {
  run.is_library = true;
  for (const onnx::FunctionProto& function : library.functions()) run.functions.Add(function);
  CheckFunctions(library, place, {}, run);
}

}  // namespace onnxc::check
