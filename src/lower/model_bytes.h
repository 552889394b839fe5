// Converts text to bytes without the whole message in memory. The elements of long lists are serialized as soon as they
// are lowered, and their messages are reused for the next elements. So the memory stays small and in the processor's
// cache.
#pragma once

#include <onnxc/diagnostic.h>
#include <onnxc/proto.h>

#include <cstddef>
#include <optional>

#include "lower/chunks.h"
#include "lower/sink.h"

namespace onnxc::lower {

/// Serializes the elements of a graph's long lists.
class GraphBytes final : public GraphSink {
 public:
  using GraphSink::GraphSink;

  void EndNode() override;
  [[nodiscard]] FieldChunks* ListBytes() override { return &of_initializer_; }
  void EndInitializer() override;
  void EndSparseInitializer() override;
  void EndValueInfo() override;

  /// Appends the elements of another sink.
  void Append(GraphBytes&& other);

  /// Returns the bytes of the lists, by field.
  [[nodiscard]] FieldChunks& lists() { return lists_; }

 private:
  FieldChunks of_initializer_;  // lists of the current initializer
  FieldChunks lists_;
};

/// Serializes a model.
class ModelBytes final : public ModelSink {
 public:
  using ModelSink::ModelSink;

  /// Returns the sink of the model's graph, or null before the graph begins.
  [[nodiscard]] GraphBytes* graph() { return graph_ ? &*graph_ : nullptr; }

  [[nodiscard]] GraphSink* BeginGraph() override { return &graph_.emplace(model()->mutable_graph()); }
  void EndFunction() override;

  /// Appends the bytes of the complete model, as protobuf would write them. Must be called only once, because the lists
  /// are moved to `*chunks`. The only possible error is that the model is too large.
  [[nodiscard]] Diagnostics Finish(Chunks* chunks);

 private:
  std::optional<GraphBytes> graph_;
  FieldChunks lists_;
};

}  // namespace onnxc::lower
