// Sinks for callers that need only the errors of a text: elements of long lists are discarded as soon as they are
// lowered, and their messages are reused.
#pragma once

#include <onnxc/proto.h>

#include <optional>

#include "lower/chunks.h"
#include "lower/sink.h"

namespace onnxc::lower {

class GraphDiscard final : public GraphSink {
 public:
  using GraphSink::GraphSink;

  void EndNode() override { graph()->clear_node(); }
  /// Long lists of numbers are read fastest as bytes, by several threads.
  [[nodiscard]] FieldChunks* ListBytes() override { return &of_initializer_; }
  void EndInitializer() override {
    graph()->clear_initializer();
    of_initializer_.clear();
  }
  void EndSparseInitializer() override { graph()->clear_sparse_initializer(); }
  void EndValueInfo() override { graph()->clear_value_info(); }

 private:
  FieldChunks of_initializer_;  // lists of the current initializer
};

class ModelDiscard final : public ModelSink {
 public:
  using ModelSink::ModelSink;

  [[nodiscard]] GraphSink* BeginGraph() override { return &graph_.emplace(model()->mutable_graph()); }
  void EndFunction() override { model()->clear_functions(); }

 private:
  std::optional<GraphDiscard> graph_;
};

}  // namespace onnxc::lower
