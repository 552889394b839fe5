// Corrects a function without a domain.
#include <fmt/format.h>

#include <algorithm>

#include "check/corrections.h"
#include "source/message_cast.h"
#include "source/names.h"
#include "tables/limits.h"

namespace onnxc::check {
namespace {

using onnx::FunctionProto;
using onnx::ModelProto;
using onnx::NodeProto;

constexpr std::string_view kDomain = "local";

/// Returns the domain in the first call of a function with this name, or "" if no node calls such a function.
std::string_view CalledDomain(const Nodes& nodes, std::string_view name, int depth) {
  for (const NodeProto& node : nodes) {
    if (node.op_type() == name && !node.domain().empty()) return node.domain();
    for (const onnx::AttributeProto& attribute : node.attribute()) {
      if (!attribute.has_g() || depth == kMaxGraphDepth) continue;
      const std::string_view domain = CalledDomain(attribute.g().node(), name, depth + 1);
      if (!domain.empty()) return domain;
    }
  }
  return "";
}

/// Returns whether all inputs and outputs have types. A graph needs such types, but people seldom write them in a
/// function.
bool HasTypes(const FunctionProto& function) {
  NameSet typed;
  for (const onnx::ValueInfoProto& info : function.value_info()) {
    if (info.has_type()) typed.insert(info.name());
  }
  const auto is_typed = [&](const std::string& name) { return typed.contains(name); };
  return !typed.empty() && std::ranges::all_of(function.input(), is_typed) &&
         std::ranges::all_of(function.output(), is_typed);
}

/// Adds edits that insert the domain before the name in each call.
void CorrectCalls(const Nodes& nodes, std::string_view name, const Run& run, int depth, std::vector<FixIt>* fix_its) {
  if (depth == kMaxGraphDepth) return;
  for (const NodeProto& node : nodes) {
    const SourceRange* const op = FindText(run, node, NodeProto::kOpTypeFieldNumber);
    if (node.op_type() == name && node.domain().empty() && op != nullptr) {
      fix_its->push_back({{op->begin, op->begin}, fmt::format("{}.", kDomain)});
    }
    for (const onnx::AttributeProto& attribute : node.attribute()) {
      if (attribute.has_g()) CorrectCalls(attribute.g().node(), name, run, depth + 1, fix_its);
    }
  }
}

/// Returns the imports of the model as a text writes them.
std::string ImportsOf(const ModelProto& model) {
  std::string imports;
  for (const onnx::OperatorSetIdProto& opset : model.opset_import()) {
    imports.append(imports.empty() ? "" : ", ").append(ImportText(opset.domain(), opset.version()));
  }
  return imports;
}

/// Corrects the only function of a model, in its header and in its calls.
void AddDomain(const FunctionProto& function, const Place& place, const ModelProto& model, SourceRange name,
               const Run& run, Diagnostic* finding) {
  if (const std::string_view called = CalledDomain(model.graph().node(), function.name(), 0);
      !called.empty() && finding->range != kNowhere) {
    const std::string domain = fmt::format("domain: \"{}\"", called);
    const bool has_header = !function.opset_import().empty() && finding->range.begin < name.begin;
    if (has_header) {
      const std::size_t at = finding->range.begin + 1;
      return Correct(finding, fmt::format("nodes call it with the domain '{}'", Quoted(called)),
                     {{{at, at}, domain + ", "}});
    }
    finding->range = name;
    return Correct(finding, fmt::format("nodes call it with the domain '{}'", Quoted(called)),
                   {{{name.begin, name.begin}, fmt::format("<{}, opset_import: [{}]>\n", domain, ImportsOf(model))}});
  }
  const bool has_header = finding->range.begin != name.begin || !function.opset_import().empty();
  const SourceRange* const last_import = FindImportText(*place.parent, kLastImport, run);
  if (has_header || last_import == nullptr) return;
  std::vector<FixIt> fix_its = {
      {{last_import->end, last_import->end}, fmt::format(", \"{}\" : 1", kDomain)},
      {{name.begin, name.begin}, fmt::format("<domain: \"{}\", opset_import: [{}]> ", kDomain, ImportsOf(model))}};
  CorrectCalls(model.graph().node(), function.name(), run, 0, &fix_its);
  finding->range = name;
  Correct(finding, "set a domain in its header, import this domain, and use it in the calls", std::move(fix_its));
}

}  // namespace

bool ReportNoDomain(const FunctionProto& function, const Place& place, Run& run) {
  Diagnostic* const finding =
      run.findings.Report(diag::kFunctionDomain, {place, FunctionProto::kDomainFieldNumber}, Quoted(function.name()));
  const SourceRange* const name = FindText(run, function, FunctionProto::kNameFieldNumber);
  const auto* const model = place.parent == nullptr ? nullptr : MessageCast<ModelProto>(place.parent->message);
  if (model == nullptr) return false;
  run.uses.ReadAround(place);
  const bool is_graph = model->has_graph() && HasTypes(function) && run.uses.Calls(function.name()) == 0;
  if (finding == nullptr || name == nullptr) return is_graph;  // the same result for messages, which have no text
  if (is_graph) {
    finding->range = *name;
    Correct(finding, "a model has only one graph; a function begins with a header such as '<domain: ...>'", {});
  } else if (model->functions_size() == 1) {
    AddDomain(function, place, *model, *name, run, finding);
  }
  return is_graph;
}

}  // namespace onnxc::check
