// The nodes that a text has in common with the version before it.
//
// Nodes are most of a text, and an edit changes few of them. The parser reads all that stands before the nodes of a
// body, and the first node. After each node it compares its place with the version before. If a node began there in
// that version too, the nodes from there on are taken over, as far as the texts are the same: their messages become
// part of the new model, their places are moved, and the parser goes on behind them. This gives what a fresh run gives,
// since nodes follow each other with nothing between them, the parser looks one token ahead, and how a node is lowered
// depends on nothing before it but the pragmas around the body.
#pragma once

#include <cstddef>
#include <string_view>

#include "lower/model.h"
#include "lower/partial.h"
#include "syntax/parse.h"

namespace onnxc::lower {

/// Hands parts on to a listener that lowers them with `builder`, and notes the nodes in `version`.
class TakingOver final : public PartListener, public Continuation {
 public:
  TakingOver(PartListener& parts, const ModelBuilder& builder, const ReadVersion* before, ReadVersion* version);

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
  ReadVersion* version_;
  std::size_t same_begin_ = 0;  // bytes that both texts begin with
  std::size_t same_end_ = 0;    // bytes that both end with, behind those
  bool is_behind_node_ = false;
};

}  // namespace onnxc::lower
