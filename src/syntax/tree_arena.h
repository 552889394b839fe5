// The memory for the nodes of the parse tree.
#pragma once

#include <antlr4-runtime.h>

#include <cstddef>
#include <new>
#include <utility>
#include <vector>

#include "syntax/blocks.h"

namespace onnxc::syntax {

/// Replaces ANTLR's ParseTreeTracker, with the same interface. Nodes are placed in slots of equal size, one after the
/// other. Release() frees the newest nodes.
///
/// A slot keeps the last node that was created there. The next node takes over this node's list of children, to reuse
/// the memory of the list. This list is the only memory that a node owns.
class TreeArena {
 public:
  template <typename Context>
  Context* createInstance(antlr4::ParserRuleContext* parent, std::size_t invoking_state) {
    return slots_.Add()->template Create<Context>(parent, invoking_state);
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
  void Release(antlr4::ParserRuleContext* first) { slots_.CutOff(reinterpret_cast<Slot*>(first)); }

 private:
  class alignas(std::max_align_t) Slot {
   public:
    Slot() = default;
    Slot(const Slot&) = delete;
    Slot& operator=(const Slot&) = delete;
    ~Slot() {
      if (is_used_) node()->~ParserRuleContext();
    }

    template <typename Context>
    Context* Create(antlr4::ParserRuleContext* parent, std::size_t invoking_state) {
      static_assert(sizeof(Context) <= sizeof(bytes_) && alignof(Context) <= alignof(Slot));
      if (!std::exchange(is_used_, true)) return new (bytes_) Context(parent, invoking_state);
      std::vector<antlr4::tree::ParseTree*> children = std::move(node()->children);
      // The destructor is not called, because the old node's memory is reused.
      auto* const context = new (bytes_) Context(parent, invoking_state);
      children.clear();
      context->children = std::move(children);
      return context;
    }

   private:
    // The only and first base class of every context is ParserRuleContext.
    antlr4::ParserRuleContext* node() { return std::launder(reinterpret_cast<antlr4::ParserRuleContext*>(bytes_)); }

    std::byte bytes_[120];  // the node, if the slot was used
    bool is_used_ = false;
  };

  [[gnu::noinline]] static void Grow(std::vector<antlr4::tree::ParseTree*>* children);

  Blocks<Slot, 16, 512> slots_;
};

}  // namespace onnxc::syntax
