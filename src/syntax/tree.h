// Functions for reading parse trees, whose nodes are the contexts of the generated parser.
#pragma once

#include <onnxc/source.h>

#include <algorithm>
#include <initializer_list>

#include "syntax/OnnxTextParser.h"
#include "syntax/token.h"

namespace onnxc::syntax {

using Grammar = OnnxTextParser;
using Context = antlr4::ParserRuleContext;

[[nodiscard]] inline const SyntaxToken& First(const Context* context) {
  return *static_cast<const SyntaxToken*>(context->start);
}

/// Returns whether the first token of a context has one of the types. This is faster than searching the children for an
/// optional first part.
[[nodiscard]] inline bool BeginsWith(const Context* context, std::initializer_list<std::size_t> types) {
  return std::find(types.begin(), types.end(), First(context).type) != types.end();
}

/// A context without tokens has a `stop` before its `start`, or no `stop`.
[[nodiscard]] inline bool IsEmpty(const Context* context) {
  return context->stop == nullptr || static_cast<const SyntaxToken*>(context->stop)->begin < First(context).begin;
}

[[nodiscard]] inline SourceRange RangeOf(const Context* context) {
  const std::size_t begin = First(context).begin;
  return {begin, IsEmpty(context) ? begin : static_cast<const SyntaxToken*>(context->stop)->range().end};
}

/// The tokens of a context, for range-based for.
class TokensOf {
 public:
  explicit TokensOf(const Context* context)
      : first_(IsEmpty(context) ? nullptr : &First(context)), last_(static_cast<const SyntaxToken*>(context->stop)) {}

  class Iterator {
   public:
    Iterator(const SyntaxToken* token, const SyntaxToken* last) : token_(token), last_(last) {}
    const SyntaxToken& operator*() const { return *token_; }
    Iterator& operator++() {
      token_ = token_ == last_ ? nullptr : token_->next;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return token_ != other.token_; }

   private:
    const SyntaxToken* token_;
    const SyntaxToken* last_;
  };
  [[nodiscard]] Iterator begin() const { return {first_, last_}; }
  [[nodiscard]] Iterator end() const { return {nullptr, last_}; }

 private:
  const SyntaxToken* first_;
  const SyntaxToken* last_;
};

/// The children of a context, all of which have the type `Child`.
template <typename Child>
class ChildrenOf {
 public:
  explicit ChildrenOf(const Context* context) : children_(context->children) {}

  class Iterator {
   public:
    explicit Iterator(antlr4::tree::ParseTree* const* child) : child_(child) {}
    Child* operator*() const { return static_cast<Child*>(*child_); }
    Iterator& operator++() {
      ++child_;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return child_ != other.child_; }

   private:
    antlr4::tree::ParseTree* const* child_;
  };
  [[nodiscard]] Iterator begin() const { return Iterator(children_.data()); }
  [[nodiscard]] Iterator end() const { return Iterator(children_.data() + children_.size()); }
  [[nodiscard]] std::size_t size() const { return children_.size(); }

 private:
  const std::vector<antlr4::tree::ParseTree*>& children_;
};

/// Returns the first child of a context that belongs to `rule`, or null. Use it for contexts that have few children, of
/// different rules.
template <typename Child>
[[nodiscard]] Child* ChildOf(const Context* context, std::size_t rule) {
  for (antlr4::tree::ParseTree* child : context->children) {
    auto* rule_context = static_cast<Context*>(child);
    if (rule_context->getRuleIndex() == rule) return static_cast<Child*>(rule_context);
  }
  return nullptr;
}

}  // namespace onnxc::syntax
