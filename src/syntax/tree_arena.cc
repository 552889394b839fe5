#include "syntax/tree_arena.h"

#include <algorithm>

namespace onnxc::syntax {

void TreeArena::Grow(std::vector<antlr4::tree::ParseTree*>* children) {
  children->reserve(std::max<std::size_t>(3, 2 * children->size()));  // malloc() uses 32 bytes for up to 3 pointers
}

void TreeArena::NextBlock() {
  if (free_ != nullptr) ++block_;
  if (block_ == blocks_.size()) blocks_.push_back(std::make_unique<Slot[]>(SlotsOf(block_)));
  free_ = blocks_[block_].get();
  end_ = free_ + SlotsOf(block_);
}

void TreeArena::Release(antlr4::ParserRuleContext* first) {
  auto* const slot = reinterpret_cast<Slot*>(first);
  const auto holds_first = [&] {
    Slot* const begin = blocks_[block_].get();
    return slot >= begin && slot < begin + SlotsOf(block_);
  };
  while (!holds_first()) --block_;  // the newest nodes are rarely in more than one block
  free_ = slot;
  end_ = blocks_[block_].get() + SlotsOf(block_);
}

}  // namespace onnxc::syntax
