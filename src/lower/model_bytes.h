// Text to bytes without the whole message in memory: the large parts of a model become bytes as soon as they are
// lowered.
#pragma once

#include <onnxc/proto.h>

#include <cstddef>
#include <memory>
#include <string_view>

#include "lower/chunks.h"
#include "lower/model.h"

namespace onnxc::lower {

/// Listens to the parser and passes each part to a model's builder. The elements of the model's long lists (nodes,
/// initializers, value infos, functions) are serialised one by one, and their messages are used again for the next
/// ones: the memory stays small, and in the processor's cache.
class ModelBytes final : public PartListener, public Continuation {
 public:
  /// `builder` fills `model`, by `lowering`.
  ModelBytes(std::string_view text, onnx::ModelProto* model, ModelBuilder* builder, Lowering* lowering);
  ~ModelBytes() override;

  bool PartCompleted(Context* part) override;
  /// After the nodes that the second thread has lowered already.
  std::size_t ContinueAt(std::size_t next) override;

  /// Appends the bytes of the whole model: those that protobuf writes of the message that the builder alone would have
  /// made. To be called once, as it takes the model apart. The only error is a model that is too large.
  [[nodiscard]] Diagnostics Finish(Chunks* chunks);

 private:
  class SpeculativeBody;

  template <typename Element>
  static void Drain(google::protobuf::RepeatedPtrField<Element>* list, int field, FieldChunks* lists);
  void DrainInitializer(google::protobuf::RepeatedPtrField<onnx::TensorProto>* list);
  static void Interleave(const google::protobuf::Message& others, FieldChunks* lists, Chunks* chunks);

  // The message as a field of another one.
  static void AppendInterleaved(int field, const google::protobuf::Message& others, FieldChunks* lists, Chunks* chunks);

  std::string_view text_;
  onnx::ModelProto* model_;
  ModelBuilder* builder_;
  Lowering* lowering_;
  FieldChunks of_initializer_;  // of the one that is being built
  FieldChunks of_graph_;
  FieldChunks of_model_;
  std::unique_ptr<SpeculativeBody> speculative_;
  bool has_speculated_ = false;  // once for a model: one body is its most
};

}  // namespace onnxc::lower
