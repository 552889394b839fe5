#include "syntax/tree_arena.h"

namespace onnxc {

TreeArena::~TreeArena() {
  for (Header* header = newest_; header != nullptr; header = header->previous) NodeOf(header)->~ParserRuleContext();
}

void TreeArena::NextBlock() {
  if (free_ != nullptr) ++block_;
  if (block_ == blocks_.size()) blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(kBlock));
  free_ = blocks_[block_].get();
  end_ = free_ + kBlock;
}

void TreeArena::Release(const antlr4::ParserRuleContext* first) {
  Header* oldest = nullptr;
  do {
    oldest = newest_;
    newest_ = oldest->previous;
    auto& children = NodeOf(oldest)->children;
    if (children.capacity() == 0) continue;
    children.clear();
    spare_children_.push_back(std::move(children));
  } while (NodeOf(oldest) != first);
  block_ = oldest->block;
  free_ = reinterpret_cast<std::byte*>(oldest);
  end_ = blocks_[block_].get() + kBlock;
}

}  // namespace onnxc
