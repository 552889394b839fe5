// The nodes that a text has in common with the version before it.
//
// Nodes are most of a text, and an edit changes few of them. The parser reads all that stands before the nodes of a
// body, and the first node. After each node it compares its place with the version before. If a node began there in
// that version too, the nodes from there on are taken over, as far as the texts are the same: their messages become
// part of the new model, their places are moved, and the parser goes on behind them. This gives what a fresh run gives,
// since nodes follow each other with nothing between them, the parser looks one token ahead, and how a node is lowered
// depends on nothing before it but the pragmas around the body.
//
// In the error mode this holds too: nodes without errors say nothing, and each bracket in them is closed. Guesses about
// mistakes look back at tokens. So the nodes before a mistake, and the last ones of a body, are always read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "lower/model.h"
#include "lower/partial.h"
#include "syntax/parse.h"

namespace onnxc::lower {

/// Hands parts on to a listener that lowers them with `builder`. Where there is no error, it notes the nodes in
/// `version`, so that the next version can begin there.
class TakingOver final : public PartListener, public Continuation {
 public:
  enum class Mode : std::uint8_t { kQuiet, kReporting };  // the modes of the parser
  TakingOver(PartListener& parts, const ModelBuilder& builder, const ReadVersion* before, Mode mode,
             ReadVersion* version);

  bool PartCompleted(Context* part) override;
  /// After the nodes that are taken over.
  std::size_t ContinueAt(std::size_t next) override;

 private:
  [[nodiscard]] google::protobuf::RepeatedPtrField<onnx::NodeProto>* Nodes() const;
  void Begin(const Context* item);
  void Note(const Context* node, std::size_t place);
  [[nodiscard]] std::size_t CountCommon(const ReadBody& body, std::size_t first, std::size_t next) const;
  void Take(const ReadBody& body, std::size_t first, std::size_t count, std::ptrdiff_t shift);

  PartListener& parts_;
  const ModelBuilder& builder_;
  const ReadVersion* before_;
  Mode mode_;
  ReadVersion* version_;
  std::size_t same_begin_ = 0;  // bytes that both texts begin with
  std::size_t same_end_ = 0;    // bytes that both end with, behind those
  bool is_behind_node_ = false;
};

}  // namespace onnxc::lower
