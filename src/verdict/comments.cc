#include "verdict/comments.h"

#include <algorithm>

#include "symbols/tokens.h"

namespace onnxc::verdict {
namespace {

bool DeletesComment(std::string_view text, const FixIt& fix_it) {
  const auto [begin, end] = fix_it.range;
  if (begin >= end || end > text.size()) return false;
  const std::string_view before = text.substr(begin, end - begin);
  if (std::ranges::count(before, '#') <= std::ranges::count(fix_it.replacement, '#')) return false;
  return std::ranges::any_of(TokensIn(text, fix_it.range, true), [](const TextToken& token) {
    return token.kind == TokenKind::kComment || token.kind == TokenKind::kPragma;
  });
}

}  // namespace

void KeepComments(std::string_view text, std::span<Diagnostic> findings) {
  for (Diagnostic& finding : findings) {
    const auto deletes = [&](const FixIt& fix_it) { return DeletesComment(text, fix_it); };
    if (std::ranges::any_of(finding.fix_its, deletes)) finding.fix_its.clear();
  }
}

}  // namespace onnxc::verdict
