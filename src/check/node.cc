// Rules for nodes: domain, operator and attributes.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "check/corrections.h"
#include "source/message_cast.h"
#include "source/nodes.h"
#include "source/words.h"
#include "syntax/spelling.h"
#include "tables/foreign_words.h"
#include "tables/signatures.h"

namespace onnxc::check {
namespace {

using onnx::NodeProto;

/// Operators of the first ONNX versions that never had a signature. The reference accepts them.
constexpr std::array<std::string_view, 11> kExperimental = {"ATen",
                                                            "Affine",
                                                            "ConstantFill",
                                                            "Crop",
                                                            "DynamicSlice",
                                                            "GRUUnit",
                                                            "GivenTensorFill",
                                                            "ImageScaler",
                                                            "ParametricSoftplus",
                                                            "Scale",
                                                            "ScaledTanh"};

bool IsExperimental(const NodeProto& node) {
  return NodeDomain(node.domain()).empty() &&
         std::find(kExperimental.begin(), kExperimental.end(), node.op_type()) != kExperimental.end();
}

/// Returns whether the domain is a prefix that code of another library writes before its operators, as in `torch.relu`.
/// Any other prefix may be a real domain.
bool IsLibrary(std::string_view domain) {
  constexpr std::array<std::string_view, 9> kLibraries = {"F",    "aten", "nn", "np",   "numpy",
                                                          "onnx", "op",   "tf", "torch"};
  return domain == "ai.onnx" || std::ranges::count(kLibraries, domain.substr(0, domain.find('.'))) > 0;
}

// Returns the standard operator of this name, or "" if there is none. If `is_foreign` is set, case is ignored, and a
// name of another library is replaced by the standard one.
std::string_view StandardName(std::string_view word, bool is_foreign, int version) {
  if (const Operator* const op = FindOperator("", word, version)) return Word(*op);
  if (!is_foreign) return "";
  const auto is_it = [&](std::string_view name) { return IsSameWord(name, word); };
  const std::vector<std::string_view> names = OperatorNames(FindDomain(""), version);
  if (const auto found = std::ranges::find_if(names, is_it); found != names.end()) return *found;
  const std::string_view alias = OperatorOf(word);
  return FindOperator("", alias, version) == nullptr ? "" : alias;
}

// Corrects `ai.onnx.Relu`, `onnx.Relu` and `x.Relu`: standard operators are written without a domain.
bool CorrectDomain(const NodeProto& node, Diagnostic* finding, Context& context) {
  const bool is_standard = node.domain() == "ai.onnx" || context.run.functions.NamesIn(node.domain()) == nullptr;
  const Import* const standard = FindImport(context.imports, "");
  if (finding == nullptr || !is_standard || standard == nullptr || node.domain().starts_with("com.")) return false;
  const bool is_method = context.scope.Find(node.domain()) != nullptr;
  const std::string_view name = StandardName(node.op_type(), is_method || IsLibrary(node.domain()), standard->version);
  if (name.empty()) return false;
  const SourceRange* const domain = FindText(context.run, node, NodeProto::kDomainFieldNumber);
  const SourceRange* const op = FindText(context.run, node, NodeProto::kOpTypeFieldNumber);
  std::vector<FixIt> fix_its;
  if (domain != nullptr && op != nullptr && domain->begin < op->begin)
    fix_its = {{{domain->begin, op->end}, std::string(name)}};
  const SourceRange* const input = FindText(context.run, node, NodeProto::kInputFieldNumber);
  if (is_method && node.input().empty()) {  // `x.relu ()`
    const SourceRange* const all =
        context.run.options.source_map == nullptr ? nullptr : context.run.options.source_map->Find(node);
    if (all == nullptr || !node.attribute().empty()) fix_its.clear();
    if (!fix_its.empty()) fix_its = {{{domain->begin, all->end}, fmt::format("{} ({})", name, node.domain())}};
  } else if (is_method) {
    if (input == nullptr || fix_its.empty()) fix_its.clear();
    if (!fix_its.empty()) fix_its.push_back({{input->begin, input->begin}, node.domain() + ", "});
  }
  Correct(finding, fmt::format("the standard operators have no domain: {}", name), std::move(fix_its));
  return true;
}

// Returns how many nodes use the domain in the enclosing model or function, or in the graph if it is checked
// separately.
int UsesOf(std::string_view domain, const Place& place, Run& run) {
  const Place* owner = &place;
  while (owner->parent != nullptr && owner->message.GetDescriptor() != onnx::ModelProto::descriptor() &&
         owner->message.GetDescriptor() != onnx::FunctionProto::descriptor()) {
    owner = owner->parent;
  }
  if (run.counted != &owner->message) {
    run.counted = &owner->message;
    run.domain_uses.clear();
    const auto count = [&](const NodeProto& node) { ++run.domain_uses[node.domain()]; };
    if (const auto* const model = MessageCast<onnx::ModelProto>(*run.counted)) {
      ForEachNode(*model, count);
    } else if (const auto* const function = MessageCast<onnx::FunctionProto>(*run.counted)) {
      ForEachNode(*function, count);
    } else if (const auto* const graph = MessageCast<onnx::GraphProto>(*run.counted)) {
      ForEachNode(graph->node(), count);
    }
  }
  const auto found = run.domain_uses.find(domain);
  return found == run.domain_uses.end() ? 0 : found->second;
}

bool IsKnown(std::string_view domain, const Context& context) {
  return IsOfRuntime(domain) || context.run.functions.NamesIn(domain) != nullptr;
}

// Corrects a misspelt import. Nodes spell the domain right if no node uses the imported domain, and the domain of this
// node is known or is used by several nodes.
bool CorrectImport(const NodeProto& node, const Place& place, Diagnostic* finding, Context& context) {
  if (finding == nullptr) return false;
  const std::string_view near = context.run.findings.NearestOf(
      node.domain(), [&] { return Sorted(context.imports, [](const auto& entry) { return entry.first; }); });
  if (near.empty() || near == node.domain() || IsKnown(near, context)) return false;
  if (UsesOf(near, place, context.run) > 0) return false;
  if (!IsKnown(node.domain(), context) && UsesOf(node.domain(), place, context.run) < 2) return false;
  Import& import = context.imports.at(near);
  import.is_used = true;
  std::vector<FixIt> fix_its;
  if (const SourceRange* const range = FindImportText(place, import.index, context.run)) {
    fix_its = {{*range, ImportText(node.domain(), import.version)}};
  }
  Correct(finding, fmt::format("'{}' is imported instead, but no node uses it", Quoted(near)), std::move(fix_its));
  context.imports.try_emplace(node.domain(), Import{.version = import.version, .index = import.index, .is_used = true});
  return true;
}

// Returns the range of the enclosing function's domain if its header has no imports; otherwise null.
const SourceRange* FindDomainText(const Place& place, const Run& run) {
  const Place* at = &place;
  while (at->parent != nullptr && MessageCast<onnx::FunctionProto>(at->message) == nullptr) at = at->parent;
  const auto* const function = MessageCast<onnx::FunctionProto>(at->message);
  if (function == nullptr || function->opset_import_size() > 0 || function->domain().empty()) return nullptr;
  return FindText(run, *function, onnx::FunctionProto::kDomainFieldNumber);
}

// Reports a domain that is not imported. The domain then counts as imported, so it is reported only once.
void ReportUnimported(const NodeProto& node, const Place& place, Context& context) {
  Diagnostic* const finding =
      context.Report(diag::kDomainNotImported, {place, NodeProto::kDomainFieldNumber}, Quoted(node.domain()));
  const bool is_standard = CorrectDomain(node, finding, context);
  const int version = VersionToImport(node.domain(), place, context.run);
  if (is_standard || CorrectImport(node, place, finding, context)) return;
  const auto domains = [&] { return Sorted(context.imports, [](const auto& entry) { return entry.first; }); };
  Meant meant = context.run.findings.MeantOf(node.domain(), domains);
  if (meant.IsKnown() && context.run.functions.DomainOf(node.op_type()) == meant.name) meant.is_sure = true;
  Findings::AddMeant(finding, node.domain(), meant);
  if (meant.is_sure) return;
  context.imports.try_emplace(node.domain(), Import{.version = version, .is_used = true});
  std::vector<FixIt> fix_its;
  if (IsKnown(node.domain(), context)) {  // for an unknown domain, it is not known which version has the operator
    const SourceRange* const list = FindImportText(place, kLastImport, context.run);
    if (list != nullptr) {
      fix_its = {{{list->end, list->end}, ", " + ImportText(node.domain(), version)}};
    } else if (const SourceRange* const its_domain = FindDomainText(place, context.run)) {
      fix_its = {{{its_domain->end, its_domain->end},
                  fmt::format(", opset_import: [{}]", ImportText(node.domain(), version))}};
    }
  }
  Correct(finding, fmt::format("opset_import needs \"{}\" : {}", Quoted(node.domain()), version), std::move(fix_its));
}

// Corrects `act (x)` to `my.act (x)` if exactly one function of the model has this name.
bool CorrectToCall(const NodeProto& node, Diagnostic* finding, Context& context) {
  const std::string_view domain = context.run.functions.DomainOf(node.op_type());
  if (finding == nullptr || !node.domain().empty() || domain.empty()) return false;
  const std::string call = fmt::format("{}.{}", domain, node.op_type());
  const std::string words = fmt::format("did you mean the function '{}'?", Quoted(call));
  if (IsDottedName(domain)) {
    CorrectWord(finding, node.op_type(), words, call);
  } else {
    Correct(finding, words, {});
  }
  return true;
}

// Adds the domain if another domain has an operator of this name: corrects `Scaler (x)` to `ai.onnx.ml.Scaler (x)`, and
// `BiasGelu (x, b)` to `com.microsoft.BiasGelu (x, b)`.
bool CorrectToOtherDomain(const NodeProto& node, const Place& place, Diagnostic* finding, Context& context) {
  if (!node.domain().empty() || finding == nullptr)
    return false;  // all domains are searched only if the finding is
                   // shown
  const auto has_it = [&](std::string_view domain) {
    return !domain.empty() && !context.run.table.FindVersions(domain, node.op_type()).empty();
  };
  const std::vector<std::string_view> domains = context.run.table.Domains();
  const auto found = std::ranges::find_if(domains, has_it);
  if (found == domains.end()) return false;
  const std::string operation = fmt::format("{}.{}", *found, node.op_type());
  if (Import* const import = FindImport(context.imports, *found)) import->is_used = true;
  CorrectWord(finding, node.op_type(), fmt::format("did you mean '{}'?", operation), operation);
  if (finding->fix_its.empty() || context.imports.contains(*found)) return true;
  const SourceRange* const list = FindImportText(place, kLastImport, context.run);
  if (list == nullptr) {
    finding->fix_its.clear();
  } else {
    const int version = VersionToImport(*found, place, context.run);
    finding->fix_its.push_back({{list->end, list->end}, ", " + ImportText(*found, version)});
  }
  return true;
}

/// Returns which operators do what another framework calls `word`, if the imported version has no such operator.
std::string OtherOperators(std::string_view word) {
  const std::string_view alias = OperatorOf(word);
  const std::span<const Operator> versions = FindVersions(FindDomain(""), alias);
  const std::string_view composed = ComposedOperators(word);
  std::string hint;
  if (!composed.empty()) hint = fmt::format("use {}", composed);
  if (versions.empty()) return hint;
  return fmt::format("'{}' does the same since opset {}{}{}", alias, static_cast<int>(versions.front().since),
                     composed.empty() ? "" : "; before, ", hint);
}

void ReportUnknownOperator(const NodeProto& node, int version, const Place& place, Context& context) {
  const std::string_view domain = node.domain();
  const OperatorTable& table = context.run.table;
  std::string reason;
  if (domain == "ai.onnx") {
    reason = "; the standard operators have the domain ''";
  } else if (const auto versions = table.FindVersions(domain, node.op_type()); !versions.empty()) {
    reason = fmt::format("; it was added in version {}", static_cast<int>(versions.front().since));
    if (const std::string_view others = ComposedOperators(node.op_type()); domain.empty() && !others.empty()) {
      reason += fmt::format("; before, use {}", others);
    }
  }
  const std::string where =
      domain.empty() ? fmt::format("opset {}", version) : fmt::format("opset {} of '{}'", version, Quoted(domain));
  Diagnostic* const finding = context.Report(diag::kUnknownOperator, {place, NodeProto::kOpTypeFieldNumber},
                                             Quoted(node.op_type()), where, reason);
  if (version < 1) {  // no operator has such a version, which was already reported
    if (Import* const import = FindImport(context.imports, domain)) {
      import->version = VersionToImport(domain, place, context.run);
    }
  }
  if (!reason.empty() || CorrectToCall(node, finding, context) || CorrectToOtherDomain(node, place, finding, context)) {
    return;
  }
  if (const std::string_view alias = OperatorOf(node.op_type());
      domain.empty() && FindOperator("", alias, version) != nullptr) {
    return CorrectWord(finding, node.op_type(), fmt::format("the operator is named '{}'", alias), alias);
  }
  if (const std::string_view name = WithoutDimensions(node.op_type());
      domain.empty() && name != node.op_type() && FindOperator("", name, version) != nullptr) {
    return CorrectWord(finding, node.op_type(), fmt::format("the operator is named '{}'", name), name);
  }
  if (const std::string hint = OtherOperators(node.op_type()); domain.empty() && !hint.empty()) {
    return Correct(finding, hint, {});
  }
  if (const std::string_view related = RelatedOperator(node.op_type());
      domain.empty() && FindOperator("", related, version) != nullptr) {
    return Correct(finding, fmt::format("'{}' does the same with different inputs", related), {});
  }
  context.run.findings.SuggestOperator(finding, node.op_type(), [&] { return table.Names(domain, version); });
}

/// Returns the definition of the node's operator if its signature can be checked, otherwise null. `op` is the operator
/// in version `version`, or null if there is none.
const Operator* BindOperator(const NodeProto& node, const Operator* op, int version, const Place& place,
                             Context& context) {
  const auto is_function = [&] { return context.run.functions.Find(node) >= 0; };
  if (op == nullptr || (op->declared != nullptr && is_function())) {
    const bool has_list = node.domain() == kRuntimeDomain || context.run.table.IsDeclared(node.domain());
    if (IsClosed(node.domain()) || (has_list && !is_function())) {
      ReportUnknownOperator(node, version, place, context);
    } else {
      CheckCall(node, place, context);
    }
    return nullptr;
  }
  if (op->deprecated) {
    Diagnostic* const finding = context.Report(diag::kDeprecatedOperator, {place, NodeProto::kOpTypeFieldNumber},
                                               Quoted(node.op_type()), static_cast<int>(op->since));
    const std::string_view other = RelatedOperator(node.op_type());
    if (finding != nullptr && FindOperator("", other, version) != nullptr) {
      finding->message += fmt::format("; {} replaces it", other);
    }
    return nullptr;
  }
  return op;
}

void CheckAttributes(const NodeProto& node, const Place& place, Context& context) {
  SeenNames names(static_cast<std::size_t>(node.attribute_size()));
  for (int i = 0; i < node.attribute_size(); ++i) {
    const onnx::AttributeProto& attribute = node.attribute(i);
    const Place at = place.Child(attribute, NodeProto::kAttributeFieldNumber, i);
    if (!names.Add(attribute.name())) {
      context.Report(diag::kDuplicateAttribute, {at, onnx::AttributeProto::kNameFieldNumber}, Quoted(attribute.name()));
    }
    CheckAttributeRules(attribute, at, context);
  }
}

void CheckNewFields(const NodeProto& node, const Place& place, Context& context) {
  if (!node.overload().empty()) {
    CheckFieldSince(*NodeProto::descriptor(), NodeProto::kOverloadFieldNumber, {place, NodeProto::kOverloadFieldNumber},
                    context.run);
  }
  if (node.metadata_props_size() > 0) {
    CheckMetadata(node.metadata_props(), NodeProto::kMetadataPropsFieldNumber, diag::kDuplicateMetadata, place,
                  context.run);
  }
  if (node.device_configurations_size() > 0) CheckSharding(node, place, context);
}

}  // namespace

Import* FindImport(Imports& imports, std::string_view domain) {
  auto found = imports.find(domain);
  if (found == imports.end() && domain.empty()) found = imports.find("ai.onnx");
  return found == imports.end() ? nullptr : &found->second;
}

const Operator* CheckNodeRules(const NodeProto& node, const Place& place, Context& context) {
  if (node.op_type().empty()) {
    context.Report(diag::kOpTypeMissing, place);
  } else if (node.input().empty() && node.output().empty()) {
    context.Report(diag::kNodeEmpty, place, Label(node));
  }
  Import* const import = FindImport(context.imports, node.domain());
  if (import == nullptr && context.knows_imports) {
    ReportUnimported(node, place, context);
  }
  if (import != nullptr) import->is_used = true;
  CheckAttributes(node, place, context);
  CheckNewFields(node, place, context);
  const Operator* const known = import == nullptr ? nullptr : context.run.operators.Find(node, import->version);
  if (known == nullptr && IsExperimental(node)) {
    context.Report(diag::kExperimentalOperator, {place, NodeProto::kOpTypeFieldNumber}, Quoted(node.op_type()));
    return nullptr;
  }
  if (import == nullptr || node.op_type().empty()) return nullptr;
  const Operator* const op = BindOperator(node, known, import->version, place, context);
  if (op != nullptr) {
    CheckSignature(node, *op, place, context);
    return op;
  }
  CheckIdentifier(Named::kOperator, node.op_type(), {place, NodeProto::kOpTypeFieldNumber}, context.run);
  if (node.output().empty() && !node.input().empty()) context.Report(diag::kNodeWithoutOutput, place, Label(node));
  return nullptr;
}

}  // namespace onnxc::check
