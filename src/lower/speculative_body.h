// Lowers the second half of a long list of nodes in a second thread while the first thread lowers the first half.
//
// Only parsing from the beginning can tell for certain where a node begins, so the second thread guesses: it starts at
// a line with the indentation of the first node. The guess is right if the first thread, after a node of the same body,
// finds the next token exactly there, because nodes follow each other with nothing between them, and the lowering of a
// node does not depend on the nodes before it. Then the first thread takes the result of the second one and continues
// after it. The guess is discarded at the end of its graph, so it is never used in another body. After a wrong guess,
// or an error in the second half, the first thread parses the second half itself, so that only time is lost.
#pragma once

#include <onnxc/proto.h>

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>

#include "lower/lowering.h"
#include "lower/model_bytes.h"
#include "platform/helper_thread.h"
#include "syntax/parse.h"

namespace onnxc::lower {

class SpeculativeBody final : public PartListener {
 public:
  /// Starts the second thread. `first` is the offset of the first node. `lowering` must be in the state between two
  /// nodes. Returns null if the text is too short to gain anything, or if no thread can be created.
  [[nodiscard]] static std::unique_ptr<SpeculativeBody> Begin(std::string_view text, std::size_t first,
                                                              const Lowering& lowering);

  SpeculativeBody(std::string_view text, std::size_t begin, const Lowering& lowering);
  ~SpeculativeBody() override { is_unwanted_ = true; }

  [[nodiscard]] std::size_t begin() const { return begin_; }

  /// Waits for the second thread, and appends its nodes to `*sink`. Returns the offset of the body's closing bracket,
  /// or nothing if there was an error.
  [[nodiscard]] std::optional<std::size_t> Take(GraphBytes* sink, Lowering* lowering);

  bool PartCompleted(Context* part) override;

 private:
  void Run() noexcept;

  std::string_view text_;
  std::size_t begin_;
  Lowering lowering_;
  onnx::GraphProto graph_;
  GraphBytes nodes_{&graph_};
  std::optional<std::size_t> end_;
  std::atomic<bool> is_unwanted_ = false;
  HelperThread thread_;  // the last member: the thread uses the others
};

/// Passes parts to the builder of a model whose parts are written to `bytes`, and lets a second thread lower the second
/// half of the graph's nodes.
class ReadingAhead final : public PartListener, public Continuation {
 public:
  ReadingAhead(std::string_view text, PartListener& builder, ModelBytes& bytes, Lowering& lowering)
      : text_(text), builder_(builder), bytes_(bytes), lowering_(lowering) {}

  bool PartCompleted(Context* part) override;
  /// Returns the offset after the nodes that the second thread has already lowered, or `next`.
  std::size_t ContinueAt(std::size_t next) override;

 private:
  std::string_view text_;
  PartListener& builder_;
  ModelBytes& bytes_;
  Lowering& lowering_;
  std::unique_ptr<SpeculativeBody> ahead_;
  bool may_begin_ = true;  // once for each model, because one body is usually most of a model
};

}  // namespace onnxc::lower
