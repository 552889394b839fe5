#include "syntax/parser_base.h"

#include "syntax/OnnxTextParser.h"

namespace onnxc {

void ParserBase::HandOver(antlr4::ParserRuleContext* part) {
  if (!listener_->PartCompleted(part)) throw FirstError{};
  if (strategy_ != nullptr || part == _ctx) return;
  part->parent->children.pop_back();
  auto* first = static_cast<SyntaxToken*>(part->start);
  _tracker.Release(part);
  _input->Release(first);
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

void ParserBase::Recover(const std::exception_ptr& error) {
  if (!strategy_->Recover(*this, _ctx)) std::rethrow_exception(error);
  is_reported_ = false;
}

}  // namespace onnxc
