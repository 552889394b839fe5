// The memory for the nodes of the parse tree.
#pragma once

#include <antlr4-runtime.h>

#include <cstddef>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace onnxc::syntax {

/// Replaces ANTLR's ParseTreeTracker, with the same interface. Nodes are placed in slots of equal size, one after the
/// other in blocks. Release() frees the newest nodes.
///
/// A slot always contains a node: at first an empty one, later the last node that was created there. A new node takes
/// over the list of children of the node that was in its slot before, to reuse the memory of this list. This list is
/// the only memory that a node owns.
class TreeArena {
 public:
  TreeArena() = default;
  TreeArena(const TreeArena&) = delete;
  TreeArena& operator=(const TreeArena&) = delete;

  template <typename Context>
  Context* createInstance(antlr4::ParserRuleContext* parent, std::size_t invoking_state) {
    static_assert(sizeof(Context) <= sizeof(Slot) && alignof(Context) <= alignof(Slot));
    if (free_ == end_) NextBlock();
    Slot* const slot = free_++;
    std::vector<antlr4::tree::ParseTree*> children = std::move(slot->node()->children);
    // The destructor is not called, because the old node's memory is reused.
    auto* const context = new (slot) Context(parent, invoking_state);
    children.clear();
    context->children = std::move(children);
    return context;
  }

  /// Adds the last child of a node, like push_back. Growing is a separate function, so that the usual case need not
  /// save registers.
  static void AddChild(antlr4::tree::ParseTree* parent, antlr4::tree::ParseTree* child) {
    auto& children = parent->children;
    if (children.size() == children.capacity()) Grow(&children);
    if (children.size() == children.capacity()) __builtin_unreachable();
    children.push_back(child);
  }

  /// Frees the node `first` and all nodes created after it. None of them may own an exception.
  void Release(antlr4::ParserRuleContext* first);

 private:
  // The first block is small, because a short text has few nodes and all slots of a block are created at once.
  [[nodiscard]] static std::size_t SlotsOf(std::size_t block) { return block < 6 ? std::size_t{8} << block : 512; }

  class alignas(std::max_align_t) Slot {
   public:
    Slot() { new (bytes_) antlr4::ParserRuleContext(); }
    Slot(const Slot&) = delete;
    Slot& operator=(const Slot&) = delete;
    ~Slot() { node()->~ParserRuleContext(); }
    // The only and first base class of every context is ParserRuleContext.
    antlr4::ParserRuleContext* node() { return std::launder(reinterpret_cast<antlr4::ParserRuleContext*>(bytes_)); }

   private:
    std::byte bytes_[128];
  };

  [[gnu::noinline]] static void Grow(std::vector<antlr4::tree::ParseTree*>* children);
  void NextBlock();

  std::vector<std::unique_ptr<Slot[]>> blocks_;
  std::size_t block_ = 0;  // index of the current block
  Slot* free_ = nullptr;   // the first free slot of the current block
  Slot* end_ = nullptr;    // the end of the current block
};

}  // namespace onnxc::syntax
