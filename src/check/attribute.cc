// Rules for attributes: the type, the value and the contents of the value.
#include <fmt/format.h>

#include "check/corrections.h"
#include "source/message_cast.h"
#include "tables/attribute_types.h"

namespace onnxc::check {
namespace {

using onnx::AttributeProto;
using onnx::NodeProto;

/// Returns the number of value fields of the attribute that are set, and reports the fields that do not match the
/// attribute's type.
int ReportValues(const AttributeProto& attribute, const Place& place, Context& context) {
  int values = 0;
  for (const AttributeType& row : kAttributeTypes) {
    if (!HasValue(attribute, row)) continue;
    ++values;
    if (!attribute.has_type() || attribute.type() == row.code) continue;
    const AttributeType* const wanted = FindAttributeType(attribute.type());
    context.Report(diag::kAttributeField, place, Quoted(attribute.name()),
                   wanted == nullptr ? "undefined" : wanted->keyword,
                   AttributeProto::descriptor()->FindFieldByNumber(row.field)->name());
  }
  return values;
}

/// Returns the place of the enclosing function, or that of the whole message if there is none.
const Place& FunctionAround(const Place& place) {
  const Place* around = &place;
  while (around->parent != nullptr && MessageCast<onnx::FunctionProto>(around->message) == nullptr) {
    around = around->parent;
  }
  return *around;
}

/// Returns the index of the function at this place among the functions of the model, or -1.
int PositionOf(const Place& place, const Context& context) {
  const auto* const function = MessageCast<onnx::FunctionProto>(place.message);
  if (function == nullptr || !function->overload().empty()) return -1;
  return context.run.functions.Find(function->domain(), function->name());
}

void CheckReference(const AttributeProto& attribute, int values, const Place& place, Context& context) {
  const std::string& name = attribute.ref_attr_name();
  const Spot spot(place, AttributeProto::kRefAttrNameFieldNumber);
  if (values > 0) {
    context.Report(diag::kReferenceWithValue, spot, Quoted(attribute.name()), Quoted(name));
  }
  if (name.empty()) return;
  if (context.parameters == nullptr) {
    if (context.knows_names) context.Report(diag::kReferenceOutside, spot, Quoted(name));
    return;
  }
  if (context.parameters->contains(name)) return;
  const Place& around = FunctionAround(place);
  const int position = PositionOf(around, context);
  FunctionTable& functions = context.run.functions;
  if (position >= 0 && functions.ParametersOf(position).contains(name)) return;  // reported where it is declared
  Diagnostic unknown = MakeDiagnostic(diag::kUnknownReference, kNowhere, Quoted(name));
  context.run.uses.ReadAround(place);
  const bool is_called = position >= 0 && context.run.uses.Calls(functions[position].name()) > 0;
  if (is_called && functions.Requires(position, name)) unknown.severity = Severity::kError;  // the node gets no value
  Diagnostic* const finding = context.run.findings.Report(std::move(unknown), spot);
  if (BlameParameter(position, name, false, context, finding)) return;
  const Meant meant = context.run.findings.SuggestName(finding, name, [&] { return Sorted(*context.parameters); });
  if (finding == nullptr || !finding->fix_its.empty()) return;
  const bool is_the_word = finding->path.empty() && finding->range.end - finding->range.begin == name.size() + 1;
  if (meant.is_sure && is_the_word) {
    finding->fix_its = {{finding->range, fmt::format("@{}", meant.name)}};
    return;
  }
  const SourceRange* const text = FindText(context.run, around.message, onnx::FunctionProto::kNameFieldNumber);
  if (text == nullptr || !context.parameters->empty()) return;
  Correct(finding, fmt::format("declare it after the function's name: <{}>", Quoted(name)),
          {{{text->end, text->end}, fmt::format(" <{}>", name)}});
}

/// Returns the type that the operator or the called function requires for the attribute, or 0 if it is not known.
int FormalType(const AttributeProto& attribute, const Place& place, Context& context) {
  const auto* const node = place.parent == nullptr ? nullptr : MessageCast<NodeProto>(place.parent->message);
  if (node == nullptr) return 0;
  if (const int callee = context.run.functions.Find(*node); callee >= 0) {
    return context.run.functions.TypeOfUse(callee, attribute.name());
  }
  const Import* const import = FindImport(context.imports, node->domain());
  const Operator* const op = import == nullptr ? nullptr : context.run.operators.Find(*node, import->version);
  if (op == nullptr) return 0;
  for (const OperatorAttribute& formal : Attributes(*op)) {
    if (Word(formal) == attribute.name()) return formal.type;
  }
  return 0;
}

/// Returns whether the attribute's node has a known operator. The attributes of such a node are checked against the
/// operator's signature.
bool HasSignature(const Place& place, Context& context) {
  const auto* const node = place.parent == nullptr ? nullptr : MessageCast<NodeProto>(place.parent->message);
  const Import* const import = node == nullptr ? nullptr : FindImport(context.imports, node->domain());
  return import != nullptr && context.run.operators.Find(*node, import->version) != nullptr;
}

/// Reports an attribute without a value. It is uncertain whether this is a mistake: an encoder for proto3 omits the
/// values 0 and "", but the author may also have forgotten the value. A list without elements is a valid empty list.
void ReportEmpty(const AttributeProto& attribute, const Place& place, Context& context) {
  if (!attribute.has_type()) {
    const AttributeType* const formal = FindAttributeType(FormalType(attribute, place, context));
    if (context.run.ir_version >= 2 || (formal != nullptr && formal->is_list))
      return;  // reported by ReportNoType(), or
               // an empty list
    Diagnostic finding = MakeDiagnostic(diag::kAttributeEmpty, kNowhere, "", "");
    finding.message = fmt::format("attribute '{}' has neither a type nor a value", Quoted(attribute.name()));
    context.run.findings.Report(std::move(finding), place);
    return;
  }
  const std::string_view taken = attribute.type() == AttributeProto::FLOAT    ? "0.0"
                                 : attribute.type() == AttributeProto::INT    ? "0"
                                 : attribute.type() == AttributeProto::STRING ? "\"\""
                                                                              : "";
  const AttributeType* const type = FindAttributeType(attribute.type());
  const bool is_message = type != nullptr && type->is_message && !HasSignature(place, context);
  if (!taken.empty() || is_message) {
    context.Report(diag::kAttributeEmpty, place, Quoted(attribute.name()), is_message ? "an empty message" : taken);
  }
}

/// Reports a reference without a type: `k = @a` must be `k: int = @a`.
void ReportNoType(const AttributeProto& attribute, const Place& place, Context& context) {
  Diagnostic* const finding = context.Report(diag::kAttributeType, place, Quoted(attribute.name()));
  const int type = attribute.ref_attr_name().empty() ? 0 : FormalType(attribute, place, context);
  if (type == 0) return;
  const SourceRange* const name = FindText(context.run, attribute, AttributeProto::kNameFieldNumber);
  std::vector<FixIt> fix_its;
  if (name != nullptr) fix_its = {{{name->end, name->end}, fmt::format(": {}", KeywordOf(type))}};
  Correct(
      finding,
      fmt::format("write '{}: {} = @{}'", Quoted(attribute.name()), KeywordOf(type), Quoted(attribute.ref_attr_name())),
      std::move(fix_its));
}

void CheckSubgraph(const onnx::GraphProto& graph, const Place& place, Context& context) {
  Context inside = context;
  inside.is_main = false;
  inside.continues_graph = false;
  CheckGraphRules(graph, place, inside);
}

void CheckValues(const AttributeProto& attribute, const Place& place, Context& context) {
  Run& run = context.run;
  if (attribute.has_t()) {
    CheckTensorRules(attribute.t(), place.Child(attribute.t(), AttributeProto::kTFieldNumber), run);
  }
  if (attribute.has_sparse_tensor()) {
    constexpr int kField = AttributeProto::kSparseTensorFieldNumber;
    CheckFieldSince(*AttributeProto::descriptor(), kField, {place, kField}, run);
    CheckSparseTensorRules(attribute.sparse_tensor(),
                           place.Child(attribute.sparse_tensor(), AttributeProto::kSparseTensorFieldNumber), run);
  }
  if (attribute.has_tp())
    CheckTypeRules(attribute.tp(), place.Child(attribute.tp(), AttributeProto::kTpFieldNumber), run);
  if (attribute.has_g())
    CheckSubgraph(attribute.g(), place.Child(attribute.g(), AttributeProto::kGFieldNumber), context);
  for (int i = 0; i < attribute.tensors_size(); ++i) {
    CheckTensorRules(attribute.tensors(i), place.Child(attribute.tensors(i), AttributeProto::kTensorsFieldNumber, i),
                     run);
  }
  for (int i = 0; i < attribute.sparse_tensors_size(); ++i) {
    const onnx::SparseTensorProto& tensor = attribute.sparse_tensors(i);
    constexpr int kField = AttributeProto::kSparseTensorsFieldNumber;
    CheckFieldSince(*AttributeProto::descriptor(), kField, {place, kField, i}, run);
    CheckSparseTensorRules(tensor, place.Child(tensor, AttributeProto::kSparseTensorsFieldNumber, i), run);
  }
  for (int i = 0; i < attribute.type_protos_size(); ++i) {
    const onnx::TypeProto& type = attribute.type_protos(i);
    CheckTypeRules(type, place.Child(type, AttributeProto::kTypeProtosFieldNumber, i), run);
  }
  for (int i = 0; i < attribute.graphs_size(); ++i) {
    CheckSubgraph(attribute.graphs(i), place.Child(attribute.graphs(i), AttributeProto::kGraphsFieldNumber, i),
                  context);
  }
}

}  // namespace

void CheckAttributeRules(const AttributeProto& attribute, const Place& place, Context& context) {
  if (attribute.name().empty()) context.Report(diag::kNameMissing, place, "the attribute");
  CheckIdentifier(Named::kAttribute, attribute.name(), {place, AttributeProto::kNameFieldNumber}, context.run);
  const int values = ReportValues(attribute, place, context);
  if (!attribute.has_type()) {
    if (context.run.ir_version >= 2) ReportNoType(attribute, place, context);
  } else if (attribute.type() == AttributeProto::UNDEFINED && values == 0) {
    context.Report(diag::kAttributeUndefined, place, Quoted(attribute.name()));
  }
  if (values > 1) context.Report(diag::kAttributeValues, place, Quoted(attribute.name()), values);
  if (attribute.has_ref_attr_name()) {
    CheckReference(attribute, values, place, context);
  } else if (values == 0) {
    ReportEmpty(attribute, place, context);
  }
  CheckValues(attribute, place, context);
}

}  // namespace onnxc::check
