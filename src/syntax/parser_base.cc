#include "syntax/parser_base.h"

#include <algorithm>

#include "syntax/OnnxTextParser.h"

namespace onnxc::syntax {

void ParserBase::HandOver(antlr4::ParserRuleContext* part) {
  // The rule is complete, but exitRule() was not called yet, so `stop` is set here.
  if (part == _ctx) part->stop = _input->previous();
  if (!listener_->PartCompleted(part)) throw FirstError{};
  if (part == _ctx) return;
  auto* parent = static_cast<antlr4::ParserRuleContext*>(part->parent);
  auto* first = static_cast<SyntaxToken*>(part->start);
  if (strategy_ != nullptr) {
    // Error recovery reads earlier tokens and members of lists, but never earlier nodes. Nodes that contain a context
    // with an error are kept, too, because such a context owns an exception.
    if (part->getRuleIndex() != OnnxTextParser::RuleNode) return;
    if (first->begin >= broken_end_) {
      parent->children.pop_back();
      _tracker.Release(part);
    }
    if (continuation_ != nullptr && strategy_->IsSettled(*_input)) Continue();
    return;
  }
  parent->children.pop_back();
  _tracker.Release(part);
  // The first token of a name may also be the first token of the item, which is still needed.
  if (parent->start != first) _input->Release(first);
  if (continuation_ != nullptr) Continue();
}

void ParserBase::Continue() {
  const std::size_t next = _input->current()->begin;
  if (const std::size_t at = continuation_->ContinueAt(next); at != next) _input->GoOnAt(at);
}

void ParserBase::Fail(std::size_t expected) {
  if (strategy_ == nullptr) throw FirstError{};
  if (strategy_->Report(*this, _ctx, expected)) return;
  is_reported_ = true;
  throw antlr4::RecognitionException(this, _input, _ctx, _input->current());
}

void ParserBase::FailDepth() {
  if (strategy_ != nullptr) strategy_->ReportDepth(*this);
  throw FirstError{};
}

void ParserBase::ReportOnce() {
  if (strategy_ == nullptr) throw FirstError{};
  if (!is_reported_) (void)strategy_->Report(*this, _ctx, 0);
  is_reported_ = true;
}

// The arena does not free exceptions, so the memory of a node that contains a context with an error is not reused.
void ParserBase::KeepNodeOf(const antlr4::ParserRuleContext* broken) {
  broken_end_ = std::max(broken_end_, static_cast<SyntaxToken*>(broken->start)->begin + 1);
}

void ParserBase::Break(antlr4::ParserRuleContext* context) {
  KeepNodeOf(context);
  context->exception = std::make_exception_ptr(FirstError{});
}

void ParserBase::Recover(const std::exception_ptr& error) {
  KeepNodeOf(_ctx);
  if (!strategy_->Recover(*this, _ctx)) std::rethrow_exception(error);
  is_reported_ = false;
}

}  // namespace onnxc::syntax
