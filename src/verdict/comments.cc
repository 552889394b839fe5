#include "verdict/comments.h"

#include <algorithm>

#include "symbols/tokens.h"

namespace onnxc::verdict {
namespace {

bool DeletesComment(std::string_view text, const FixIt& fix_it) {
  const auto [begin, end] = fix_it.range;
  if (begin >= end || end > text.size()) return false;
  if (text.substr(begin, end - begin).find('#') == std::string_view::npos) return false;
  return std::ranges::any_of(TokensIn(text, fix_it.range, true), [&](const TextToken& token) {
    const bool is_comment = token.kind == TokenKind::kComment || token.kind == TokenKind::kPragma;
    const std::string_view comment = text.substr(token.range.begin, token.range.end - token.range.begin);
    return is_comment && fix_it.replacement.find(comment) == std::string::npos;
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
