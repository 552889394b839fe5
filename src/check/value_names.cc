// Names of values that nothing defines: which of those that are defined was meant.
#include <fmt/format.h>

#include <algorithm>

#include "check/corrections.h"
#include "source/message_cast.h"
#include "source/misspelt.h"
#include "syntax/spelling.h"

namespace onnxc::check {
namespace {

bool Reads(const google::protobuf::Message& message, std::string_view name) {
  const auto* const node = MessageCast<onnx::NodeProto>(message);
  return node != nullptr && std::ranges::find(node->input(), name) != node->input().end();
}

/// What is known of the names that are near to one that nothing defines.
struct NearNames {
  Meant meant;     ///< the value that it stands for
  Meant misspelt;  ///< a node's output that should have the name, which nothing reads
};

NearNames FindNear(std::string_view name, const Spot& spot, Context& context) {
  Uses& uses = context.run.uses;
  uses.ReadAround(spot.place);
  const bool is_of_graph = !Reads(spot.place.message, name);
  const auto standing = [&](std::string_view other) {
    if (is_of_graph ? uses.IsOutput(other, spot.place) : Reads(spot.place.message, other)) return Standing::kTaken;
    return uses.Reads(other) == 0 ? Standing::kSpare : Standing::kUsual;
  };
  const auto spare_output = [&](std::string_view other) {
    const Value* const value = uses.Reads(other) == 0 ? context.scope.FindHere(other) : nullptr;
    return value != nullptr && value->kind == ValueKind::kOutput ? Standing::kSpare : Standing::kUsual;
  };
  const auto names = [&]() -> const std::vector<std::string_view>& { return context.scope.names(); };
  Findings& findings = context.run.findings;
  return {findings.MeantOf(name, names, standing), findings.MeantOf(name, names, spare_output, &MisspeltName)};
}

/// An output between others that has no name.
struct Omitted {
  const onnx::NodeProto* node = nullptr;
  int output = 0;
  int count = 0;  ///< of such outputs
};

/// Of the nodes before the one at the place, or around it.
Omitted FindOmitted(const Place& user, const NodeList& list) {
  const Place* at = &user;
  while (at != nullptr && (at->index >= list.nodes.size() || &list.nodes[at->index] != &at->message)) at = at->parent;
  Omitted found;
  for (int i = 0; at != nullptr && i < at->index; ++i) {
    const onnx::NodeProto& node = list.nodes[i];
    for (int j = 1; j + 1 < node.output_size(); ++j) {
      if (!node.output(j).empty() || node.output(j - 1).empty() || node.output(j + 1).empty()) continue;
      found = {&node, j, found.count + 1};
    }
  }
  return found;
}

/// `ys, , c_n = LSTM (x)`, and `h_n` is read: the one output that has no name is meant, if the name is like that of its
/// neighbours.
bool NameOmitted(std::string_view name, std::string_view near, const Spot& spot, Diagnostic* finding,
                 Context& context) {
  if (context.nodes == nullptr) return false;
  const Omitted omitted = FindOmitted(spot.place, *context.nodes);
  if (omitted.count != 1) return false;
  const onnx::NodeProto& node = *omitted.node;
  if (near.empty() || std::ranges::find(node.output(), near) == node.output().end()) return false;
  const int last = node.output_size() - 1;
  std::string outputs;
  for (int i = 0; i <= last; ++i)
    outputs += (i == 0 ? "" : ", ") + (i == omitted.output ? std::string(name) : node.output(i));
  constexpr int kOutput = onnx::NodeProto::kOutputFieldNumber;
  const SourceRange* const before = FindText(context.run, node, kOutput, omitted.output - 1);
  const SourceRange* const behind = FindText(context.run, node, kOutput, omitted.output + 1);
  std::vector<FixIt> fix_its;
  if (before != nullptr && behind != nullptr && before->end < behind->begin && syntax::IsIdentifier(name)) {
    fix_its = {{{before->end, behind->begin}, fmt::format(", {}, ", name)}};
  }
  Correct(finding,
          fmt::format("output {} of {} has no name: write '{}'", omitted.output + 1, Label(node), Quoted(outputs)),
          std::move(fix_its));
  return true;
}

/// `hiddne = Relu (x)`, and `hidden` is read: the edit of the definition.
std::vector<FixIt> RenameDefinition(std::string_view from, std::string_view to, const Context& context) {
  const Value* const value = context.scope.FindHere(from);
  const SourceRange* const range =
      value == nullptr ? nullptr : FindText(context.run, *value->owner, value->field, value->index);
  std::optional<FixIt> fix_it;
  if (range != nullptr) fix_it = Respell(*range, from, to);
  return fix_it ? std::vector{*std::move(fix_it)} : std::vector<FixIt>();
}

}  // namespace

void SuggestValue(std::string_view name, const Spot& spot, Diagnostic* finding, Context& context) {
  if (finding == nullptr) return;
  const auto [meant, misspelt] = FindNear(name, spot, context);
  const Uses& uses = context.run.uses;
  const onnx::ValueInfoProto* const declaration = uses.Declaration(name, spot.place);
  const bool is_declared = declaration != nullptr || uses.IsOutput(name, spot.place);
  if (misspelt.IsKnown() && (!meant.is_sure || is_declared || uses.Reads(name) > 1)) {
    Correct(finding, fmt::format("did you mean it where '{}' is computed, which nothing reads?", Quoted(misspelt.name)),
            RenameDefinition(misspelt.name, name, context));
  } else if (declaration != nullptr) {
    finding->message += "; it is declared without data: write '= {...}' or make it an input";
    context.run.findings.Explain(finding, *declaration, onnx::ValueInfoProto::kNameFieldNumber, 0, "declared here");
  } else if (!is_declared && (meant.is_sure || !NameOmitted(name, meant.name, spot, finding, context))) {
    context.run.findings.AddName(finding, name, meant, spot.place);
  }
}

// `(float[2] result) { reslut = Relu (x) }`: the graph's outputs are what others know it by. So where nothing but the
// output can have meant the value, the node is corrected.
void SuggestOutput(std::string_view name, const Spot& spot, Diagnostic* finding, Context& context) {
  if (finding == nullptr) return;
  const auto [meant, misspelt] = FindNear(name, spot, context);
  context.run.findings.AddName(finding, name, misspelt.IsKnown() ? misspelt : meant, spot.place);
  if (misspelt.IsKnown()) finding->fix_its = RenameDefinition(misspelt.name, name, context);
}

}  // namespace onnxc::check
