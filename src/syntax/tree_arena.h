// Where the nodes of the parse tree live.
#pragma once

#include <antlr4-runtime.h>

#include <cstddef>
#include <memory>
#include <new>
#include <vector>

namespace onnxc {

/// Takes the place of ANTLR's ParseTreeTracker, under the same interface. Nodes are placed one behind the other in
/// blocks, each behind a header that leads to the one before; Release() gives back the newest ones.
class TreeArena {
 public:
  TreeArena() = default;
  TreeArena(const TreeArena&) = delete;
  TreeArena& operator=(const TreeArena&) = delete;
  ~TreeArena();

  template <typename Context>
  Context* createInstance(antlr4::ParserRuleContext* parent, std::size_t invoking_state) {
    static_assert(alignof(Context) <= alignof(Header));
    constexpr std::size_t size = sizeof(Header) + ((sizeof(Context) + alignof(Header) - 1) & ~(alignof(Header) - 1));
    static_assert(size <= kBlock);
    if (free_ == nullptr || static_cast<std::size_t>(end_ - free_) < size) NextBlock();
    auto* header = new (free_) Header{newest_, block_};
    auto* context = new (free_ + sizeof(Header)) Context(parent, invoking_state);
    newest_ = header;
    free_ += size;
    if (!spare_children_.empty()) {
      context->children.swap(spare_children_.back());
      spare_children_.pop_back();
    }
    return context;
  }

  /// Gives back `first`, which is a node, and all nodes made after it. Their destructors do not run: that saves a fifth
  /// of the time, and the only memory that they own, that of their children, is kept for later nodes.
  void Release(const antlr4::ParserRuleContext* first);

 private:
  static constexpr std::size_t kBlock = std::size_t{64} << 10;
  struct alignas(std::max_align_t) Header {
    Header* previous;
    std::size_t block;
  };
  static antlr4::ParserRuleContext* NodeOf(Header* header) {
    // All contexts have ParserRuleContext as their first and only base.
    return reinterpret_cast<antlr4::ParserRuleContext*>(header + 1);
  }

  void NextBlock();

  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  std::size_t block_ = 0;                                              // the one that is being filled
  std::byte* free_ = nullptr;                                          // in it, the first free byte
  std::byte* end_ = nullptr;                                           // and its end
  Header* newest_ = nullptr;                                           // null: no node
  std::vector<std::vector<antlr4::tree::ParseTree*>> spare_children_;  // of released nodes, empty, for their memory
};

}  // namespace onnxc
