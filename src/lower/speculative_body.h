// The second half of a long list of nodes, read in another thread while the first one is.
//
// Where a node begins cannot be told without reading what stands before it, but it can be guessed: at a line with the
// indentation of the first node. The guess is right if the parser, having come to the end of a node of the same body,
// finds the next one there: nodes follow each other with nothing between, and each is read alike whatever stands before
// it. (That it is the same body, the owner sees to: it forgets the guess at the end of its graph.) Then what was read
// ahead is what the parser would have read, and it goes on behind it. A wrong guess, and an error in what was read
// ahead, only cost the time: the parser reads on itself.
#pragma once

#include <onnxc/proto.h>

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lower/lowering.h"
#include "lower/model_bytes.h"
#include "source/helper_thread.h"
#include "syntax/parse.h"

namespace onnxc {

class ModelBytes::SpeculativeBody final : public PartListener {
 public:
  /// Begins to read. `first` is where the first node begins, and `lowering` as it is between nodes. Null where it does
  /// not pay, or no thread is to be had.
  [[nodiscard]] static std::unique_ptr<SpeculativeBody> Begin(std::string_view text, std::size_t first,
                                                              const Lowering& lowering);

  SpeculativeBody(std::string_view text, std::size_t begin, const Lowering& lowering);
  ~SpeculativeBody() override { is_unwanted_ = true; }

  [[nodiscard]] std::size_t begin() const { return begin_; }

  /// Waits for the nodes. Moves them to the lists, and returns where the closing bracket is; nothing if there was an
  /// error.
  [[nodiscard]] std::optional<std::size_t> Take(FieldChunks* lists, Lowering* lowering);

  bool PartCompleted(Context* part) override;

 private:
  void Run() noexcept;

  std::string_view text_;
  std::size_t begin_;
  Lowering lowering_;
  onnx::GraphProto graph_;
  FieldChunks lists_;
  std::optional<std::size_t> end_;
  std::atomic<bool> is_unwanted_ = false;
  HelperThread thread_;  // the last member: it uses the others
};

}  // namespace onnxc
