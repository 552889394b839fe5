// Rules for functions: interface, body and imports.
#include <fmt/format.h>

#include <algorithm>

#include "check/corrections.h"
#include "check/declaration.h"
#include "source/misspelt.h"
#include "source/words.h"

namespace onnxc::check {
namespace {

using onnx::FunctionProto;

void DefineInputs(const FunctionProto& function, const Place& place, Context& context, const DeclaredTypes& declared) {
  for (int i = 0; i < function.input_size(); ++i) {
    const std::string& name = function.input(i);
    const Spot spot(place, FunctionProto::kInputFieldNumber, i);
    if (context.scope.FindHere(name) != nullptr) {
      context.Report(diag::kDuplicateInput, spot, Quoted(name));
      continue;
    }
    const DeclaredType* const known = declared.Find(HashedName(name));
    context.scope.Define(name, {.owner = &function,
                                .field = FunctionProto::kInputFieldNumber,
                                .index = i,
                                .type = known == nullptr ? kNoType : known->type});
  }
}

Names CheckParameters(const FunctionProto& function, const Place& place, Context& context) {
  Names names;
  for (int i = 0; i < function.attribute_size(); ++i) {
    if (names.insert(function.attribute(i)).second) continue;
    context.Report(diag::kDuplicateFunctionAttribute, {place, FunctionProto::kAttributeFieldNumber, i},
                   Quoted(function.attribute(i)));
  }
  for (int i = 0; i < function.attribute_proto_size(); ++i) {
    const onnx::AttributeProto& attribute = function.attribute_proto(i);
    const Place at = place.Child(attribute, FunctionProto::kAttributeProtoFieldNumber, i);
    if (!names.insert(attribute.name()).second) {
      context.Report(diag::kFunctionAttributeTwice, at, Quoted(attribute.name()));
    }
    CheckAttributeRules(attribute, at, context);
  }
  if (function.attribute_proto_size() > 0) {
    constexpr int kField = FunctionProto::kAttributeProtoFieldNumber;
    CheckFieldSince(*FunctionProto::descriptor(), kField, {place, kField}, context.run);
  }
  return names;
}

void CheckOutputs(const FunctionProto& function, const Place& place, Context& context) {
  Names names;
  for (int i = 0; i < function.output_size(); ++i) {
    const std::string& name = function.output(i);
    const Spot spot(place, FunctionProto::kOutputFieldNumber, i);
    if (!names.insert(name).second) {
      context.Report(diag::kDuplicateFunctionOutput, spot, Quoted(name));
    } else if (context.scope.FindHere(name) == nullptr) {
      Diagnostic* const finding = context.Report(diag::kFunctionOutputUnknown, spot, Quoted(name));
      SuggestOutput(name, spot, finding, context);
    } else {
      context.scope.Use(*context.scope.FindHere(name));
    }
  }
}

/// Returns whether the node fits the operator in the version that the model imports, `models`, and not in the version
/// that the function imports, `ours`.
bool NeedsVersion(const onnx::NodeProto& node, const Operator* ours, const Operator* models) {
  if (models == nullptr) return false;
  if (ours == nullptr) return true;
  const auto has = [](const Operator& op, std::string_view name) {
    return op.takes_any_attribute ||
           std::ranges::any_of(Attributes(op), [&](const OperatorAttribute& formal) { return Word(formal) == name; });
  };
  const auto& given = node.attribute();
  const auto is_of = [&](const Operator& op) {
    return std::ranges::all_of(given,
                               [&](const onnx::AttributeProto& attribute) { return has(op, attribute.name()); }) &&
           node.input_size() >= op.min_inputs && node.input_size() <= op.max_inputs;
  };
  return is_of(*models) && !is_of(*ours);
}

std::string OpsetText(std::string_view domain, int version) {
  return domain.empty() ? fmt::format("opset {}", version) : fmt::format("opset {} of '{}'", version, Quoted(domain));
}

/// Reports that the function imports a wrong version. Later nodes are checked against the corrected version.
void CorrectVersion(const onnx::NodeProto& node, const Place& place, Import& here, int version, const Run& run,
                    Diagnostic* finding) {
  const SourceRange* const range = FindImportText(place, here.index, run);
  std::vector<FixIt> fix_its;
  if (range != nullptr) fix_its = {{*range, ImportText(node.domain(), version)}};
  Correct(finding, "this node uses the newer version", std::move(fix_its));
  here.version = version;
}

/// Checks domains that the function imports in another version than the model imports. The operators that the function
/// uses must be the same in both versions.
void CheckVersions(const FunctionProto& function, const Place& place, Imports& imports, const Imports& model,
                   Context& context) {
  for (int i = 0; i < function.node_size(); ++i) {
    const onnx::NodeProto& node = function.node(i);
    const Place at = place.Child(node, FunctionProto::kNodeFieldNumber, i);
    const auto here = imports.find(node.domain());
    if (here == imports.end()) {
      // A domain that is not imported is reported at the node. The standard domain must be imported as "" here.
      const bool is_other_name = node.domain().empty() && imports.contains("ai.onnx");
      if (is_other_name) context.Report(diag::kDomainNotImported, {at, onnx::NodeProto::kDomainFieldNumber}, "");
      continue;
    }
    const auto there = model.find(node.domain());
    if (there == model.end() || there->second.version == here->second.version) continue;
    // The reference uses -1 as the version of a domain that is not imported, and does not compare such a domain.
    constexpr int kNotImported = -1;
    if (there->second.version == kNotImported) continue;
    const Operator* const ours = context.run.table.Find(node.domain(), node.op_type(), here->second.version);
    const Operator* const models = context.run.table.Find(node.domain(), node.op_type(), there->second.version);
    if (ours == models) continue;
    Diagnostic* const finding = context.Report(diag::kFunctionOpset, {at, onnx::NodeProto::kOpTypeFieldNumber},
                                               OpsetText(node.domain(), here->second.version),
                                               OpsetText("", there->second.version), Quoted(node.op_type()));
    if (here->second.version < there->second.version && NeedsVersion(node, ours, models)) {
      CorrectVersion(node, at, here->second, there->second.version, context.run, finding);
    }
  }
}

/// Returns false if the function is probably a second graph.
bool CheckHeader(const FunctionProto& function, const Place& place, Run& run) {
  if (function.name().empty()) run.findings.Report(diag::kNameMissing, place, "the function");
  CheckHeaderKeys(function, place, run);
  CheckDomainName(function.domain(), {place, FunctionProto::kDomainFieldNumber}, run);
  CheckIdentifier(Named::kOperator, function.name(), {place, FunctionProto::kNameFieldNumber}, run);
  if (run.ir_version >= 8 && !function.has_domain() && ReportNoDomain(function, place, run)) return false;
  if (!function.overload().empty()) {
    constexpr int kField = FunctionProto::kOverloadFieldNumber;
    CheckFieldSince(*FunctionProto::descriptor(), kField, {place, kField}, run);
  }
  CheckMetadata(function.metadata_props(), FunctionProto::kMetadataPropsFieldNumber, diag::kDuplicateMetadata, place,
                run);
  return true;
}

/// Corrects a call `my.f (x)` if the function exists only with another overload: adds the overload if there is exactly
/// one. Returns whether it added a correction.
bool CorrectOverload(const onnx::NodeProto& node, Run& run, Diagnostic* finding) {
  const std::span<const std::string_view> others = run.functions.OverloadsOf(node.domain(), node.op_type());
  if (others.size() != 1) return false;
  const std::string_view overload = others.front();
  const SourceRange* const op = FindText(run, node, onnx::NodeProto::kOpTypeFieldNumber);
  const SourceRange* const other = FindText(run, node, onnx::NodeProto::kOverloadFieldNumber);
  std::vector<FixIt> fix_its;
  if (op != nullptr && node.overload().empty()) fix_its = {{{op->end, op->end}, fmt::format(":{}", overload)}};
  if (op != nullptr && other != nullptr && !node.overload().empty()) {
    const std::size_t begin = overload.empty() ? op->end : other->begin;
    fix_its = {{{begin, other->end}, std::string(overload)}};
  }
  Correct(finding, fmt::format("did you mean '{}'?", Quoted(CalledName(node.op_type(), overload))), std::move(fix_its));
  return true;
}

/// Handles a function `Scle (x) => (y) {...}` that nothing calls, because its name is misspelt and nodes call `Scale`.
/// The mistake is reported once, at the function, and the other calls are checked as calls of the function.
bool BlameFunction(const onnx::NodeProto& node, const std::vector<std::string>& names, const Place& place,
                   Context& context, Diagnostic* finding) {
  Uses& uses = context.run.uses;
  FunctionTable& functions = context.run.functions;
  uses.ReadAround(place);
  const auto spare = [&](std::string_view name) { return uses.Calls(name) == 0 ? Standing::kSpare : Standing::kUsual; };
  const auto sorted = [&] {
    std::vector<std::string_view> all(names.begin(), names.end());
    std::ranges::sort(all);
    return all;
  };
  const Meant misspelt = context.run.findings.MeantOf(node.op_type(), sorted, spare, &MisspeltName);
  const int function = misspelt.IsKnown() ? functions.Find(node.domain(), misspelt.name) : -1;
  if (function < 0 || !node.overload().empty()) return false;
  const Suspect suspect = SuspectOf(node.op_type(), misspelt.name);
  if (suspect == Suspect::kUse) return false;
  if (suspect == Suspect::kEither && uses.Calls(node.op_type()) == 1) return false;
  const SourceRange* const range = FindText(context.run, functions[function], FunctionProto::kNameFieldNumber);
  BlameName(range, misspelt.name, node.op_type(), {"calls", "called"}, finding);
  functions.Rename(function, node);
  return true;
}

/// Reports a node whose domain belongs to the functions of the model if no function defines the node's operator.
void ReportUnknownFunction(const onnx::NodeProto& node, const Place& place, Context& context) {
  if (context.run.options.optional_rules) {
    context.Report(diag::kUncheckedOperator, {place, onnx::NodeProto::kOpTypeFieldNumber}, Quoted(node.op_type()),
                   Quoted(node.domain()));
  }
  const std::vector<std::string>* const names = context.run.functions.NamesIn(node.domain());
  const bool is_own = !context.run.domain.empty() && node.domain() == context.run.domain;
  if ((names == nullptr && !is_own) || IsOfOthers(node.domain())) return;
  const std::string name = CalledName(node.op_type(), node.overload());
  Diagnostic* const finding = context.Report(diag::kUnknownFunction, {place, onnx::NodeProto::kOpTypeFieldNumber},
                                             Quoted(node.domain()), Quoted(name));
  if (finding == nullptr) return;
  if (names == nullptr) {
    finding->message = fmt::format("domain '{}' is the model's own, but no function '{}' is defined",
                                   Quoted(node.domain()), Quoted(name));
    return;
  }
  if (CorrectOverload(node, context.run, finding)) return;
  if (BlameFunction(node, *names, place, context, finding)) return;
  context.run.findings.SuggestName(finding, node.op_type(), [&] {
    std::vector<std::string_view> sorted(names->begin(), names->end());
    std::ranges::sort(sorted);
    return sorted;
  });
}

/// Reports an attribute of a call that the function does not declare. The finding is an error if the function cannot be
/// computed without the attribute that was meant.
void ReportUnknownAttribute(const onnx::NodeProto& call, int callee, const onnx::AttributeProto& attribute,
                            const Place& place, Context& context, Names* given) {
  FunctionTable& functions = context.run.functions;
  const std::string& name = attribute.name();
  Diagnostic unknown = MakeDiagnostic(diag::kCallAttribute, kNowhere, ShownId(functions[callee]), Quoted(name));
  const auto parameters = [&] { return Sorted(functions.ParametersOf(callee)); };
  const Meant meant = context.run.findings.MeantOf(name, parameters);
  const bool is_meant_there = functions.RefersTo(callee, name);
  const std::string_view needed = is_meant_there ? std::string_view(name) : meant.name;
  const bool is_given =
      !is_meant_there &&
      std::ranges::any_of(call.attribute(), [&](const onnx::AttributeProto& other) { return other.name() == needed; });
  if (!is_given && functions.Requires(callee, needed)) unknown.severity = Severity::kError;
  Diagnostic* const finding =
      context.run.findings.Report(std::move(unknown), {place, onnx::AttributeProto::kNameFieldNumber});
  if (is_meant_there && BlameParameter(callee, name, true, context, finding)) return;
  Findings::AddMeant(finding, name, meant);
  if (meant.is_sure) given->insert(meant.name);
}

void CheckGiven(const onnx::NodeProto& call, int callee, const onnx::AttributeProto& attribute, const Place& place,
                Context& context, Names* given) {
  FunctionTable& functions = context.run.functions;
  if (!functions.ParametersOf(callee).contains(attribute.name())) {
    return ReportUnknownAttribute(call, callee, attribute, place, context, given);
  }
  const int wanted = functions.TypeOfUse(callee, attribute.name());
  if (wanted == 0 || !attribute.has_type() || attribute.type() == wanted) return;
  Diagnostic* const finding =
      context.Report(diag::kCallAttributeType, place, Quoted(attribute.name()), KeywordOf(attribute.type()),
                     ShownId(functions[callee]), KeywordOf(wanted));
  CorrectKind(attribute, wanted, context.run, finding);
}

void CheckCallAttributes(const onnx::NodeProto& node, int callee, const Place& place, Context& context) {
  Names given;
  for (int i = 0; i < node.attribute_size(); ++i) {
    const onnx::AttributeProto& attribute = node.attribute(i);
    given.insert(attribute.name());
    CheckGiven(node, callee, attribute, place.Child(attribute, onnx::NodeProto::kAttributeFieldNumber, i), context,
               &given);
  }
  for (const std::string_view name : context.run.functions.Needed(callee)) {
    if (given.contains(name)) continue;
    context.Report(diag::kCallAttributeMissing, place, Quoted(name), ShownId(context.run.functions[callee]));
    // Only one missing attribute of a call is reported. Otherwise many calls with many missing attributes would take
    // quadratic time.
    return;
  }
}

/// Reports calls that list fewer outputs than the function has. Runtimes, and the reference during type inference,
/// require a name for each output; an empty name is enough.
void CheckCallOutputs(const onnx::NodeProto& node, const FunctionProto& function, const Place& place,
                      Context& context) {
  const int missing = function.output_size() - node.output_size();
  if (!context.run.infers || missing <= 0) return;
  Diagnostic* const finding =
      context.Report(diag::kCallOutputs, {place, onnx::NodeProto::kOutputFieldNumber, node.output_size() - 1},
                     ShownId(function), Counted(function.output_size(), "output"), node.output_size());
  const SourceRange* const last =
      node.output().empty() || context.run.options.source_map == nullptr
          ? nullptr
          : context.run.options.source_map->Find(node, onnx::NodeProto::kOutputFieldNumber, node.output_size() - 1);
  constexpr int kMost = 100;
  std::string names;
  for (int i = 0; i < std::min(missing, kMost); ++i) names += ", \"\"";
  std::vector<FixIt> fix_its;
  if (last != nullptr && missing <= kMost) fix_its = {{{last->end, last->end}, names}};
  Correct(finding, R"(an unused output must be listed with the name "": 'y, "" = ...')", std::move(fix_its));
}

}  // namespace

void CheckFunctionRules(const FunctionProto& function, const Place& place, const Imports* model_imports, Run& run) {
  if (!CheckHeader(function, place, run)) return;
  Imports imports;
  ReadImports(function.opset_import(), FunctionProto::kOpsetImportFieldNumber, place, run, &imports);
  DeclaredTypes declared;
  for (const auto& value : function.value_info()) {
    const HashedName name(value.name());
    if (declared.Find(name) == nullptr) declared.Add(name, {.type = TypeOf(value.type())});
  }

  Scope scope;
  scope.Enter();
  run.unknown_names = Names();  // not clear(), whose time is linear in the largest size that the table ever had
  Context context{run, imports, scope};
  const Names none;
  context.parameters = &none;
  const Names parameters = CheckParameters(function, place, context);
  context.parameters = &parameters;
  DefineInputs(function, place, context, declared);
  if (model_imports != nullptr) CheckVersions(function, place, imports, *model_imports, context);
  if (run.is_library) {
    if (Import* const own = FindImport(imports, function.domain()))
      own->is_used = true;  // the import of its own domain
                            // states the version in which
                            // the operator was introduced
  }
  // The metadata of a function with nodes do not declare an operator.
  if (run.is_library && IsDeclaration(function)) {
    (void)ReadDeclaration(function, place, &run.findings);
    return scope.Leave();
  }
  CheckNodes(function.node(), place, FunctionProto::kNodeFieldNumber, context, declared);
  CheckOutputs(function, place, context);
  CheckValueInfos(function.value_info(), FunctionProto::kValueInfoFieldNumber, place, context);
  if (scope.UnusedHere() > 0) {
    ReportUnusedValues(function.node(), FunctionProto::kNodeFieldNumber, place, context);
  }
  scope.Leave();
  ReportUnusedImports(function.opset_import(), FunctionProto::kOpsetImportFieldNumber, imports, place, run);
}

void CheckCall(const onnx::NodeProto& node, const Place& place, Context& context) {
  FunctionTable& functions = context.run.functions;
  const int callee = functions.Find(node);
  if (callee < 0) return ReportUnknownFunction(node, place, context);
  const FunctionProto& function = functions[callee];
  const auto check_count = [&](int given, int taken, const char* what, int field) {
    if (given > taken) {
      context.Report(diag::kCallArguments, {place, field, taken}, ShownId(function), Counted(taken, what), given);
    }
  };
  check_count(node.input_size(), function.input_size(), "input", onnx::NodeProto::kInputFieldNumber);
  check_count(node.output_size(), function.output_size(), "output", onnx::NodeProto::kOutputFieldNumber);
  CheckCallOutputs(node, function, place, context);
  CheckCallAttributes(node, callee, place, context);
}

}  // namespace onnxc::check
