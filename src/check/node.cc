// A node: its domain, its operator, its attributes.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "check/context.h"

namespace onnxc {
namespace {

using onnx::NodeProto;

/// Operators of the first versions that never had a signature; the reference lets them pass.
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

bool IsStandard(std::string_view domain) { return domain.empty() || domain == "ai.onnx"; }

bool IsExperimental(const NodeProto& node) {
  return IsStandard(node.domain()) &&
         std::find(kExperimental.begin(), kExperimental.end(), node.op_type()) != kExperimental.end();
}

/// The domains in which the reference refuses operators without a signature; the previews are open.
bool IsClosed(std::string_view domain) {
  return IsStandard(domain) || domain == "ai.onnx.ml" || domain == "ai.onnx.training";
}

void ReportUnimported(const NodeProto& node, const Place& place, Context& context) {
  Diagnostic* const finding =
      context.Report(diag::kDomainNotImported, {place, NodeProto::kDomainFieldNumber}, Quoted(node.domain()));
  context.run.findings.Suggest(finding, node.domain(), [&] {
    Names domains;
    for (const auto& [domain, import] : context.imports) domains.insert(domain);
    return Sorted(domains);
  });
}

void ReportUnknownOperator(const NodeProto& node, int version, const Place& place, Context& context) {
  const std::string_view domain = node.domain();
  const int known = FindDomain(domain);  // -1 for "ai.onnx.training", which has no operators
  std::string reason;
  if (domain == "ai.onnx") {
    reason = "; the standard operators have the domain ''";
  } else if (const auto versions = FindVersions(known, node.op_type()); !versions.empty()) {
    reason = fmt::format("; it came with version {}", static_cast<int>(versions.front().since));
  }
  Diagnostic* const finding = context.Report(diag::kUnknownOperator, {place, NodeProto::kOpTypeFieldNumber}, version,
                                             Quoted(domain), Quoted(node.op_type()), reason);
  if (reason.empty()) {
    context.run.findings.Suggest(finding, node.op_type(), [&] { return OperatorNames(known, version); });
  }
}

/// The definition that the node is bound to, if it is one whose signature can be checked.
const Operator* BindOperator(const NodeProto& node, int version, const Place& place, Context& context) {
  const Operator* const op = FindOperator(node.domain(), node.op_type(), version);
  if (op == nullptr) {
    if (IsClosed(node.domain())) {
      ReportUnknownOperator(node, version, place, context);
    } else {
      CheckCall(node, place, context);
    }
    return nullptr;
  }
  if (op->deprecated) {
    context.Report(diag::kDeprecatedOperator, {place, NodeProto::kOpTypeFieldNumber}, Quoted(node.op_type()),
                   static_cast<int>(op->since));
    return nullptr;
  }
  return op;
}

void CheckAttributes(const NodeProto& node, const Place& place, Context& context) {
  constexpr int kFew = 8;  // compared pair by pair
  std::unordered_set<std::string_view> names;
  for (int i = 0; i < node.attribute_size(); ++i) {
    const onnx::AttributeProto& attribute = node.attribute(i);
    const Place at = place.Child(attribute, NodeProto::kAttributeFieldNumber, i);
    bool is_new = true;
    if (node.attribute_size() > kFew) {
      is_new = names.insert(attribute.name()).second;
    } else {
      for (int j = 0; j < i; ++j) is_new = is_new && node.attribute(j).name() != attribute.name();
    }
    if (!is_new) {
      context.Report(diag::kDuplicateAttribute, {at, onnx::AttributeProto::kNameFieldNumber}, Quoted(attribute.name()));
    }
    CheckAttributeRules(attribute, at, context);
  }
}

void CheckNewFields(const NodeProto& node, const Place& place, Context& context) {
  if (!node.overload().empty()) CheckSince(10, "overload", {place, NodeProto::kOverloadFieldNumber}, context.run);
  if (node.metadata_props_size() > 0) {
    CheckMetadata(node.metadata_props(), NodeProto::kMetadataPropsFieldNumber, diag::kDuplicateMetadata, place,
                  context.run);
  }
  if (node.device_configurations_size() > 0) CheckSharding(node, place, context);
}

}  // namespace

std::vector<std::string_view> Sorted(const Names& names) {
  std::vector<std::string_view> sorted(names.begin(), names.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

Import* FindImport(Imports& imports, std::string_view domain) {
  auto found = imports.find(domain);
  if (found == imports.end() && domain.empty()) found = imports.find("ai.onnx");
  return found == imports.end() ? nullptr : &found->second;
}

const Operator* CheckNodeRules(const NodeProto& node, const Place& place, Context& context) {
  if (node.op_type().empty()) context.Report(diag::kOpTypeMissing, place);
  if (node.input().empty() && node.output().empty()) context.Report(diag::kNodeEmpty, place, Label(node));
  Import* const import = FindImport(context.imports, node.domain());
  if (import == nullptr && context.knows_imports) {
    ReportUnimported(node, place, context);
  }
  if (import != nullptr) import->is_used = true;
  CheckAttributes(node, place, context);
  CheckNewFields(node, place, context);
  if (IsExperimental(node)) {
    context.Report(diag::kExperimentalOperator, {place, NodeProto::kOpTypeFieldNumber}, Quoted(node.op_type()));
    return nullptr;
  }
  if (import == nullptr || node.op_type().empty()) return nullptr;
  const Operator* const op = BindOperator(node, import->version, place, context);
  if (op != nullptr) CheckSignature(node, *op, place, context);
  return op;
}

}  // namespace onnxc
