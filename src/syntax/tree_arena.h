// Where the nodes of the parse tree live.
#pragma once

#include <antlr4-runtime.h>

#include <cstddef>
#include <memory>
#include <new>
#include <vector>

namespace onnxc {

/// Takes the place of ANTLR's ParseTreeTracker, under the same interface. Nodes are placed one behind the other in
/// blocks; Release() destroys the newest ones and reuses their memory.
class TreeArena {
 public:
  TreeArena() = default;
  TreeArena(const TreeArena&) = delete;
  TreeArena& operator=(const TreeArena&) = delete;
  ~TreeArena() { Release(nullptr); }

  template <typename Context>
  Context* createInstance(antlr4::ParserRuleContext* parent, std::size_t invoking_state) {
    static_assert(alignof(Context) <= alignof(std::max_align_t));
    constexpr std::size_t size = (sizeof(Context) + alignof(std::max_align_t) - 1) & ~(alignof(std::max_align_t) - 1);
    static_assert(size <= kBlock);
    if (block_ == blocks_.size() || used_ + size > kBlock) NextBlock();
    auto* context = new (blocks_[block_].get() + used_) Context(parent, invoking_state);
    if (!spare_children_.empty()) {
      context->children.swap(spare_children_.back());
      spare_children_.pop_back();
    }
    nodes_.push_back({context, block_, used_});
    used_ += size;
    return context;
  }

  /// Destroys `first` and all nodes made after it; all there are where `first` is null.
  void Release(const antlr4::ParserRuleContext* first);

 private:
  static constexpr std::size_t kBlock = std::size_t{64} << 10;
  struct Node {
    antlr4::ParserRuleContext* context;
    std::size_t block;
    std::size_t offset;
  };

  void NextBlock();

  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  std::vector<Node> nodes_;
  std::vector<std::vector<antlr4::tree::ParseTree*>> spare_children_;  // of destroyed nodes, empty, for their memory
  std::size_t block_ = 0;
  std::size_t used_ = 0;  // bytes of blocks_[block_]
};

}  // namespace onnxc
