// Rules for the functions of a model as a whole: unused functions and recursive calls.
#include <algorithm>

#include "check/context.h"
#include "source/nodes.h"
#include "tables/limits.h"

namespace onnxc::check {
namespace {

using onnx::FunctionProto;
using onnx::ModelProto;

constexpr int kMostFunctions = 10000;
constexpr int kDeepestCall = 100;

/// Calls `call` with the position of each function that the nodes, or the nodes of the function, call.
template <typename NodesOrFunction, typename Call>
void ForEachCall(const NodesOrFunction& caller, const FunctionTable& functions, const Call& call) {
  ForEachNode(caller, [&](const onnx::NodeProto& node) {
    if (const int callee = functions.Find(node); callee >= 0) call(callee);
  });
}

/// Walks the calls between the functions depth first, with an explicit stack.
class CallGraph {
 public:
  CallGraph(const ModelProto& model, const Place& place, Run& run)
      : model_(model), place_(place), run_(run), callees_(Size()), state_(Size()), height_(Size(), 1), step_(Size()) {
    for (std::size_t i = 0; i < Size(); ++i) {
      std::vector<int>& callees = callees_[i];
      const FunctionProto& function = model.functions(static_cast<int>(i));
      ForEachCall(function, run.functions, [&](int callee) { callees.push_back(callee); });
      std::sort(callees.begin(), callees.end());
      callees.erase(std::unique(callees.begin(), callees.end()), callees.end());
    }
  }

  void Check() {
    for (std::size_t i = 0; i < Size(); ++i) {
      if (state_[i] == State::kNew) Walk(static_cast<int>(i));
    }
  }

  [[nodiscard]] const std::vector<std::vector<int>>& callees() const { return callees_; }

 private:
  enum class State : char { kNew, kOnPath, kDone };
  struct Step {
    int function;
    std::size_t next = 0;
  };

  [[nodiscard]] std::size_t Size() const { return static_cast<std::size_t>(model_.functions_size()); }

  void Walk(int root) {
    Enter(root);
    while (!path_.empty()) {
      const auto function = static_cast<std::size_t>(path_.back().function);
      if (path_.back().next < callees_[function].size()) {
        Follow(callees_[function][path_.back().next++]);
        continue;
      }
      Leave(function);
    }
  }

  void Follow(int callee) {
    const State state = state_[static_cast<std::size_t>(callee)];
    if (state == State::kOnPath) ReportCycle(callee);
    if (state == State::kNew) Enter(callee);
  }

  void Enter(int function) {
    state_[static_cast<std::size_t>(function)] = State::kOnPath;
    step_[static_cast<std::size_t>(function)] = static_cast<std::ptrdiff_t>(path_.size());
    path_.push_back({function});
  }

  void Leave(std::size_t function) {
    for (const int callee : callees_[function]) {
      height_[function] = std::max(height_[function], height_[static_cast<std::size_t>(callee)] + 1);
    }
    if (height_[function] == kDeepestCall + 1) {
      const auto index = static_cast<int>(function);
      run_.findings.Report(diag::kCallDepth,
                           place_.Child(model_.functions(index), ModelProto::kFunctionsFieldNumber, index));
    }
    state_[function] = State::kDone;
    path_.pop_back();
  }

  void ReportCycle(int callee) {
    const auto first = path_.begin() + step_[static_cast<std::size_t>(callee)];
    const FunctionProto& function = model_.functions(callee);
    const auto id = [&](int index) { return ShownId(model_.functions(index)); };
    constexpr std::ptrdiff_t kShown = 10;
    std::string cycle;
    for (auto step = first; step != path_.end() && step - first < kShown; ++step) cycle += id(step->function) + " -> ";
    if (path_.end() - first > kShown) cycle += "... -> ";
    run_.findings.Report(diag::kRecursion, place_.Child(function, ModelProto::kFunctionsFieldNumber, callee),
                         cycle + id(callee));
  }

