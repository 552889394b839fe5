#include "diff/comparer.h"

#include <algorithm>

#include "diff/equality.h"
#include "print/brief.h"
#include "wire/nesting.h"

namespace onnxc::diff {

Comparer::Comparer(const DiffOptions& options, ChangedNodes* changed) : options_(options), changed_(changed) {}

std::vector<Difference> Comparer::Run(const Message& before, const Message& after) {
  for (const Message* message : {&before, &after}) {
    const Diagnostics deep = wire::CheckNesting(*message);
    if (deep.ok()) continue;
    Report(Kind::kChanged, Aspect::kModel, PathOf(Place{*message}), "", "",
           "cannot be compared: " + deep.items().front().message);
    return std::move(differences_);
  }
  if (!SameMessage(before, after)) Compare({{before}, {after}});
  return std::move(differences_);
}

const std::string& Comparer::Subject::brief() {
  if (!brief_.has_value()) brief_ = Brief(node_);
  return *brief_;
}

bool Comparer::IsIgnored(Aspect aspect) const {
  return aspect != Aspect::kModel && std::ranges::find(options_.ignore, aspect) != options_.ignore.end();
}

void Comparer::Report(Kind kind, Aspect aspect, std::string path, std::string before, std::string after,
                      std::string detail) {
  if (aspect == Aspect::kModel) aspect = aspect_;
  if (IsIgnored(aspect)) return;
  if (subject_ != nullptr) Mark(subject_->node(), NodeChange::kChanged);
  differences_.push_back({kind, aspect, std::move(path), std::move(before), std::move(after), std::move(detail),
                          subject_ == nullptr ? "" : subject_->brief()});
}

void Comparer::ReportAdded(const Place& message) {
  Report(Kind::kAdded, Aspect::kModel, PathOf(message), "", Brief(message.message));
  if (const auto* function = dynamic_cast<const onnx::FunctionProto*>(&message.message)) {
    for (const onnx::NodeProto& node : function->node()) Mark(node, NodeChange::kAdded);
  }
}

void Comparer::ReportRemoved(const Place& message) {
  Report(Kind::kRemoved, Aspect::kModel, PathOf(message), Brief(message.message), "");
}

void Comparer::Mark(const onnx::NodeProto& node, NodeChange change) {
  if (changed_ != nullptr) changed_->try_emplace(&node, change);
}

void Comparer::ReportName(const Spot& spot, std::string_view before, std::string_view after) {
  if (before == after || IsIgnored(Aspect::kNames)) return;
  Report(Kind::kRenamed, Aspect::kNames, PathOf(spot), OneLine(before), OneLine(after));
}

std::string Comparer::PathOfField(const Place& place, std::string_view field) {
  return (place.parent == nullptr ? std::string() : PathOf(place) + ".").append(field);
}

}  // namespace onnxc::diff

namespace onnxc {

std::vector<Difference> Diff(const google::protobuf::Message& before, const google::protobuf::Message& after,
                             const DiffOptions& options) {
  return diff::Comparer(options).Run(before, after);
}

ChangedNodes FindChangedNodes(const onnx::ModelProto& before, const onnx::ModelProto& after) {
  const DiffOptions options{.ignore = {Aspect::kNames, Aspect::kDocs, Aspect::kMetadata, Aspect::kStorage}};
  ChangedNodes changed;
  static_cast<void>(diff::Comparer(options, &changed).Run(before, after));
  return changed;
}

}  // namespace onnxc
