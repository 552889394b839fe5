#include "syntax/token_stream.h"

#include "syntax/OnnxTextParser.h"

namespace onnxc::syntax {

using Grammar = OnnxTextParser;

void TokenStream::Insert(std::size_t type) {
  SyntaxToken* inserted = tokens_.Add();
  *inserted = SyntaxToken{};
  inserted->type = type;
  inserted->begin = current_->begin;
  inserted->text = current_->text.substr(0, 0);
  inserted->next = current_;
  if (previous_ != nullptr) previous_->next = inserted;
  current_ = inserted;
  Note(*inserted);
}

void TokenStream::Extend(std::size_t type, std::size_t end) {
  current_->type = type;
  current_->text = {current_->text.data(), end - current_->begin};
  current_->next = nullptr;
  scanner_.GoOnAt(end);
  Note(*current_);
}

void TokenStream::InsertBehind(SyntaxToken* token, std::size_t type) {
  SyntaxToken* next = After(token);
  SyntaxToken* inserted = tokens_.Add();
  *inserted = SyntaxToken{};
  inserted->type = type;
  inserted->begin = token->range().end;
  inserted->text = token->text.substr(token->text.size());
  inserted->next = next;
  token->next = inserted;
  Note(*inserted);
}

void TokenStream::Release(SyntaxToken* first) {
  tokens_.CutOff(first);
  *tokens_.Add() = *current_;  // Add() returns `first`
  current_ = first;
  previous_ = nullptr;
}

}  // namespace onnxc::syntax
