#include "syntax/token_stream.h"

#include "syntax/OnnxTextParser.h"

namespace onnxc {

using Grammar = OnnxTextParser;

void TokenStream::Insert(std::size_t type) {
  SyntaxToken* inserted = Add();
  *inserted = SyntaxToken{};
  inserted->type = type;
  inserted->begin = current_->begin;
  inserted->text = current_->text.substr(0, 0);
  inserted->next = current_;
  if (previous_ != nullptr) previous_->next = inserted;
  current_ = inserted;
}

void TokenStream::SplitArrow(bool before_body) {
  if (current_->type != Grammar::ARROW) return;
  if (before_body) {  // looks ahead without adding a token: Release() may follow
    SyntaxToken next;
    if (current_->next == nullptr) Scanner(scanner_).Next(next);
    if ((current_->next == nullptr ? next.type : current_->next->type) != Grammar::LBRACE) return;
  }
  SyntaxToken* closing = Add();
  *closing = *current_;
  closing->type = Grammar::GREATER;
  closing->text.remove_prefix(1);
  ++closing->begin;
  current_->type = Grammar::EQUALS;
  current_->text.remove_suffix(1);
  current_->next = closing;
}

void TokenStream::NextBlock() {
  if (free_ != nullptr) ++block_;
  if (block_ == blocks_.size()) blocks_.push_back(std::make_unique<SyntaxToken[]>(kBlock));
  free_ = blocks_[block_].get();
  end_ = free_ + kBlock;
}

void TokenStream::Release(SyntaxToken* first) {
  const auto holds_first = [&] {
    SyntaxToken* begin = blocks_[block_].get();
    return first >= begin && first < begin + kBlock;
  };
  while (!holds_first()) --block_;  // the newest tokens: seldom in more than one block
  end_ = blocks_[block_].get() + kBlock;
  free_ = first + 1;
  *first = *current_;
  current_ = first;
  previous_ = nullptr;
}

}  // namespace onnxc
