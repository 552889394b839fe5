// Text to bytes without the message between them: what is big in a model becomes bytes as soon as it is built.
#pragma once

#include <onnxc/proto.h>

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "build/model.h"

namespace onnxc {

/// Stands between the parser and a model's builder. The elements of the model's big lists are serialised one by one,
/// and their messages are used again for the next ones: hot memory, and little of it.
class ModelBytes final : public PartListener {
 public:
  /// `builder` fills `model`, by `lowering`.
  ModelBytes(std::string_view text, onnx::ModelProto* model, ModelBuilder* builder, Lowering* lowering);
  ~ModelBytes() override;

  bool PartCompleted(Context* part) override;
  std::size_t GoOnAt(std::size_t next) override;

  /// The bytes of the whole: those that protobuf makes of the message that the builder alone would have built. Takes
  /// the model apart. The only finding is that it is too large.
  [[nodiscard]] Diagnostics Finish(std::vector<std::string>* pieces);

 private:
  using Pieces = std::vector<std::string>;
  using Lists = std::map<int, Pieces>;  // by the number of the field
  class NodesAhead;

  template <typename Element>
  static void Drain(google::protobuf::RepeatedPtrField<Element>* list, int field, Lists* lists);
  void DrainInitializer(google::protobuf::RepeatedPtrField<onnx::TensorProto>* list);
  static void Interleave(const google::protobuf::Message& others, Lists* lists, Pieces* pieces);

  // The message as a field of another one.
  static void AppendInterleaved(int field, const google::protobuf::Message& others, Lists* lists, Pieces* pieces);

  std::string_view text_;
  onnx::ModelProto* model_;
  ModelBuilder* builder_;
  Lowering* lowering_;
  std::string string_bytes_;  // of the initializer that is being built
  Lists of_graph_;
  Lists of_model_;
  std::unique_ptr<NodesAhead> ahead_;
  bool looked_ahead_ = false;  // once for a model: one body is its most
};

}  // namespace onnxc
