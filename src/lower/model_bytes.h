// Text to bytes without the whole message in memory: the elements of long lists become bytes as soon as they are
// lowered, and their messages are used again for the next ones. The memory stays small, and in the processor's cache.
#pragma once

#include <onnxc/diagnostic.h>
#include <onnxc/proto.h>

#include <cstddef>
#include <optional>

#include "lower/chunks.h"
#include "lower/sink.h"

namespace onnxc::lower {

/// Makes bytes of the elements of a graph's long lists.
class GraphBytes final : public GraphSink {
 public:
  using GraphSink::GraphSink;

  void EndNode() override;
  [[nodiscard]] FieldChunks* ListBytes() override { return &of_initializer_; }
  void EndInitializer() override;
  void EndSparseInitializer() override;
  void EndValueInfo() override;

  /// Adds the elements of another sink behind those that are here.
  void Append(GraphBytes&& other);

  /// The bytes of the lists, by field.
  [[nodiscard]] FieldChunks& lists() { return lists_; }

 private:
  FieldChunks of_initializer_;  // of the one that is being filled
  FieldChunks lists_;
};

/// Makes bytes of a model.
class ModelBytes final : public ModelSink {
 public:
  using ModelSink::ModelSink;

  /// The sink of the model's graph; null before it begins.
  [[nodiscard]] GraphBytes* graph() { return graph_ ? &*graph_ : nullptr; }

  [[nodiscard]] GraphSink* BeginGraph() override { return &graph_.emplace(model()->mutable_graph()); }
  void EndFunction() override;

  /// Appends the bytes of the whole model: those that protobuf writes of the message that ModelSink fills. To be called
  /// once, as it takes the model apart. The only error is a model that is too large.
  [[nodiscard]] Diagnostics Finish(Chunks* chunks);

 private:
  std::optional<GraphBytes> graph_;
  FieldChunks lists_;
};

}  // namespace onnxc::lower
