#include "syntax/tree_arena.h"

namespace onnxc {

void TreeArena::NextBlock() {
  if (block_ < blocks_.size()) ++block_;
  if (block_ == blocks_.size()) blocks_.push_back(std::make_unique<std::byte[]>(kBlock));
  used_ = 0;
}

void TreeArena::Release(const antlr4::ParserRuleContext* first) {
  bool done = false;
  while (!done && !nodes_.empty()) {
    const Node node = nodes_.back();
    nodes_.pop_back();
    done = node.context == first;
    block_ = node.block;
    used_ = node.offset;
    if (node.context->children.capacity() != 0) {
      node.context->children.clear();
      spare_children_.push_back(std::move(node.context->children));
    }
    node.context->~ParserRuleContext();
  }
}

}  // namespace onnxc
