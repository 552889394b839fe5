#include "convert/omissions.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "source/function_key.h"
#include "source/nodes.h"

namespace onnxc::convert {
namespace {

using onnx::FunctionProto;
using onnx::NodeProto;

/// A parameter of a function that is passed on to a parameter of another function.
struct Passed {
  std::string_view from;
  const FunctionProto* to;
  std::string_view parameter;
  const NodeProto* call;
};

class Search {
 public:
  explicit Search(const onnx::ModelProto& model) {
    for (const FunctionProto& function : model.functions()) functions_.try_emplace(FunctionKey(function), &function);
  }

  void Call(const NodeProto& call, const FunctionProto* caller) {
    const auto found = functions_.find(FunctionKey(call));
    if (found == functions_.end()) return;
    for (const std::string& parameter : found->second->attribute()) {
      const auto given = std::ranges::find(call.attribute(), parameter, &onnx::AttributeProto::name);
      if (given == call.attribute().end()) {
        Omit(found->second, parameter, call);
      } else if (caller != nullptr && !given->ref_attr_name().empty()) {
        passed_[caller].push_back({given->ref_attr_name(), found->second, parameter, &call});
      }
    }
  }

  std::unordered_map<const FunctionProto*, Omissions> Finish() {
    while (!open_.empty()) {
      const auto [function, parameter] = open_.back();
      open_.pop_back();
      for (const Passed& passed : passed_[function]) {
        if (passed.from == parameter) Omit(passed.to, passed.parameter, *passed.call);
      }
    }
    return std::move(omissions_);
  }

 private:
  void Omit(const FunctionProto* function, std::string_view parameter, const NodeProto& call) {
    if (omissions_[function].try_emplace(parameter, &call).second) open_.emplace_back(function, parameter);
  }

  FunctionMap<const FunctionProto*> functions_;
  std::unordered_map<const FunctionProto*, std::vector<Passed>> passed_;  // by the function that contains the call
  std::unordered_map<const FunctionProto*, Omissions> omissions_;
  std::vector<std::pair<const FunctionProto*, std::string_view>> open_;  // found, and not yet passed on
};

}  // namespace

std::unordered_map<const FunctionProto*, Omissions> FindOmissions(const onnx::ModelProto& model) {
  Search search(model);
  const auto in_graph = [&](const NodeProto& node) { search.Call(node, nullptr); };
  ForEachNode(model.graph().node(), in_graph);
  for (const onnx::TrainingInfoProto& training : model.training_info()) {
    ForEachNode(training.initialization().node(), in_graph);
    ForEachNode(training.algorithm().node(), in_graph);
  }
  for (const FunctionProto& function : model.functions()) {
    ForEachNode(function, [&](const NodeProto& node) { search.Call(node, &function); });
  }
  return search.Finish();
}

}  // namespace onnxc::convert
