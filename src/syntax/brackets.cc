#include "syntax/brackets.h"

#include <algorithm>

namespace onnxc::syntax {

bool IsOpening(std::size_t type) {
  return type == Grammar::LPAREN || type == Grammar::LBRACKET || type == Grammar::LBRACE || type == Grammar::LESS ||
         type == Grammar::AT_BRACE;
}

bool IsClosing(std::size_t type) {
  return type == Grammar::RPAREN || type == Grammar::RBRACKET || type == Grammar::RBRACE || type == Grammar::GREATER;
}

bool IsBrace(std::size_t type) { return type == Grammar::LBRACE || type == Grammar::AT_BRACE; }

std::size_t ClosingOf(std::size_t type) { return type == Grammar::AT_BRACE ? std::size_t{Grammar::RBRACE} : type + 1; }
static_assert(Grammar::RPAREN == Grammar::LPAREN + 1 && Grammar::RBRACKET == Grammar::LBRACKET + 1 &&
              Grammar::RBRACE == Grammar::LBRACE + 1 && Grammar::GREATER == Grammar::LESS + 1);

void OpenBrackets::ReadTo(const SyntaxToken* first, const SyntaxToken* current) {
  for (const SyntaxToken* token = last_ == nullptr ? first : last_->next; token != nullptr && token != current;
       token = token->next) {
    if (IsOpening(token->type)) {
      const std::size_t around = open_.empty() ? 0 : open_.back().braces;
      open_.push_back({token, around + (IsBrace(token->type) ? 1 : 0)});
    }
    if (!open_.empty() && token->type == ClosingOf(open_.back().token->type)) open_.pop_back();
    last_ = token;
  }
}

std::vector<OpenBrackets::Open>::const_iterator OpenBrackets::From(std::size_t begin) const {
  return std::ranges::lower_bound(open_, begin, {}, [](const Open& open) { return open.token->begin; });
}

const SyntaxToken* OpenBrackets::Innermost(std::size_t begin) const {
  return From(begin) == open_.end() ? nullptr : open_.back().token;
}

std::vector<std::size_t> OpenBrackets::TypesFrom(std::size_t begin) const {
  std::vector<std::size_t> types;
  std::transform(From(begin), open_.end(), std::back_inserter(types),
                 [](const Open& open) { return open.token->type; });
  return types;
}

std::size_t OpenBrackets::BracesFrom(std::size_t begin) const {
  const auto from = From(begin);
  if (from == open_.end()) return 0;
  return open_.back().braces - from->braces + (IsBrace(from->token->type) ? 1 : 0);
}

SkippedBrackets::SkippedBrackets(const std::vector<std::size_t>& open) : count_(Grammar::AT_BRACE + 1) {
  for (const std::size_t type : open) Open(type);
}

void SkippedBrackets::Open(std::size_t type) {
  open_.push_back(ClosingOf(type));
  ++count_[open_.back()];
}

bool SkippedBrackets::Close(std::size_t type) {
  if (count_[type] == 0) return false;
  for (bool is_twin = false; !is_twin; open_.pop_back()) {
    is_twin = open_.back() == type;
    --count_[open_.back()];
  }
  return true;
}

}  // namespace onnxc::syntax
