#include "syntax/token_stream.h"

namespace onnxc {

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

void TokenStream::Release(SyntaxToken* first) {
  for (std::size_t block = size_ / kBlock + 1; block-- > 0;) {  // the newest tokens first: `first` is among them
    if (block == blocks_.size()) continue;
    SyntaxToken* begin = blocks_[block].get();
    if (first < begin || first >= begin + kBlock) continue;
    size_ = block * kBlock + static_cast<std::size_t>(first - begin) + 1;
    break;
  }
  *first = *current_;
  current_ = first;
  previous_ = nullptr;
}

}  // namespace onnxc
