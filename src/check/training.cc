// Rules for training: its graphs, and the bindings of their results.
#include "check/context.h"

namespace onnxc::check {
namespace {

using onnx::GraphProto;
using onnx::TrainingInfoProto;

void AddInitializers(const GraphProto& graph, NameSet* names) {
  for (const auto& tensor : graph.initializer()) names->insert(tensor.name());
  for (const auto& tensor : graph.sparse_initializer()) names->insert(tensor.values().name());
}

void AddOutputs(const GraphProto& graph, NameSet* names) {
  for (const auto& output : graph.output()) names->insert(output.name());
}

class Bindings {
 public:
  Bindings(const onnx::ModelProto& model, Context& context) : context_(context) {
    AddInitializers(model.graph(), &initializers_);
    AddOutputs(model.graph(), &outputs_);
  }

  void Check(const TrainingInfoProto& training, const Place& place) {
    NameSet keys;
    AddInitializers(training.algorithm(), &keys);
    NameSet reset;
    AddOutputs(training.initialization(), &reset);
    NameSet updated;
    AddOutputs(training.algorithm(), &updated);
    NameSet once;
    const NameSet none;
    CheckList(training.initialization_binding(), TrainingInfoProto::kInitializationBindingFieldNumber,
              {initializers_, keys}, {none, reset}, "the initialization", &once, place);
    CheckList(training.update_binding(), TrainingInfoProto::kUpdateBindingFieldNumber, {initializers_, keys},
              {outputs_, updated}, "the model or of the algorithm", &bound_, place);
  }

 private:
  /// The initializers of the model, which all training steps share, together with those of one step.
  struct Either {
    const NameSet& of_model;
    const NameSet& of_step;
    [[nodiscard]] bool Has(std::string_view name) const { return of_model.contains(name) || of_step.contains(name); }
  };

  void CheckList(const Metadata& bindings, int field, const Either& keys, const Either& values, std::string_view graph,
                 NameSet* bound, const Place& place) {
    for (int i = 0; i < bindings.size(); ++i) {
      const onnx::StringStringEntryProto& binding = bindings[i];
      const Place at = place.Child(binding, field, i);
      if (!keys.Has(binding.key())) context_.Report(diag::kBindingKey, at, Quoted(binding.key()));
      if (!values.Has(binding.value())) context_.Report(diag::kBindingValue, at, Quoted(binding.value()), graph);
      if (!bound->insert(binding.key()).second) context_.Report(diag::kDuplicateBinding, at, Quoted(binding.key()));
      if (Value* const value = context_.scope.Find(binding.key()); value != nullptr) context_.scope.Use(*value);
    }
  }

  Context& context_;
  NameSet initializers_;  // names of the model's initializers
  NameSet outputs_;
  NameSet bound_;  // names that the updates of all steps bind
};

void CheckInitialization(const GraphProto& graph, const Place& place, Context& context) {
  if (graph.input_size() > 0) context.Report(diag::kTrainingInputs, {place, GraphProto::kInputFieldNumber});
  Scope scope;
  Context alone{context.run, context.imports, scope};
  CheckGraphRules(graph, place, alone);
}

}  // namespace

void CheckTraining(const onnx::ModelProto& model, const Place& place, Context& context) {
  if (model.training_info().empty()) return;
  Bindings bindings(model, context);
  for (int i = 0; i < model.training_info_size(); ++i) {
    const TrainingInfoProto& training = model.training_info(i);
    const Place at = place.Child(training, onnx::ModelProto::kTrainingInfoFieldNumber, i);
    CheckFieldSince(*onnx::ModelProto::descriptor(), onnx::ModelProto::kTrainingInfoFieldNumber, at, context.run);
    if (training.has_initialization()) {
      CheckInitialization(training.initialization(),
                          at.Child(training.initialization(), TrainingInfoProto::kInitializationFieldNumber), context);
    }
    if (training.has_algorithm()) {
      Context continued = context;
      continued.continues_graph = true;
      CheckGraphRules(training.algorithm(), at.Child(training.algorithm(), TrainingInfoProto::kAlgorithmFieldNumber),
                      continued);
    }
    bindings.Check(training, at);
  }
}

}  // namespace onnxc::check
