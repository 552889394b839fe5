// Finds the value that was meant by a name that nothing defines.
#include <fmt/format.h>

#include <algorithm>

#include "check/corrections.h"
#include "check/order.h"
#include "source/misspelt.h"
#include "syntax/spelling.h"
#include "tables/operator_docs.h"

namespace onnxc::check {
namespace {

/// Candidates for a name that nothing defines.
struct NearNames {
  Meant meant;     ///< the visible value that was probably meant
  Meant misspelt;  ///< a value that nothing reads, whose own name is probably misspelt
};

NearNames FindNear(std::string_view name, const Spot& spot, Context& context) {
  Uses& uses = context.run.uses;
  uses.ReadAround(spot.place);
  const bool is_of_graph = !uses.IsInput(name, spot.place);
  const auto standing = [&](std::string_view other) {
    if (is_of_graph ? uses.IsOutput(other, spot.place) : uses.IsInput(other, spot.place)) return Standing::kTaken;
    return uses.Reads(other) == 0 ? Standing::kSpare : Standing::kUsual;
  };
  const auto spare = [&](std::string_view other) {
    return uses.Reads(other) == 0 && context.scope.Find(other) != nullptr ? Standing::kSpare : Standing::kUsual;
  };
  const auto names = [&] { return context.scope.names(); };
  Findings& findings = context.run.findings;
  return {findings.MeantOf(name, names, standing), findings.MeantOf(name, names, spare, &MisspeltName)};
}

/// Searches the nodes of the list before the node at this place, or before the node whose subgraph contains this place,
/// for an unnamed output between named outputs. Returns this output, or null if there are none or several.
const Order::Omitted* FindOmitted(const Place& user, const NodeList& list) {
  const Place* at = &user;
  while (at != nullptr && (at->index >= list.nodes.size() || &list.nodes[at->index] != &at->message)) at = at->parent;
  if (at == nullptr) return nullptr;
  const std::vector<Order::Omitted>& all = list.order->AllOmitted();
  const bool is_one = !all.empty() && all[0].node < at->index && (all.size() == 1 || all[1].node >= at->index);
  return is_one ? &all[0] : nullptr;
}

/// Handles `ys, , c_n = LSTM (x)` if a node reads `h_n`: the only unnamed output was meant, if the name is similar to
/// the names of the neighbouring outputs. Returns whether this is so.
bool NameOmitted(std::string_view name, std::string_view near, const Spot& spot, Diagnostic* finding,
                 Context& context) {
  const Order::Omitted* const omitted = context.nodes == nullptr ? nullptr : FindOmitted(spot.place, *context.nodes);
  if (omitted == nullptr) return false;
  const onnx::NodeProto& node = context.nodes->nodes[omitted->node];
  if (near.empty() || std::ranges::find(node.output(), near) == node.output().end()) return false;
  const int last = node.output_size() - 1;
  std::string outputs;
  for (int i = 0; i <= last; ++i)
    outputs += (i == 0 ? "" : ", ") + (i == omitted->output ? std::string(name) : node.output(i));
  constexpr int kOutput = onnx::NodeProto::kOutputFieldNumber;
  const SourceRange* const before = FindText(context.run, node, kOutput, omitted->output - 1);
  const SourceRange* const behind = FindText(context.run, node, kOutput, omitted->output + 1);
  std::vector<FixIt> fix_its;
  if (before != nullptr && behind != nullptr && before->end < behind->begin && syntax::IsIdentifier(name)) {
    fix_its = {{{before->end, behind->begin}, fmt::format(", {}, ", name)}};
  }
  Correct(finding,
          fmt::format("output {} of {} has no name: write '{}'", omitted->output + 1, Label(node), Quoted(outputs)),
          std::move(fix_its));
  return true;
}

/// Returns the range of the value's name at its definition, or null.
const SourceRange* FindName(const Value& value, const Context& context) {
  if (value.field != 0) return FindText(context.run, *value.owner, value.field, value.index);
  const auto* const name = value.owner->GetDescriptor()->FindFieldByName("name");
  return name == nullptr ? nullptr : FindText(context.run, *value.owner, name->number());
}

/// Moves the finding and its correction to the definition.
void BlameDefinition(std::string_view defined, std::string_view read, Diagnostic* finding, Context& context) {
  const Value* const value = context.scope.Find(defined);
  const SourceRange* const range = value == nullptr ? nullptr : FindName(*value, context);
  BlameName(range, defined, read, {"reads", "read"}, finding);
}

/// Returns whether the name is misspelt at its definition, and not where a node reads it. Inputs and initializers of a
/// model are part of its interface, so they are reported only for a clear reason.
bool IsDefinitionMeant(std::string_view read, const Meant& meant, const Meant& misspelt, bool is_declared,
                       Context& context) {
  if (is_declared || context.run.uses.Reads(read) > 1) return true;
  const Suspect suspect = SuspectOf(read, misspelt.name);
  if (suspect != Suspect::kEither) return suspect == Suspect::kDefinition;
  const Value* const value = context.scope.Find(misspelt.name);
  return !meant.is_sure && (value->kind == ValueKind::kOutput || value->depth > 1);
}

}  // namespace

void SuggestValue(std::string_view name, const Spot& spot, Diagnostic* finding, Context& context) {
  if (finding == nullptr) return;
  const auto [meant, misspelt] = FindNear(name, spot, context);
  const Uses& uses = context.run.uses;
  const onnx::ValueInfoProto* const declaration = uses.Declaration(name, spot.place);
  const bool is_declared = declaration != nullptr || uses.IsOutput(name, spot.place);
  if (misspelt.IsKnown() && IsDefinitionMeant(name, meant, misspelt, is_declared, context)) {
    BlameDefinition(misspelt.name, name, finding, context);
  } else if (declaration != nullptr) {
    finding->message +=
        "; it is declared without data: add the data with '= {...}', "
        "write '= [\"elided\": \"\"]' if the data are supplied later, or make it an input";
    context.run.findings.Explain(finding, *declaration, onnx::ValueInfoProto::kNameFieldNumber, 0, "declared here");
  } else if (!is_declared && (meant.is_sure || !NameOmitted(name, meant.name, spot, finding, context))) {
    // If a value that nothing reads differs from the undefined name by one typing mistake, this value was meant.
    const bool is_misspelt = !meant.is_sure && misspelt.IsKnown();
    context.run.findings.AddName(finding, name, is_misspelt ? misspelt : meant, spot.place);
  }
}

// Handles `(float[2] result) { reslut = Relu (x) }`: the outputs of a graph are its interface. So the finding moves to
// the definition in the node, unless the output's name is the misspelt one.
void SuggestOutput(std::string_view name, const Spot& spot, Diagnostic* finding, Context& context) {
  if (finding == nullptr) return;
  const auto [meant, misspelt] = FindNear(name, spot, context);
  if (misspelt.IsKnown() && SuspectOf(name, misspelt.name) != Suspect::kUse) {
    return BlameDefinition(misspelt.name, name, finding, context);
  }
  context.run.findings.AddName(finding, name, misspelt.IsKnown() ? misspelt : meant, spot.place);
}

}  // namespace onnxc::check
