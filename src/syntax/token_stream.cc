#include "syntax/token_stream.h"

#include "syntax/OnnxTextParser.h"

namespace onnxc::syntax {

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
  Note(*inserted);
}

void TokenStream::InsertBehind(SyntaxToken* token, std::size_t type) {
  SyntaxToken* next = After(token);
  SyntaxToken* inserted = Add();
  *inserted = SyntaxToken{};
  inserted->type = type;
  inserted->begin = token->range().end;
  inserted->text = token->text.substr(token->text.size());
  inserted->next = next;
  token->next = inserted;
  Note(*inserted);
}

void TokenStream::NextBlock() {
  if (free_ != nullptr) ++block_;
  if (block_ == blocks_.size()) blocks_.push_back(std::make_unique<SyntaxToken[]>(SizeOf(block_)));
  free_ = blocks_[block_].get();
  end_ = free_ + SizeOf(block_);
}

void TokenStream::Release(SyntaxToken* first) {
  const auto holds_first = [&] {
    SyntaxToken* begin = blocks_[block_].get();
    return first >= begin && first < begin + SizeOf(block_);
  };
  while (!holds_first()) --block_;  // the newest tokens are rarely in more than one block
  end_ = blocks_[block_].get() + SizeOf(block_);
  free_ = first + 1;
  *first = *current_;
  current_ = first;
  previous_ = nullptr;
}

}  // namespace onnxc::syntax
