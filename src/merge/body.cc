// Merges graphs and functions, and finds what has lost its meaning in them.
#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

#include "edit/keep.h"
#include "merge/merger.h"
#include "print/brief.h"
#include "source/nodes.h"
#include "source/report.h"
#include "tables/operator_changes.h"
#include "tables/signatures.h"

namespace onnxc::merge {
namespace {

using diff::At;
using diff::Body;

template <typename Proto>
const Proto& As(const Place& place) {
  return static_cast<const Proto&>(place.message);
}

template <typename ModelOrFunction>
std::int64_t VersionOf(const ModelOrFunction& message) {
  for (const onnx::OperatorSetIdProto& import : message.opset_import()) {
    if (NodeDomain(import.domain()).empty()) return import.version();
  }
  return 0;
}

/// Calls `visit(node)` for each node to which the imports of the message apply.
template <typename Visit>
void ForEachNodeOf(const onnx::ModelProto& model, const Visit& visit) {
  ForEachNode(model.graph().node(), visit);
  for (const onnx::TrainingInfoProto& training : model.training_info()) {
    ForEachNode(training.initialization().node(), visit);
    ForEachNode(training.algorithm().node(), visit);
  }
}
template <typename Visit>
void ForEachNodeOf(const onnx::FunctionProto& function, const Visit& visit) {
  ForEachNode(function, visit);
}

}  // namespace

template <typename GraphOrFunction>
void Merger::MergeBody(const Three& at, Message* merged) {
  const Body base(As<GraphOrFunction>(at.base));
  const Body ours(As<GraphOrFunction>(at.ours));
  const Body theirs(As<GraphOrFunction>(at.theirs));
  MergedNodes nodes;
  for (const Unit& unit : UnitsOf(*at.base.message.GetDescriptor(), 0)) {
    if (unit[0]->number() != GraphOrFunction::kNodeFieldNumber) {
      MergeUnit(at, unit, merged);
      continue;
    }
    MergeList(at, *unit[0], MatchNodes({base, ours, theirs}), merged, &nodes);
  }
  MergeUnknownFields(at, merged);
  auto* const body = static_cast<GraphOrFunction*>(merged);
  CheckMeanings(at, nodes, body);
  if constexpr (std::is_same_v<GraphOrFunction, onnx::FunctionProto>) CheckOperators(at, *body);
}
template void Merger::MergeBody<onnx::GraphProto>(const Three& at, Message* merged);
template void Merger::MergeBody<onnx::FunctionProto>(const Three& at, Message* merged);

template <typename GraphOrFunction>
void Merger::CheckMeanings(const Three& at, const MergedNodes& nodes, GraphOrFunction* merged) {
  const Body base(As<GraphOrFunction>(at.base));
  const Body ours(As<GraphOrFunction>(at.ours));
  const Body theirs(As<GraphOrFunction>(at.theirs));
  const Body body(*merged);
  std::vector<bool> is_wrong(nodes.kept.size());
  for (const OtherValue& found : FindOtherValues({base, ours, theirs}, body, nodes)) {
    const bool is_ours = found.side == Side::kOurs;
    const Place& place = at.In(found.side);
    const std::string message =
        fmt::format("{} reads '{}' here, which {} removed, renamed or replaced", is_ours ? "ours" : "theirs",
                    Quoted(found.name), is_ours ? "theirs" : "ours");
    if (found.merged < 0) {
      Report(Spot(place, GraphOrFunction::kOutputFieldNumber, found.index), is_ours, message);
      continue;
    }
    const auto& node = As<GraphOrFunction>(place).node(found.index);
    Report(place.Child(node, GraphOrFunction::kNodeFieldNumber, found.index), is_ours, message);
    is_wrong[At(found.merged)] = true;
  }
  const auto taken = [&](int index) { return nodes.entries[At(nodes.kept[At(index)])].In(favored_); };
  for (int i = 0; i < merged->node_size(); ++i) {
    if (is_wrong[At(i)] && taken(i) >= 0)
      *merged->mutable_node(i) = As<GraphOrFunction>(at.In(favored_)).node(taken(i));
  }
  edit::Keep(merged->mutable_node(),
             [&](const onnx::NodeProto&, int index) { return !is_wrong[At(index)] || taken(index) >= 0; });
}

template <typename ModelOrFunction>
void Merger::CheckOperators(const Three& at, const ModelOrFunction& merged) {
  const std::int64_t version = VersionOf(merged);
  for (const Side side : {Side::kOurs, Side::kTheirs}) {
    const auto& message = As<ModelOrFunction>(at.In(side));
    if (VersionOf(message) == version) continue;
    const auto is_concerned = [&](const onnx::NodeProto& node) {
      return HasOtherMeaning(node, VersionOf(message), version);
    };
    OwnedNameSet known;
    ForEachNodeOf(As<ModelOrFunction>(at.base), [&](const onnx::NodeProto& node) {
      if (is_concerned(node)) known.insert(node.SerializePartialAsString());
    });
    ForEachNodeOf(message, [&](const onnx::NodeProto& node) {
      if (!is_concerned(node) || !known.insert(node.SerializePartialAsString()).second) return;
      Report(
          at.ours, true,
          fmt::format("{} added or changed '{}' for version {} of the operators, but {} has another meaning in version "
                      "{}, which the merged model would use",
                      side == Side::kOurs ? "ours" : "theirs", Quoted(Brief(node)), VersionOf(message),
                      Quoted(node.op_type()), version));
    });
  }
}
template void Merger::CheckOperators(const Three& at, const onnx::ModelProto& merged);

}  // namespace onnxc::merge