  const ModelProto& model_;
  const Place& place_;
  Run& run_;
  std::vector<std::vector<int>> callees_;
  std::vector<State> state_;
  std::vector<int> height_;  // for each function: the length of the longest chain of calls that begins there
  std::vector<Step> path_;
  std::vector<std::ptrdiff_t> step_;  // for each function: its position on the current path
};

/// For each domain with an unused function, the first nodes of the domain that call no function of the model. Contains
/// only domains in which a runtime may define operators.
using Undefined = NameMap<std::vector<const onnx::NodeProto*>>;

Undefined FindUndefined(const ModelProto& model, const std::vector<bool>& is_called, const FunctionTable& functions) {
  constexpr std::size_t kMost = 100;
  Undefined undefined;
  for (int i = 0; i < model.functions_size(); ++i) {
    const std::string& domain = model.functions(i).domain();
    if (!is_called[static_cast<std::size_t>(i)] && IsOfOthers(domain) && !IsOfRuntime(domain)) {
      undefined.try_emplace(domain);
    }
  }
  if (undefined.empty()) return undefined;
  ForEachNode(model, [&](const onnx::NodeProto& node) {
    const auto found = undefined.find(node.domain());
    if (found == undefined.end() || found->second.size() == kMost || functions.Find(node) >= 0) return;
    found->second.push_back(&node);
  });
  return undefined;
}

/// Adds a note that a node calls a name close to that of the unused function. There is no correction, because a runtime
/// may define the other name.
void NoteNearCall(const FunctionProto& function, const Undefined& undefined, Findings& findings, Diagnostic* finding) {
  const auto nodes = undefined.find(function.domain());
  if (finding == nullptr || nodes == undefined.end()) return;
  const std::string_view near = findings.NearestOf(function.name(), [&] {
    std::vector<std::string_view> names;
    for (const onnx::NodeProto* const node : nodes->second) names.emplace_back(node->op_type());
    return names;
  });
  if (near.empty() || near == function.name()) return;
  finding->message +=
      fmt::format(", but a node calls '{}'; did you mean '{}' there?", Quoted(near), Quoted(function.name()));
}

void ReportUnused(const ModelProto& model, const CallGraph& calls, const Place& place, Run& run) {
  if (!model.has_graph()) return;  // a library
  std::vector<bool> is_called(static_cast<std::size_t>(model.functions_size()));
  const auto call = [&](int callee) { is_called[static_cast<std::size_t>(callee)] = true; };
  ForEachCall(model.graph().node(), run.functions, call);
  for (const onnx::TrainingInfoProto& training : model.training_info()) {
    ForEachCall(training.initialization().node(), run.functions, call);
    ForEachCall(training.algorithm().node(), run.functions, call);
  }
  for (const std::vector<int>& callees : calls.callees()) std::for_each(callees.begin(), callees.end(), call);
  const Undefined undefined = FindUndefined(model, is_called, run.functions);
  for (int i = 0; i < model.functions_size(); ++i) {
    const FunctionProto& function = model.functions(i);
    const bool is_wrong = run.ir_version >= 8 && !function.has_domain();  // no node can call it
    if (is_called[static_cast<std::size_t>(i)] || is_wrong) continue;
    const Place at = place.Child(function, ModelProto::kFunctionsFieldNumber, i);
    Diagnostic* const finding =
        run.findings.Report(diag::kUnusedFunction, {at, FunctionProto::kNameFieldNumber}, ShownId(function));
    NoteNearCall(function, undefined, run.findings, finding);
  }
}

}  // namespace

void CheckFunctions(const ModelProto& model, const Place& place, const Imports& model_imports, Run& run) {
  if (model.functions_size() > kMostFunctions) {
    run.findings.Report(diag::kTooManyFunctions, {place, ModelProto::kFunctionsFieldNumber}, model.functions_size());
  }
  CallGraph calls(model, place, run);
  calls.Check();
  // If the model does not import a domain, the version of the first function that imports it is used.
  Imports imports = model_imports;
  for (const FunctionProto& function : model.functions()) {
    for (const onnx::OperatorSetIdProto& opset : function.opset_import()) {
      imports.try_emplace(opset.domain(), Import{.version = VersionFor(opset.version())});
    }
  }
  for (int i = 0; i < model.functions_size(); ++i) {
    const FunctionProto& function = model.functions(i);
    CheckFunctionRules(function, place.Child(function, ModelProto::kFunctionsFieldNumber, i), &imports, run);
  }
  ReportUnused(model, calls, place, run);
}

}  // namespace onnxc::check
