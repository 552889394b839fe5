// Models, and files of one graph or function: the builder that takes their parts as the parser completes them.
#pragma once

#include <onnxc/proto.h>

#include "build/lowering.h"
#include "syntax/parse.h"

namespace onnxc {

/// Fills a model: its header, its graph, its functions.
class ModelBuilder final : public PartListener {
 public:
  ModelBuilder(onnx::ModelProto* model, bool tell_functions_apart, Lowering& lowering)
      : model_(model), tell_functions_apart_(tell_functions_apart), lowering_(lowering) {}

  bool PartCompleted(Context* part) override;

 private:
  void Begin(const Grammar::ItemHeadContext* head);

  onnx::ModelProto* model_;
  bool tell_functions_apart_;
  Lowering& lowering_;
  bool is_first_ = true;
  onnx::GraphProto* graph_ = nullptr;        // the item whose parts come now: a graph
  onnx::FunctionProto* function_ = nullptr;  // or a function
};

/// Fills one graph.
class GraphBuilder final : public PartListener {
 public:
  GraphBuilder(onnx::GraphProto* graph, Lowering& lowering) : graph_(graph), lowering_(lowering) {}
  bool PartCompleted(Context* part) override;

 private:
  onnx::GraphProto* graph_;
  Lowering& lowering_;
};

/// Fills one function.
class FunctionBuilder final : public PartListener {
 public:
  FunctionBuilder(onnx::FunctionProto* function, Lowering& lowering) : function_(function), lowering_(lowering) {}
  bool PartCompleted(Context* part) override;

 private:
  onnx::FunctionProto* function_;
  Lowering& lowering_;
};

}  // namespace onnxc
