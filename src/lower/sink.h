// The destinations of elements of long lists: the nodes, initializers and value infos of a graph, and the functions of
// a model.
//
// Each element is begun, filled and ended. The sinks in this header leave it in the message that contains it. The sinks
// of model_bytes.h serialize it, and those of discard.h discard it.
#pragma once

#include <onnxc/proto.h>

#include <optional>

#include "lower/chunks.h"

namespace onnxc::lower {

class GraphSink {
 public:
  /// Fills `graph`.
  explicit GraphSink(onnx::GraphProto* graph) : graph_(graph) {}
  GraphSink(const GraphSink&) = default;
  GraphSink& operator=(const GraphSink&) = default;
  virtual ~GraphSink() = default;

  /// For fields that are not long lists.
  [[nodiscard]] onnx::GraphProto* graph() const { return graph_; }

  [[nodiscard]] onnx::NodeProto* BeginNode() { return graph_->add_node(); }
  virtual void EndNode() {}

  [[nodiscard]] onnx::TensorProto* BeginInitializer() { return graph_->add_initializer(); }
  /// Returns where lists of the current initializer may be written as bytes of their fields. Null means that they are
  /// stored in the initializer's message.
  [[nodiscard]] virtual FieldChunks* ListBytes() { return nullptr; }
  virtual void EndInitializer() {}

  [[nodiscard]] onnx::SparseTensorProto* BeginSparseInitializer() { return graph_->add_sparse_initializer(); }
  virtual void EndSparseInitializer() {}

  [[nodiscard]] onnx::ValueInfoProto* BeginValueInfo() { return graph_->add_value_info(); }
  virtual void EndValueInfo() {}

 private:
  onnx::GraphProto* graph_;
};

class ModelSink {
 public:
  /// Fills `model`.
  explicit ModelSink(onnx::ModelProto* model) : model_(model) {}
  ModelSink(const ModelSink&) = delete;
  ModelSink& operator=(const ModelSink&) = delete;
  virtual ~ModelSink() = default;

  /// For fields that are not long lists.
  [[nodiscard]] onnx::ModelProto* model() const { return model_; }

  /// Returns the sink of the model's graph, which lives as long as this sink.
  [[nodiscard]] virtual GraphSink* BeginGraph() { return &graph_.emplace(model_->mutable_graph()); }

  [[nodiscard]] onnx::FunctionProto* BeginFunction() { return model_->add_functions(); }
  virtual void EndFunction() {}

 private:
  onnx::ModelProto* model_;
  std::optional<GraphSink> graph_;
};

}  // namespace onnxc::lower
