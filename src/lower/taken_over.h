// Reuses the nodes that a text has in common with the version before it.
//
// Nodes are most of a text, and an edit changes few of them. The parser reads everything before the nodes of a body,
// and the first node. After each node, it looks up the corresponding place in the version before. If a node begins
// there in that version, too, the following nodes are reused as far as the texts are the same: their messages become
// part of the new model, their source ranges are adjusted, and the parser continues after them. The result is the same
// as that of a new run: nodes follow each other with nothing between them, the parser looks ahead by one token, and the
// lowering of a node depends on nothing before it except the pragmas that apply to the body.
//
// Nodes are also reused if the new text has errors: nodes without errors cause no findings, and all their brackets are
// closed. The search for corrections reads tokens before a mistake, so the nodes before a mistake, and the last nodes
// of a body, are always parsed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "lower/model.h"
#include "lower/partial.h"
#include "syntax/parse.h"

namespace onnxc::lower {

/// Passes parts on to a listener that lowers them with `builder`. If there is no error, records the nodes in `version`,
/// so that the next version can reuse them.
class TakingOver final : public PartListener, public Continuation {
 public:
  enum class Mode : std::uint8_t { kQuiet, kReporting };  // the modes of the parser
  /// `observer` is told which nodes are reused; it may be null.
  TakingOver(PartListener& parts, const ModelBuilder& builder, const ReadVersion* before, Mode mode,
             PartObserver* observer, ReadVersion* version);

  bool PartCompleted(Context* part) override;
  /// Returns the offset after the reused nodes, or `next`.
  std::size_t ContinueAt(std::size_t next) override;

 private:
  [[nodiscard]] google::protobuf::RepeatedPtrField<onnx::NodeProto>* Nodes() const;
  void Begin(const Context* item);
  void Note(const Context* node, std::size_t place);
  [[nodiscard]] std::size_t CountCommon(const ReadBody& body, std::size_t first, std::size_t next) const;
  [[nodiscard]] std::size_t EndOfRun(const ReadBody& body, std::size_t at, std::size_t end) const;
  void Take(const ReadBody& body, std::size_t first, std::size_t count, std::ptrdiff_t shift);

  PartListener& parts_;
  const ModelBuilder& builder_;
  const ReadVersion* before_;
  Mode mode_;
  PartObserver* observer_;
  ReadVersion* version_;
  bool is_behind_node_ = false;
};

}  // namespace onnxc::lower
